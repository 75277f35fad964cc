import type { Client } from 'undici';
import { createDialler } from './dial.ts';
import type { Dialler, Endpoint } from './dial.ts';

/** An undici client with one connection, which it reopens when it closed. */
export interface Connection {
  readonly client: Client;
  readonly dialler: Dialler;
  /** Requests under way; several over HTTP/2. */
  requests: number;
}

/** Connections to one endpoint. Follows Go's net/http transport.go (rule HTTP-7). */
export interface ConnectionPool {
  readonly acquire: () => Promise<Connection>;
  /** Keeps the connection once it is idle. */
  readonly release: (connection: Connection) => void;
  /** Closes the connection after a failed request, unless other requests share it. */
  readonly discard: (connection: Connection) => void;
  /** Closes idle connections now and others when they are released. */
  readonly drain: () => void;
  readonly close: () => void;
}

/** client-go keeps 25, which makes 80 concurrent calls repeat handshakes. */
const maxIdle = 500;

// Go's idle timeout. undici shortens it to that of a Keep-Alive header minus two seconds.
const idleMs = 90_000;

const maxStreams = 100;

/** Go's limit is ten megabytes. */
const maxHeaderSize = 256 * 1024;

export function createConnectionPool(endpoint: Endpoint): ConnectionPool {
  const idle: Connection[] = [];
  const open = new Set<Connection>();
  let isDrained = false;

  const close = (connection: Connection): void => {
    open.delete(connection);
    connection.dialler.abandon();
    afterReading(() => void connection.client.destroy());
  };
  const release = (connection: Connection): void => {
    connection.requests -= 1;
    if (!open.has(connection) || connection.requests > 0) return;
    if (isDrained || idle.length >= maxIdle) close(connection);
    else idle.push(connection);
  };
  /** The connection used last, so that the others reach their idle timeout. */
  const lastIdle = (): Connection | undefined => {
    for (let connection = idle.pop(); connection; connection = idle.pop()) {
      // False: the server responded before it read the whole request, and still does not read.
      if (!connection.dialler.isWriting()) return connection;
      close(connection);
    }
    return undefined;
  };
  return {
    acquire: async () => {
      const shared = [...open].find(({ requests, dialler }) => requests > 0 && dialler.isHttp2());
      const connection = shared ?? lastIdle() ?? (await createConnection(endpoint));
      connection.requests += 1;
      open.add(connection);
      return connection;
    },
    release,
    discard: (connection) => {
      if (connection.dialler.isHttp2()) release(connection);
      else close(connection);
    },
    drain: () => {
      isDrained = true;
      for (const connection of idle.splice(0)) close(connection);
    },
    close: () => {
      isDrained = true;
      idle.length = 0;
      for (const connection of open) close(connection);
    },
  };
}

async function createConnection(endpoint: Endpoint): Promise<Connection> {
  // Loaded by the first call: it takes 60 ms.
  const undici = await import('undici');
  const dialler = createDialler(endpoint);
  // The dialler knows the address, and every request sets its Host.
  const client = new undici.Client('https://localhost', {
    connect: (_options, callback) => {
      dialler.dial().then(
        (socket) => callback(null, socket),
        (error: unknown) => callback(error instanceof Error ? error : new Error(String(error)), null),
      );
    },
    allowH2: true,
    pipelining: endpoint.tls?.protocols.includes('h2') ? maxStreams : 1,
    keepAliveTimeout: idleMs,
    keepAliveMaxTimeout: idleMs,
    maxHeaderSize,
    // Each call has its own deadline.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  return { client, dialler, requests: 0 };
}

/**
 * Runs `end` after Node processed the bytes it read. Ending two HTTP/2 streams or a session earlier makes Node use
 * freed memory (nodejs/node#64113, nodejs/node#64850).
 */
export const afterReading = (end: () => void): void => void setImmediate(end);
