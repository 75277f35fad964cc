import { EventEmitter, once } from 'node:events';
import { connect as connectHttp2 } from 'node:http2';
import https from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import { TLSSocket, connect as connectTls } from 'node:tls';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type Listener, type ListenerOptions, startListener } from '../../../src/adapters/http/listener.ts';
import { badRequest } from '../../../src/machinery/meta/status.ts';
import type { ApiRequest, ApiResponse } from '../../../src/apiserver/request/api-request.ts';
import { createTestCa, type Issued } from './certificates.ts';
import { type Answer, type Call, callHttp1, callHttp2, callRaw, type Server } from './https-client.ts';
import { recordedRelease } from '../../harness/recorded-release.ts';

// What the pipeline would answer, by path; /echo shows what it was given.
const answers: Readonly<Record<string, (request: ApiRequest) => ApiResponse>> = {
  '/readyz': () => ({ type: 'document', code: 200, contentType: 'text/plain; charset=utf-8', body: 'ok' }),
  '/echo': ({ method, path, query, headers, body, certificate, auditId }) => ({
    type: 'object',
    code: 201,
    body: {
      method,
      path,
      query: query.toString(),
      impersonateGroup: asJson(headers['impersonate-group']),
      userAgent: asJson(headers['user-agent']),
      host: asJson(headers['host']),
      constructorHeader: asJson(headers['constructor']),
      body: Buffer.from(body).toString(),
      certificate: certificate ? { ...certificate } : null,
      auditId,
    },
    warnings: [],
  }),
  '/warned': () => ({ type: 'object', code: 200, body: {}, warnings: ['a "quoted" ü', 'another'] }),
  '/big': () => ({ type: 'object', code: 200, body: { text: 'x'.repeat(10_000_000) }, warnings: [] }),
  '/odd': () => ({ type: 'status', status: { ...badRequest('odd'), code: 701 }, warnings: [] }),
  '/boom': () => {
    throw new Error('a bug');
  },
};

let listener: Listener;
let options: ListenerOptions;
let ca: Awaited<ReturnType<typeof createTestCa>>;
let alice: Issued;
let waiting: AbortSignal | undefined;
let lastSignal: AbortSignal | undefined;
const log: string[] = [];

async function handle(request: ApiRequest): Promise<ApiResponse> {
  lastSignal = request.signal();
  if (request.path === '/slow') {
    waiting = request.signal();
    await once(request.signal(), 'abort');
  }
  const missing = { type: 'document', code: 404, contentType: 'text/plain', body: request.path } as const;
  return answers[request.path]?.(request) ?? missing;
}

beforeAll(async () => {
  ca = await createTestCa();
  const [serving, user] = await Promise.all([ca.issue('CN=kadmit'), ca.issue('CN=alice, O=dev, O=ops')]);
  alice = user;
  options = {
    host: '127.0.0.1',
    port: 0,
    tls: { ...serving, clientCas: [ca.cert] },
    now: () => 0,
    release: recordedRelease,
    newUid: () => 'made-up-uid',
    logError: (line) => log.push(line),
    handle,
  };
  listener = await startListener(options);
});
afterAll(() => listener.close());

// Source: apiserver pkg/server/options/serving.go: --disable-http2-serving.
test.each([
  { isHttp2: true, protocol: 'h2' },
  { isHttp2: false, protocol: 'http/1.1' },
])('a client that offers both protocols speaks $protocol', async ({ isHttp2, protocol }) => {
  const other = await startListener({ ...options, isHttp2 });
  const socket = connectTls({ port: other.port, rejectUnauthorized: false, ALPNProtocols: ['h2', 'http/1.1'] });
  await once(socket, 'secureConnect');
  expect(socket.alpnProtocol).toBe(protocol);
  socket.destroy();
  await other.close();
});

const asJson = (value: string | readonly string[] | undefined): string | readonly string[] | null => value ?? null;

const failed = (code: number, reason: string, message: string): object => ({
  status: 'Failure',
  code,
  reason,
  message,
});

const server = (): Server => ({ port: listener.port, ca: ca.cert });
const call = (asked: Call): Promise<Answer> => callHttp1(server(), asked);

const protocols = [
  ['HTTP/1.1', callHttp1],
  ['HTTP/2', callHttp2],
] as const;

const groups = Array.from({ length: 3_000 }, (_none, at) => `g${at}`);

