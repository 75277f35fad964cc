import { createDialler } from './dial.ts';
import type { Dialler, Endpoint } from './dial.ts';
import { CallFailure } from './call-failure.ts';
import { http1Wire } from './http1-wire.ts';
import { http2Wire, loadUndici } from './http2-wire.ts';
import type { Exchange, Wire, WireReply, WireRequest } from './wire.ts';

/** A connection that is opened when first used, and again when it has ended. */
export interface Connection {
  readonly send: Wire['send'];
  readonly rest: Wire['rest'];
  /** Has the server chosen HTTP/2? Then it carries many requests at a time, else one. */
  readonly isShared: () => boolean;
  readonly lateness: Dialler['lateness'];
  /** Ends it, also while it is being opened. */
  readonly destroy: () => void;
}

/** Go's time. */
const idleMs = 90_000;
/** Whoever was idle longer may have hung up without anybody having looked. */
const freshMs = 1000;

export function openConnection(endpoint: Endpoint): Connection {
  const dialler = createDialler(endpoint);
  let wire: Wire | undefined;
  let usedAt = 0;
  let isDestroyed = false;
  let isHttp2 = false;
  const open = async (): Promise<Wire> => {
    const socket = await dialler.dial();
    isHttp2 = dialler.protocol() === 'h2';
    const opened = isHttp2 ? http2Wire(await loadUndici(), socket, dialler, idleMs) : http1Wire(socket, idleMs);
    if (isDestroyed) opened.destroy();
    return opened;
  };
  /** Sends once the connection has been looked at, and opened anew if need be; not what has ended by then. */
  const sendLater = (request: WireRequest, heard: (reply: WireReply) => void): Exchange => {
    let exchange: Exchange | undefined;
    let hasEnded = false;
    const look = async (): Promise<void> => {
      if (wire) await new Promise(setImmediate);
      if (!wire?.isOpen()) wire = await open();
      if (!hasEnded) exchange = wire.send(request, heard);
    };
    look().catch((error: unknown) => heard(notOpened(error)));
    return {
      readingBody: () => exchange?.readingBody() ?? false,
      end: (why) => {
        hasEnded = true;
        exchange?.end(why);
      },
    };
  };
  return {
    isShared: () => isHttp2,
    lateness: dialler.lateness,
    rest: (then) => (wire ? wire.rest(then) : then()),
    destroy: () => {
      isDestroyed = true;
      dialler.abandon();
      wire?.destroy();
    },
    send: (request, heard) => {
      const now = performance.now();
      const isFresh = wire?.isOpen() === true && now - usedAt < freshMs;
      usedAt = now;
      return wire && isFresh ? wire.send(request, heard) : sendLater(request, heard);
    },
  };
}

function notOpened(error: unknown): WireReply {
  const failure = error instanceof CallFailure ? error : new CallFailure('connect', String(error));
  return { outcome: 'failed', failure, readingBody: false };
}
