import { connect as connectHttp2 } from 'node:http2';
import https from 'node:https';
import type { IncomingHttpHeaders } from 'node:http';
import { connect as connectTls } from 'node:tls';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startListener } from '../../src/http/listener.ts';
import type { Listener } from '../../src/http/listener.ts';
import type { ApiRequest, ApiResponse } from '../../src/request/api-request.ts';
import { createTestCa } from './certificates.ts';
import type { Issued } from './certificates.ts';

// What the pipeline would answer, by path; /echo tells what it was given.
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
  '/boom': () => {
    throw new Error('a bug');
  },
};

let listener: Listener;
let ca: Awaited<ReturnType<typeof createTestCa>>;
let alice: Issued;
const log: string[] = [];

beforeAll(async () => {
  ca = await createTestCa();
  const [serving, user] = await Promise.all([ca.issue('CN=kadmit'), ca.issue('CN=alice, O=dev, O=ops')]);
  alice = user;
  listener = await startListener({
    host: '127.0.0.1',
    port: 0,
    tls: { ...serving, clientCas: [ca.cert] },
    now: () => 0,
    newUid: () => 'made-up-uid',
    logError: (line) => log.push(line),
    handle: async (request) =>
      answers[request.path]?.(request) ?? {
        type: 'document',
        code: 404,
        contentType: 'text/plain',
        body: request.path,
      },
  });
});
afterAll(() => listener.close());

const asJson = (value: string | readonly string[] | undefined): string | readonly string[] | null => value ?? null;

interface Answer {
  readonly status: number | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: unknown;
}

interface Call {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string | string[]>>;
  readonly body?: string | Buffer;
  readonly client?: Issued;
}

function call({ method = 'GET', path = '/echo', headers = {}, body, client }: Call): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
    const request = https.request(
      {
        host: '127.0.0.1',
        port: listener.port,
        method,
        path,
        headers: { ...headers, ...length },
        ca: ca.cert,
        agent: false,
        ...client,
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () =>
          resolve({
            status: response.statusCode,
            headers: response.headers,
            body: parsed(Buffer.concat(chunks).toString()),
          }),
        );
      },
    );
    request.on('error', reject);
    request.end(body);
  });
}

function callHttp2({ method = 'GET', path = '/echo', headers = {}, body, client }: Call): Promise<Answer> {
  const session = connectHttp2(`https://127.0.0.1:${listener.port}`, { ca: ca.cert, ...client });
  return new Promise<Answer>((resolve, reject) => {
    session.on('error', reject);
    const stream = session.request({ ':method': method, ':path': path, ...headers }, { endStream: body === undefined });
    let text = '';
    let answer: IncomingHttpHeaders & { ':status'?: number | undefined } = {};
    stream.on('response', (received) => {
      answer = received;
    });
    stream.setEncoding('utf8');
    stream.on('data', (chunk: string) => (text += chunk));
    stream.on('end', () => resolve({ status: answer[':status'], headers: answer, body: parsed(text) }));
    stream.on('error', reject);
    if (body !== undefined) stream.end(body);
  }).finally(() => session.close());
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Writes bytes after the TLS handshake and reads until the server hangs up. */
function callRaw(bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connectTls({ host: '127.0.0.1', port: listener.port, ca: ca.cert }, () => socket.write(bytes));
    let text = '';
    socket.setEncoding('utf8');
    socket.on('data', (chunk: string) => (text += chunk));
    socket.on('end', () => resolve(text));
    socket.on('error', reject);
  });
}

const failed = (code: number, reason: string, message: string): object => ({
  status: 'Failure',
  code,
  reason,
  message,
});

const protocols = [
  ['HTTP/1.1', call],
  ['HTTP/2', callHttp2],
] as const;

const facts: readonly [fact: string, call: Call, status: number, body: unknown][] = [
  ['a document is sent as it is', { path: '/readyz' }, 200, 'ok'],
  ['the query is not part of the path', { path: '/echo?a=1&b=%20' }, 201, { path: '/echo', query: 'a=1&b=+' }],
  ['a path is percent-decoded', { path: '/%65cho' }, 201, { path: '/echo' }],
  ['slashes are kept', { path: '//a//b/' }, 404, '//a//b/'],
  ['a broken escape is a 400', { path: '/%zz' }, 400, failed(400, 'BadRequest', 'invalid URL escape in "/%zz"')],
  [
    'a body reaches the pipeline as bytes',
    { method: 'POST', body: '{"a":1}', headers: { 'content-type': 'application/json' } },
    201,
    { body: '{"a":1}' },
  ],
  ['a body needs no Content-Type', { method: 'PUT', body: '{}' }, 201, { body: '{}' }],
  [
    'a Content-Type nobody knows is the pipeline’s to refuse',
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
    expect(await send(request)).toMatchObject({ status, body });
  });

  test('a verified client certificate names its bearer', async () => {
    const { body } = await send({ client: alice });
    expect(body).toMatchObject({ certificate: { commonName: 'alice', organizations: ['dev', 'ops'] } });
  });

  test('a certificate of another CA counts as none', async () => {
    const stranger = await (await createTestCa()).issue('CN=alice, O=dev');
    const { body } = await send({ client: stranger });
    expect(body).toMatchObject({ certificate: null });
  });
});

// What Node cannot read never reaches the handler.
const broken: readonly [fact: string, bytes: string, answer: RegExp][] = [
  ['no HTTP', 'hello\r\n\r\n', /^HTTP\/1\.1 400 .*"kind":"Status".*"reason":"BadRequest"/s],
  [
    'a header beyond a mebibyte',
    `GET / HTTP/1.1\r\nx: ${'x'.repeat(1_100_000)}\r\n\r\n`,
    /^HTTP\/1\.1 431 .*"kind":"Status"/s,
  ],
];

test.each(broken)('%s is answered with a Status', async (_fact, bytes, answer) => {
  expect(await callRaw(bytes)).toMatch(answer);
});
