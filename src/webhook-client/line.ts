import type { Client } from 'undici';
import { createDialler } from './dial.ts';
import type { Endpoint } from './dial.ts';

/** A connection that is opened when first used, and carries one request at a time. */
export interface Connection {
  readonly client: Client;
  /** Ends it, also while it is being opened. */
  readonly destroy: () => Promise<void>;
}

interface Undici {
  readonly Client: typeof Client;
}

let loading: Promise<Undici> | undefined;

/** Loaded when the first webhook is called: it costs start-up time. */
export const loadUndici = (): Promise<Undici> => (loading ??= import('undici'));

/** The connections to one endpoint. Follows Go's net/http transport.go: as many as needed, the last used first. */
export interface Line {
  readonly take: (undici: Undici) => Connection;
  /** Keeps the connection for the next request. */
  readonly giveBack: (connection: Connection) => void;
  /** Ends a connection that failed, or whose answer nobody waits for. */
  readonly discard: (connection: Connection) => void;
  /** Ends the connections that carry nothing, and the others when they are given back. */
  readonly retire: () => void;
  readonly close: () => Promise<void>;
}

// What client-go allows, and how long Go keeps an idle connection.
const maxIdle = 25;
const idleMs = 90_000;

export function openLine(endpoint: Endpoint, http2: boolean): Line {
  const idle: Connection[] = [];
  const all = new Set<Connection>();
  let isRetired = false;

  const discard = (connection: Connection): void => {
    all.delete(connection);
    void connection.destroy();
  };
  return {
    take: (undici) => {
      const connection = idle.pop() ?? openConnection(undici, endpoint, http2);
      all.add(connection);
      return connection;
    },
    giveBack: (connection) => {
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
      await Promise.all([...all].map((connection) => connection.destroy()));
    },
  };
}

function openConnection(undici: Undici, endpoint: Endpoint, http2: boolean): Connection {
  const { connect, abandon } = createDialler(endpoint);
  // The dialler knows where to go, and every request names its host; the origin only says whether there is TLS.
  const client = new undici.Client(endpoint.tls ? 'https://localhost' : 'http://localhost', {
    connect,
    allowH2: http2,
    keepAliveTimeout: idleMs,
    keepAliveMaxTimeout: idleMs,
    // Every call has a timer of its own.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  return {
    client,
    destroy: () => {
      abandon();
      return client.destroy();
    },
  };
}
