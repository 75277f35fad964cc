import { once } from 'node:events';
import { connect } from 'node:tls';
import type { TLSSocket } from 'node:tls';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startListener } from '../../../src/adapters/http/listener.ts';
import type { Listener } from '../../../src/adapters/http/listener.ts';
import { currentRelease } from '../../../src/api/release/current-release.ts';
import { createTestCa } from './certificates.ts';
import { callHttp1 } from './https-client.ts';

// Follows go net/http server.go serve: a connection of HTTP/1.1 has one request at a time, whatever its client has sent already.

const begun: string[] = [];
let release = (): void => {};
let listener: Listener;
let ca: Awaited<ReturnType<typeof createTestCa>>;
beforeAll(async () => {
  ca = await createTestCa();
  listener = await startListener({
    host: '127.0.0.1',
    port: 0,
    tls: { ...(await ca.issue('CN=kadmit')), clientCas: [] },
    now: () => 0,
    newUid: () => 'uid',
    logError: () => {},
    release: currentRelease,
    handle: async ({ path }) => {
      begun.push(path);
      if (path === '/held') {
        await new Promise<void>((resolve) => {
          release = resolve;
        });
      }
      const body = path === '/large' ? 'x'.repeat(4 * 2 ** 20) : path;
      return { type: 'document', code: 200, contentType: 'text/plain', body };
    },
  });
});
afterAll(() => listener.close());

/** A connection over which these have been asked for at once. */
async function asking(...paths: readonly string[]): Promise<TLSSocket> {
  begun.length = 0;
  const socket = connect({ host: '127.0.0.1', port: listener.port, ca: ca.cert, checkServerIdentity: () => undefined });
  await once(socket, 'secureConnect');
  socket.write(paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`).join(''));
  return socket;
}

test('a request begins when the one before it on its connection is answered', async () => {
  const socket = await asking('/held', '/next', '/last');
  await vi.waitFor(() => expect(begun).toEqual(['/held']));
  await callHttp1({ port: listener.port, ca: ca.cert }, { path: '/other' });
  expect(begun).toEqual(['/held', '/other']);
  release();
  let text = '';
  socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
  await vi.waitFor(() => expect(text).toContain('/last'));
  expect(begun).toEqual(['/held', '/other', '/next', '/last']);
  expect(text.indexOf('/next')).toBeLessThan(text.indexOf('/last'));
  socket.destroy();
});

test('a client that asks for more than it reads, and goes, leaves nothing that others wait for', async () => {
  const socket = await asking(...Array.from({ length: 300 }, () => '/large'));
  socket.pause();
  await vi.waitFor(() => expect(begun.length).toBeGreaterThan(0));
  const { status } = await callHttp1({ port: listener.port, ca: ca.cert }, { path: '/other' });
  expect(status).toBe(200);
  socket.destroy();
  await once(socket, 'close');
  expect(begun.filter((path) => path === '/large').length).toBeLessThan(10);
});

test('what waits on a connection has a bound', async () => {
  const socket = await asking('/held', ...Array.from({ length: 9000 }, () => '/next'));
  socket.on('error', () => undefined);
  await vi.waitFor(() => expect(socket.destroyed).toBe(true), 10_000);
  expect(begun).toEqual(['/held']);
  release();
});
