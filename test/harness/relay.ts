import net from 'node:net';
import type { AddressInfo, Socket } from 'node:net';

export interface Relay {
  readonly url: string;
  /** Closes every connection, as a network failure. */
  readonly drop: () => void;
  readonly close: () => void;
}

/** Forwards bytes to the present address of the server; `drop` closes all connections. */
export async function startRelay(target: URL | (() => URL)): Promise<Relay> {
  const sockets = new Set<Socket>();
  const relay = net.createServer((client) => {
    const { port, hostname } = target instanceof URL ? target : target();
    const upstream = net.connect(Number(port), hostname);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => {
        sockets.delete(socket);
        client.destroy();
        upstream.destroy();
      });
    }
    client.pipe(upstream).pipe(client);
  });
  await new Promise<void>((resolve) => {
    relay.listen(0, '127.0.0.1', resolve);
  });
  const address: AddressInfo | string | null = relay.address();
  const drop = (): void => sockets.forEach((socket) => socket.destroy());
  return {
    url: `https://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`,
    drop,
    close: () => {
      drop();
      relay.close();
    },
  };
}
