import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { openThroughEgress } from '../../../src/adapters/webhook-client/egress.ts';
import type { EgressProxy } from '../../../src/adapters/webhook-client/egress.ts';

async function listening(onSocket: (socket: Socket) => void): Promise<number> {
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket.on('error', () => {}));
    onSocket(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  // It listens at a port.
  return (server.address() as AddressInfo).port;
}

const proxyAt = (port: number): EgressProxy => ({
  address: `127.0.0.1:${port}`,
  connect: () => ({ socket: connect(port, '127.0.0.1'), event: 'connect' }),
});

// Source: apiserver pkg/server/egressselector/egress_selector.go tunnelHTTPConnect.
test('a proxy is asked for a tunnel, and bytes go through', async () => {
  let head = '';
  const proxy = await listening((socket) => {
    socket.once('data', (bytes) => {
      head = bytes.toString();
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      socket.on('data', (more) => socket.write(`you said ${more.toString()}`));
    });
  });
  const socket = await openThroughEgress(proxyAt(proxy), { host: 'webhook.shop.svc', port: 443 }, new Set());
  onTestFinished(() => void socket.destroy());
  expect(head).toBe('CONNECT webhook.shop.svc:443 HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n');
  socket.write('hello');
  expect(String((await once(socket, 'data'))[0])).toBe('you said hello');
});

const target = { host: '10.0.0.7', port: 8443 };

test.each([
  [
    'HTTP/1.1 403 Forbidden\r\n\r\n',
    (proxy: string) => `proxy error from ${proxy} while dialing 10.0.0.7:8443, code 403: 403 Forbidden`,
  ],
  [
    '',
    (proxy: string) => `reading HTTP response from CONNECT to 10.0.0.7:8443 via proxy ${proxy} failed: unexpected EOF`,
  ],
  [
    'nonsense\r\n\r\n',
    (proxy: string) =>
      `reading HTTP response from CONNECT to 10.0.0.7:8443 via proxy ${proxy} failed: malformed HTTP response`,
  ],
])('a proxy that answers %j', async (answer, complaint) => {
  const port = await listening((socket) => socket.once('data', () => socket.end(answer)));
  const pending = new Set<Socket>();
  await expect(openThroughEgress(proxyAt(port), target, pending)).rejects.toThrow(complaint(`127.0.0.1:${port}`));
  expect(pending.size).toBe(0);
});

test('a proxy that is not there', async () => {
  await expect(openThroughEgress(proxyAt(1), target, new Set())).rejects.toThrow(
    'dial tcp 127.0.0.1:1: connect: connection refused',
  );
});
