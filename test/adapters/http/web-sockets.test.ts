import { once } from 'node:events';
import https from 'node:https';
import { connect } from 'node:tls';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { type Listener, startListener } from '../../../src/adapters/http/listener.ts';
import { badRequest } from '../../../src/machinery/meta/status.ts';
import type { ApiResponse } from '../../../src/apiserver/request/api-request.ts';
import { createTestCa } from './certificates.ts';
import { recordedRelease } from '../../harness/recorded-release.ts';

let listener: Listener;
let ca: string;
let stopped = 0;

const event = (name: string) => ({ type: 'ADDED', object: { kind: 'ConfigMap', metadata: { name } } }) as const;

const answers: Readonly<Record<string, ApiResponse>> = {
  '/refused': { type: 'status', status: badRequest('odd'), warnings: [] },
  '/list': { type: 'object', code: 200, body: { items: [] }, warnings: [] },
  // Three events, of which two come together, and its end.
  '/watch': {
    type: 'watch',
    open: (send, end) => {
      for (const name of ['a', 'b']) send(event(name));
      const timer = setTimeout(() => {
        send(event('c'));
        end();
      }, 1);
      return () => clearTimeout(timer);
    },
  },
  '/endless': { type: 'watch', open: (send) => (send(event('a')), () => (stopped += 1)) },
};

beforeAll(async () => {
  const made = await createTestCa();
  ca = made.cert;
  const handle = async ({ path }: { readonly path: string }): Promise<ApiResponse> =>
    answers[path] ?? { type: 'document', code: 404, contentType: 'text/plain', body: path };
  const tls = { ...(await made.issue('CN=kadmit')), clientCas: [] };
  const ports = { release: recordedRelease, now: () => 0, newUid: () => 'uid', logError: () => {} };
  listener = await startListener({ host: '127.0.0.1', port: 0, tls, handle, ...ports });
});
afterAll(() => listener.close());

const open = (path: string, origin?: string): WebSocket =>
  new WebSocket(`wss://127.0.0.1:${listener.port}${path}`, [], {
    ca,
    rejectUnauthorized: false,
    ...(origin === undefined ? {} : { origin }),
  });

const texts = (socket: WebSocket): readonly string[] => {
  const seen: string[] = [];
  socket.binaryType = 'arraybuffer';
  socket.addEventListener('message', ({ data }) => seen.push(typeof data === 'string' ? data : 'no text'));
  return seen;
};

// Source: apiserver pkg/endpoints/handlers/watch.go HandleWS: fabric8's Java client watches this way.
test('a watch over a WebSocket: each event is a message of text, and its end closes it', async () => {
  const socket = open('/watch', 'https://127.0.0.1');
  const seen = texts(socket);
  await once(socket, 'close');
  expect(seen).toEqual(['a', 'b', 'c'].map((name) => `${JSON.stringify(event(name))}\n`));
});

test('a client that closes ends its watch', async () => {
  const before = stopped;
  const socket = open('/endless', 'https://127.0.0.1');
  await once(socket, 'message');
  socket.close();
  await once(socket, 'close');
  await expect.poll(() => stopped).toBe(before + 1);
});

// Source: golang.org/x/net/websocket server.go checkOrigin, which its Handler demands.
test.each([
  ['/watch', 403],
  ['/refused', 400],
  ['/list', 200],
  ['/nothing', 404],
])('%s for a WebSocket without an origin: %d', async (path, code) => {
  const socket = open(path);
  const [, response] = await once(socket, 'unexpected-response');
  expect(response.statusCode).toBe(code);
  response.resume();
  await once(response, 'close');
});

test('a request for another protocol gets an HTTP response', async () => {
  const headers = { connection: 'Upgrade', upgrade: 'SPDY/3.1' };
  const request = https.request({
    port: listener.port,
    path: '/refused',
    method: 'POST',
    ca,
    headers,
    servername: '',
    checkServerIdentity: () => undefined,
  });
  request.end();
  const [response] = await once(request, 'response');
  expect([response.statusCode, response.headers.connection]).toEqual([400, 'close']);
  response.resume();
});

// Node's http would end the process: ERR_HTTP_SOCKET_ASSIGNED out of an event of the server.
test('a request for another protocol behind one without an answer yet ends its connection, and nothing else', async () => {
  const socket = connect({ port: listener.port, host: '127.0.0.1', ca, rejectUnauthorized: false });
  const ask = (path: string, more = ''): string => `GET ${path} HTTP/1.1\r\nHost: a\r\n${more}\r\n`;
  socket.write(ask('/endless') + ask('/watch', 'Connection: Upgrade\r\nUpgrade: websocket\r\n'));
  socket.on('error', () => {}).resume();
  await once(socket, 'close');
  const next = open('/watch', 'https://127.0.0.1');
  const seen = texts(next);
  await once(next, 'close');
  expect(seen).toHaveLength(3);
});