const facts: readonly [fact: string, call: Call, status: number, body: unknown][] = [
  ['a document is sent as it is', { path: '/readyz' }, 200, 'ok'],
  ['the query is not part of the path', { path: '/echo?a=1&b=%20' }, 201, { path: '/echo', query: 'a=1&b=+' }],
  // Source: net/url url.go ParseQuery.
  ['no pair has a semicolon', { path: '/echo?a=1;b=2&c=%zz&d=4' }, 201, { query: 'd=4' }],
  ['a path is percent-decoded', { path: '/%65cho' }, 201, { path: '/echo' }],
  // Source: net/http server.go, which counts bytes of headers and not headers.
  ['a user of 3,000 groups', { headers: { 'impersonate-group': groups } }, 201, { impersonateGroup: groups }],
  ['slashes are kept', { path: '//a//b/' }, 404, '//a//b/'],
  ['a broken escape is a 400', { path: '/%zz' }, 400, failed(400, 'BadRequest', 'invalid URL escape in "/%zz"')],
  [
    'a body reaches the pipeline as bytes',
    { method: 'POST', body: '{"a":1}', headers: { 'content-type': 'application/json' } },
    201,
    { body: '{"a":1}' },
  ],
  ['a body needs no Content-Type', { method: 'PUT', body: '{}' }, 201, { body: '{}' }],
  // Source: kubernetes test/integration/apiserver/field_validation_test.go sends it so.
  ['an empty one is none', { method: 'PUT', body: '{}', headers: { 'content-type': '' } }, 201, { body: '{}' }],
  [
    'the pipeline refuses an unknown Content-Type',
    { method: 'POST', body: 'x', headers: { 'content-type': 'a/b; c=d' } },
    201,
    { body: 'x' },
  ],
  [
    'so is one that cannot be read',
    { method: 'POST', body: 'x', headers: { 'content-type': 'nonsense' } },
    201,
    { method: 'POST' },
  ],
  [
    'DELETE may have a body',
    { method: 'DELETE', body: '{}', headers: { 'content-type': 'application/json' } },
    201,
    { body: '{}' },
  ],
  ['three mebibytes are fine', { method: 'POST', body: Buffer.alloc(3 * 1024 * 1024, 'x') }, 201, { method: 'POST' }],
  [
    'one byte more is too large',
    { method: 'POST', body: Buffer.alloc(3 * 1024 * 1024 + 1, 'x') },
    413,
    failed(413, 'RequestEntityTooLarge', 'Request entity too large: limit is 3145728'),
  ],
  ['a bug is a 500', { path: '/boom' }, 500, failed(500, 'InternalError', 'Internal error occurred: a bug')],
  [
    'repeated Impersonate-Group headers stay apart',
    { headers: { 'impersonate-group': ['a', 'b,c'] } },
    201,
    { impersonateGroup: ['a', 'b,c'] },
  ],
  ['header names find nothing inherited', {}, 201, { constructorHeader: null }],
  ['other headers are texts', { headers: { 'user-agent': 'kubectl/v1.36' } }, 201, { userAgent: 'kubectl/v1.36' }],
  ['no certificate, no name', {}, 201, { certificate: null }],
];

describe.each(protocols)('%s', (_protocol, send) => {
  test.each(facts)('%s', async (_fact, request, status, body) => {
    expect(await send(server(), request)).toMatchObject({ status, body });
  });

  test('a verified client certificate names its bearer', async () => {
    const { body } = await send(server(), { client: alice });
    expect(body).toMatchObject({ certificate: { commonName: 'alice', organizations: ['dev', 'ops'] } });
  });

  test('a large answer arrives whole', async () => {
    const { body } = await send(server(), { path: '/big' });
    expect(JSON.stringify(body)).toHaveLength('{"text":""}'.length + 10_000_000);
  });

  test('warnings are headers, their text in UTF-8', async () => {
    const { headers } = await send(server(), { path: '/warned' });
    const warning = Buffer.from(String(headers['warning']), 'latin1').toString('utf8');
    expect(warning).toBe('299 - "a \\"quoted\\" ü", 299 - "another"');
  });

  test('a certificate of another CA is refused, not anonymous', async () => {
    const stranger = await (await createTestCa()).issue('CN=alice, O=dev');
    const unauthorized = failed(401, 'Unauthorized', 'Unauthorized');
    expect(await send(server(), { client: stranger })).toMatchObject({ status: 401, body: unauthorized });
  });

  test('unless a token comes with it', async () => {
    const stranger = await (await createTestCa()).issue('CN=alice, O=dev');
    const { body } = await send(server(), { client: stranger, headers: { authorization: 'Bearer x' } });
    expect(body).toMatchObject({ certificate: null });
  });
});

