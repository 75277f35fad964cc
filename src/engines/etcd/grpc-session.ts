import { connect } from 'node:http2';
import type { ClientHttp2Session } from 'node:http2';
import { CallError, dialError, grpcCode } from './call-error.ts';

export interface Tls {
  /** PEM. */
  readonly ca?: Buffer | undefined;
  readonly certificate?: Buffer | undefined;
  readonly key?: Buffer | undefined;
}

/** A connection to one server, made when it is asked for and again when it was lost. */
export interface ConnectionKeeper {
  /** The one that is open; else one that is being made. It rejects with CallError when there can be none for now. */
  readonly session: () => ClientHttp2Session | Promise<ClientHttp2Session>;
  readonly close: () => void;
}

/** How long a server may take to accept a connection. */
const patienceMs = 3000;
/** Pauses before a server that did not accept one is tried again. */
const shortestPauseMs = 100;
const longestPauseMs = 1000;
/** A server that says nothing for so long is asked whether it is there, and has so long to say so. Follows etcd's clients. */
const pingAfterMs = 30_000;
const pongWithinMs = 10_000;
/** A page of objects is on its way at once. */
const windowSize = 8 * 1024 * 1024;

const options = {
  settings: { enablePush: false, initialWindowSize: windowSize },
  // What one call holds keeps no other from being made.
  maxSessionMemory: Number.MAX_SAFE_INTEGER,
};

export function keepSession(url: URL, { ca, certificate, key }: Tls): ConnectionKeeper {
  let current: ClientHttp2Session | undefined;
  let connecting: Promise<ClientHttp2Session> | undefined;
  let failed: { readonly error: CallError; readonly pause: number; readonly until: number } | undefined;
  let isClosed = false;
  const dial = async (): Promise<ClientHttp2Session> => {
    const session = connect(url, { ...options, ca, cert: certificate, key });
    current = session;
    try {
      await connected(session, url.host);
      failed = undefined;
      keepAlive(session);
      return session;
    } catch (error) {
      const pause = Math.min((failed?.pause ?? shortestPauseMs / 2) * 2, longestPauseMs);
      const told = dialError(error, url.host);
      failed = { error: told, pause, until: performance.now() + pause };
      throw told;
    } finally {
      connecting = undefined;
    }
  };
  return {
    session: () => {
      if (connecting) return connecting;
      if (current && !current.closed && !current.destroyed) return current;
      if (isClosed) return Promise.reject(new CallError(grpcCode.canceled, 'the connection to etcd is closed', false));
      if (failed && performance.now() < failed.until) return Promise.reject(failed.error);
      connecting = dial();
      return connecting;
    },
    close: () => {
      isClosed = true;
      current?.destroy();
    },
  };
}

/** Resolves when the server has spoken; rejects with what the system or TLS said. */
const connected = (session: ClientHttp2Session, host: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const late = setTimeout(() => session.destroy(timedOut(host)), patienceMs);
    // Not when something accepts the connection: it may stand before a server that is not there.
    session.once('remoteSettings', () => {
      clearTimeout(late);
      session.setLocalWindowSize(2 * windowSize);
      resolve();
    });
    // Also later, so that no error is without anybody who hears it: calls hear of it too.
    session.on('error', reject);
    // Node 20 tells of an alert of the other side here alone.
    session.socket.on('error', reject);
    session.once('close', () => {
      clearTimeout(late);
      reject(undefined);
    });
  });

const timedOut = (host: string): Error => Object.assign(new Error(`${host} does not answer`), { code: 'ETIMEDOUT' });

/** Ends a connection behind which nobody is any more. */
function keepAlive(session: ClientHttp2Session): void {
  const timer = setInterval(() => {
    const late = setTimeout(() => session.destroy(timedOut('the server')), pongWithinMs).unref();
    session.ping(() => clearTimeout(late));
  }, pingAfterMs).unref();
  session.once('close', () => clearInterval(timer));
}
