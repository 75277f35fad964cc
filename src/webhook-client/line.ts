import { afterReceiving } from './after-receiving.ts';
import { openConnection } from './connection.ts';
import type { Connection } from './connection.ts';
import type { Endpoint } from './dial.ts';

/**
 * The connections to one endpoint: as many as needed, the last used first; calls share one that speaks HTTP/2.
 * Follows Go's net/http transport.go (rule HTTP-7).
 */
export interface Line {
  readonly take: () => Connection;
  /** Keeps the connection for the next request, once nobody uses it. */
  readonly giveBack: (connection: Connection) => void;
  /** Ends a connection that failed, or whose answer nobody waits for. */
  readonly discard: (connection: Connection) => void;
  /** Ends the connections that carry nothing, and the others when they are given back. */
  readonly retire: () => void;
  readonly close: () => void;
}

/**
 * client-go keeps 25, so that those of 80 calls at once shake hands again and again; here all are kept that a burst
 * needed. The last used goes first, so that what is not needed any longer ends.
 */
const maxIdle = 500;

export function openLine(endpoint: Endpoint, http2: boolean): Line {
  const idle: Connection[] = [];
  /** Every connection, and how many requests it carries. */
  const carried = new Map<Connection, number>();
  let isRetired = false;

  const discard = (connection: Connection): void => {
    carried.delete(connection);
    afterReceiving(connection.destroy);
  };
  const shared = (): Connection | undefined => {
    if (!http2) return undefined;
    for (const [connection, count] of carried) if (count > 0 && connection.isShared()) return connection;
    return undefined;
  };
  return {
    take: () => {
      const connection = shared() ?? idle.pop() ?? openConnection(endpoint);
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
    close: () => {
      isRetired = true;
      idle.length = 0;
      for (const connection of carried.keys()) connection.destroy();
    },
  };
}