test('a resumed TLS session still knows its certificate', async () => {
  const agent = new https.Agent({ ...alice, ca: ca.cert, maxCachedSessions: 10 });
  const askOnce = (): Promise<{ isReused: boolean; text: string }> =>
    new Promise((resolve, reject) => {
      const request = https.get({ host: '127.0.0.1', port: listener.port, path: '/echo', agent }, (response) => {
        let text = '';
        const isReused = response.socket instanceof TLSSocket && response.socket.isSessionReused();
        response.setEncoding('utf8').on('data', (part: string) => (text += part));
        response.on('end', () => resolve({ isReused, text }));
      });
      request.on('error', reject);
    });
  const [first, second] = [await askOnce(), await askOnce()];
  expect([first.isReused, second.isReused]).toEqual([false, true]);
  expect(second.text).toContain('"commonName":"alice"');
});

// Source: go net/http server.go; for a moment such a request was taken for one over HTTP/2, and the process ended.
const notServed =
  /^HTTP\/1\.1 505 HTTP Version Not Supported: unsupported protocol version\r\n.*\r\n\r\n505 HTTP Version/s;

test.each(['2.0', '0.9'])('what comes over HTTP/1.1 and says HTTP/%s is refused', async (version) => {
  expect(await callRaw(server(), `TRACE / HTTP/${version}\r\nhost: a\r\n\r\n`)).toMatch(notServed);
  expect((await call({})).status).toBe(201);
});

// What Node cannot read never reaches the handler.
const broken: readonly [fact: string, bytes: string, answer: RegExp][] = [
  ['no HTTP', 'hello\r\n\r\n', /^HTTP\/1\.1 400 Bad Request\r\n/],
  ['a header beyond a mebibyte', `GET / HTTP/1.1\r\nx: ${'x'.repeat(1_100_000)}\r\n\r\n`, /^HTTP\/1\.1 431 /],
];

test.each(broken)('%s is refused', async (_fact, bytes, answer) => {
  expect(await callRaw(server(), bytes)).toMatch(answer);
});

test('more headers than are read are refused: one of those left out could have been Impersonate-User', async () => {
  const many = Object.fromEntries(Array.from({ length: 6_000 }, (_none, at) => [`x${at}`, 'a']));
  expect(await call({ headers: many })).toMatchObject({ status: 431, body: { reason: 'RequestHeaderFieldsTooLarge' } });
  await expect(callHttp2(server(), { headers: many })).rejects.toThrow('NGHTTP2_');
});

test('headers may have up to a mebibyte', async () => {
  const { status } = await call({ path: `/echo?a=${'x'.repeat(500_000)}` });
  expect(status).toBe(201);
});

test('a client that is still sending gets its 413', async () => {
  const { status } = await call({ method: 'POST', body: Buffer.alloc(30 * 1024 * 1024, 'x') });
  expect(status).toBe(413);
});

test('every answer has an Audit-Id: the client’s own if it can stand in a header', async () => {
  const ids = await Promise.all([
    call({ headers: { 'audit-id': 'my-id' } }),
    call({ headers: { 'audit-id': 'with space' } }),
    call({ headers: { 'audit-id': 'x'.repeat(300) } }),
    call({ path: '/%zz' }),
    call({ method: 'POST', body: Buffer.alloc(4_000_000) }),
  ]);
  expect(ids.map(({ headers }) => headers['audit-id'])).toEqual(['my-id', ...Array(4).fill('made-up-uid')]);
});

// Node sends no code above 599 over HTTP/2.
test('a code that a webhook made up is sent where that can be', async () => {
  const server = { port: listener.port, ca: ca.cert };
  const answers = await Promise.all([callHttp1(server, { path: '/odd' }), callHttp2(server, { path: '/odd' })]);
  expect(answers.map(({ status }) => status)).toEqual([701, 500]);
  for (const { body } of answers) expect(body).toMatchObject({ code: 701, message: 'odd' });
  const bytes = await callHttp1(server, { path: '/odd', headers: { accept: 'application/vnd.kubernetes.protobuf' } });
  expect(bytes.status).toBe(701);
});

