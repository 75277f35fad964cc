import type { Client } from 'undici';
import { afterReceiving } from './after-receiving.ts';
import { createDialler } from './dial.ts';
import type { Dialler, Endpoint } from './dial.ts';

/** A connection that is opened when first used. It carries one request at a time, one that speaks HTTP/2 many. */
export interface Connection {
  readonly client: Client;
  /** Has the server chosen HTTP/2? */
  readonly isShared: () => boolean;
  readonly lateness: Dialler['lateness'];
  /** Ends it, also while it is being opened. */
  readonly destroy: () => Promise<void>;
}

interface Undici {
  readonly Client: typeof Client;
}

let loading: Promise<Undici> | undefined;

/** Loaded when the first webhook is called: it costs start-up time. */
export const loadUndici = (): Promise<Undici> => (loading ??= import('undici'));

/**
 * The connections to one endpoint: as many as needed, the last used first; calls share one that speaks HTTP/2.
 * Follows Go's net/http transport.go (rule HTTP-7).
 */
export interface Line {
  readonly take: (undici: Undici) => Connection;
  /** Keeps the connection for the next request, once nobody uses it. */
  readonly giveBack: (connection: Connection) => void;
  /** Ends a connection that failed, or whose answer nobody waits for. */
  readonly discard: (connection: Connection) => void;
  /** Ends the connections that carry nothing, and the others when they are given back. */
  readonly retire: () => void;
  readonly close: () => Promise<void>;
}

/**
 * client-go keeps 25, so that those of 80 calls at once shake hands again and again; here all are kept that a burst
 * needed. The last used goes first: what is not needed any longer ends after 90 seconds, Go's time.
 */
const maxIdle = 500;
const maxStreams = 100;
const idleMs = 90_000;

export function openLine(endpoint: Endpoint, http2: boolean): Line {
  const idle: Connection[] = [];
  /** Every connection, and how many requests it carries. */
  const carried = new Map<Connection, number>();
  let isRetired = false;

  const discard = (connection: Connection): void => {
    carried.delete(connection);
    afterReceiving(() => void connection.destroy());
  };
  const shared = (): Connection | undefined => {
    if (!http2) return undefined;
    for (const [connection, count] of carried) if (count > 0 && connection.isShared()) return connection;
    return undefined;
  };
  return {
    take: (undici) => {
      const connection = shared() ?? idle.pop() ?? openConnection(undici, endpoint, http2);
      carried.set(connection, (carried.get(connection) ?? 0) + 1);
      return connection;
    },
    giveBack: (connection) => {
      const count = carried.get(connection);
      if (count === undefined) return;
      carried.set(connection, count - 1);
      if (count > 1) return;
      if (isRetired || idle.length >= maxIdle) discard(connection);
      else idle.push(connection);
    },
    discard,
    retire: () => {
      isRetired = true;
      for (const connection of idle.splice(0)) discard(connection);
    },
    close: async () => {
      isRetired = true;
      idle.length = 0;
      await Promise.all([...carried.keys()].map((connection) => connection.destroy()));
    },
  };
}

function openConnection(undici: Undici, endpoint: Endpoint, http2: boolean): Connection {
  const { connect, abandon, lateness, protocol } = createDialler(endpoint);
  // The dialler knows where to go, and every request names its host; the origin only says whether there is TLS.
  const client = new undici.Client(endpoint.tls ? 'https://localhost' : 'http://localhost', {
    connect,
    allowH2: http2,
    ...(http2 ? { pipelining: maxStreams } : {}),
    keepAliveTimeout: idleMs,
    keepAliveMaxTimeout: idleMs,
    // Every call has a timer of its own.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  return {
    client,
    isShared: () => protocol() === 'h2',
    lateness,
    destroy: () => {
      abandon();
      return client.destroy();
    },
  };
}
