import type { Http2SecureServer } from 'node:http2';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** The open sockets of a server and the requests running on them. */
export interface Connections {
  /** Counts a request until the returned function is called. */
  readonly begin: () => () => void;
  /** Resolves when no request runs any more, or after `milliseconds`. */
  readonly settle: (milliseconds: number) => Promise<void>;
  /** Cuts every connection. */
  readonly destroy: () => void;
}

export function trackConnections(server: Http2SecureServer): Connections {
  const sockets = new Set<Socket>();
  let running = 0;
  let idle: (() => void) | undefined;
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  return {
    begin() {
      running += 1;
      let open = true;
      return () => {
        if (open) running -= 1;
        open = false;
        if (running === 0) idle?.();
      };
    },
    async settle(milliseconds) {
      if (running === 0) return;
      const idled = new Promise<void>((resolve) => {
        idle = resolve;
      });
      await Promise.race([idled, sleep(milliseconds, undefined, { ref: false })]);
    },
    destroy() {
      for (const socket of sockets) socket.destroy();
    },
  };
}