test('a bug is logged', async () => {
  await call({ path: '/boom' });
  expect(log.at(-1)).toMatch(/^GET \/boom: Error: a bug\n/);
});

test('a handshake for a websocket gets a plain answer', async () => {
  const { status, headers } = await call({
    headers: { connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-key': 'x', 'sec-websocket-version': '13' },
  });
  expect({ status, upgrade: headers.upgrade }).toEqual({ status: 201, upgrade: undefined });
});

test('Content-Type is exactly application/json', async () => {
  expect((await call({})).headers['content-type']).toBe('application/json');
});

test('HEAD has headers and no body', async () => {
  const { status, headers, body } = await call({ method: 'HEAD', path: '/readyz' });
  expect({ status, length: headers['content-length'], body }).toEqual({ status: 200, length: '2', body: '' });
});

test('a connection serves one request after the other', async () => {
  const agent = new https.Agent({ keepAlive: true, maxSockets: 1, ca: ca.cert });
  const port = (): Promise<number | undefined> =>
    new Promise((resolve, reject) => {
      const request = https.get({ host: '127.0.0.1', port: listener.port, path: '/readyz', agent }, (response) => {
        response.resume().on('end', () => resolve(request.socket?.localPort));
      });
      request.on('error', reject);
    });
  const first = await port();
  expect(await port()).toBe(first);
  agent.destroy();
});

// Source: apiserver pkg/server/secure_serving.go: http2.initialMaxConcurrentStreams of clients
test('a connection over HTTP/2 has a hundred streams at once', async () => {
  const session = connectHttp2(`https://127.0.0.1:${listener.port}`, {
    ca: ca.cert,
    servername: 'kadmit',
    checkServerIdentity: () => undefined,
  });
  await once(session, 'remoteSettings');
  expect(session.remoteSettings.maxConcurrentStreams).toBe(100);
  session.destroy();
});

test('the signal of a request aborts when its client goes', async () => {
  const request = https.get({ host: '127.0.0.1', port: listener.port, path: '/slow', ca: ca.cert, agent: false });
  request.on('error', () => undefined);
  await vi.waitFor(() => expect(waiting).toBeDefined());
  expect(waiting?.aborted).toBe(false);
  request.destroy();
  await vi.waitFor(() => expect(waiting?.aborted).toBe(true));
});

test('a finished request does not abort', async () => {
  await call({ path: '/readyz' });
  expect(lastSignal?.aborted).toBe(false);
});

test('closing waits for a running request half a second, and not for idle connections', async () => {
  const other = await startListener({ ...options, handle: () => new Promise(() => undefined) });
  const agent = new https.Agent({ keepAlive: true, ca: ca.cert });
  const request = https.get({ host: '127.0.0.1', port: other.port, agent });
  const cut = new Promise((resolve) => request.on('error', resolve));
  await new Promise((resolve) => request.once('socket', (socket) => socket.once('secureConnect', resolve)));
  const before = performance.now();
  await other.close();
  await cut;
  expect(performance.now() - before).toBeLessThan(1000);
});

test('a request that comes while the server closes is answered like any other', async () => {
  const events = new EventEmitter();
  const started = once(events, 'started');
  const released = once(events, 'released');
  const other = await startListener({
    ...options,
    handle: async ({ path }) => {
      events.emit('started');
      if (path === '/first') await released;
      return { type: 'document', code: 200, contentType: 'text/plain', body: path };
    },
  });
  const socket = connectTls({ host: '127.0.0.1', port: other.port, ca: ca.cert });
  let received = '';
  socket.setEncoding('utf8').on('data', (text: string) => (received += text));
  socket.write('GET /first HTTP/1.1\r\nhost: x\r\n\r\n');
  await started;
  const closed = other.close();
  socket.write('GET /second HTTP/1.1\r\nhost: x\r\n\r\n');
  await sleep(50);
  events.emit('released');
  await closed;
  expect(received).not.toContain('Service Unavailable');
  expect(received).toContain('/first');
});

test('a port in use is an error', async () => {
  await expect(startListener({ ...options, port: listener.port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
});
