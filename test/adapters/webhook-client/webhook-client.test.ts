import { gzipSync } from 'node:zlib';
import type { RequestListener, ServerResponse } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CallReply, ClientConfig } from '../../../src/apiserver/admission/webhooks/call.ts';
import type { ClusterView } from '../../../src/machinery/meta/cluster-view.ts';
import { maxResponseBytes } from '../../../src/adapters/webhook-client/send-request.ts';
import { parseMappings } from '../../harness/parse-mappings.ts';
import { createWebhookClient, type WebhookClient } from '../../../src/adapters/webhook-client/webhook-client.ts';
import type { KeyedCertificate } from '../../../src/adapters/certificates/issue-certificate.ts';
import { base64, issueAuthority, issueServing, serverPark, validFor } from './servers.ts';

const park = serverPark();
const emptyCluster: ClusterView = { get: () => undefined, list: () => [] };
const clients: WebhookClient[] = [];

let authority: KeyedCertificate;
let good: KeyedCertificate;

beforeAll(async () => {
  authority = await issueAuthority('good-ca');
  good = await issueServing(authority, ['127.0.0.1', 'localhost', 'hook.hooks.svc']);
});
afterAll(async () => {
  await Promise.all(clients.map((client) => client.close()));
  await park.close();
});

function client(...maps: readonly string[]): WebhookClient {
  const made = createWebhookClient({ cluster: emptyCluster, mappings: parseMappings(...maps) });
  clients.push(made);
  return made;
}

const answer: RequestListener = (_request, response) => {
  response.writeHead(200, { 'content-type': 'application/json' }).end('{"hello":"world"}');
};

interface Ask {
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
  readonly by?: WebhookClient;
  readonly body?: string;
}

const call = (
  clientConfig: ClientConfig,
  { by = client(), timeoutMs = 10_000, signal, body = '{"a":1}\n' }: Ask = {},
): Promise<CallReply> =>
  by.call({ webhookName: 'w.example.com', clientConfig, body, timeoutMs, ...(signal ? { signal } : {}) });

const trusting = (url: string, pair: KeyedCertificate = authority): ClientConfig => ({
  url,
  caBundle: base64(pair.certificate),
});

/** The failure with what differs from run to run replaced. */
function failureOf(reply: CallReply): readonly string[] {
  if (reply.outcome === 'answered') return ['answered', String(reply.code)];
  const error = reply.error
    .replaceAll(/127\.0\.0\.1:\d+->/g, '127.0.0.1:<local>->')
    .replaceAll(/127\.0\.0\.1:\d\d+/g, '127.0.0.1:<port>')
    .replaceAll(/(lookup \S+) on \S+:53/g, '$1 on <dns>')
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, '<time>');
  return [reply.phase, error];
}

const post = 'Post "https://127.0.0.1:<port>/w?timeout=10s": ';

// Source: the calls in the recorded conversations (facts/review-*), rules HTTP-1 to HTTP-4.
test('a url is posted to with the headers of kube-apiserver', async () => {
  const server = await park.https(good, answer);
  const reply = await call(trusting(`https://127.0.0.1:${server.port}//a/../w/`));
  expect(reply).toMatchObject({ outcome: 'answered', code: 200, contentType: 'application/json' });
  expect(reply.outcome === 'answered' && Buffer.from(reply.body).toString()).toBe('{"hello":"world"}');
  expect(server.seen).toEqual([
    {
      method: 'POST',
      url: '/w?timeout=10s',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, */*',
        'accept-encoding': 'gzip',
        'user-agent': 'kube-apiserver-admission',
        host: `127.0.0.1:${server.port}`,
        'content-length': '8',
      },
      body: '{"a":1}\n',
      version: '1.1',
    },
  ]);
});

test('a mapped service is called by its name and must identify itself as that', async () => {
  const server = await park.https(good, answer);
  const by = client(`hooks/hook:8443=https://127.0.0.1:${server.port}`);
  const clientConfig = {
    service: { namespace: 'hooks', name: 'hook', port: 8443, path: '/x' },
    caBundle: base64(authority.certificate),
  };
  expect(await call(clientConfig, { by })).toMatchObject({ code: 200 });
  expect(server.seen[0]).toMatchObject({ url: '/x?timeout=10s', headers: { host: 'hook.hooks.svc:8443' } });
});

test.each([
  ['', undefined, '/'],
  ['/base/', undefined, '/base/'],
  ['/base', undefined, '/base'],
  ['/base', '/x', '/base/x'],
  ['/base/', '/x', '/base/x'],
])('a service may be mapped to a plain local process at %j, with the path %j', async (base, path, asked) => {
  const server = await park.http(answer);
  const by = client(`hooks/hook=http://localhost:${server.port}${base}`);
  const service = { namespace: 'hooks', name: 'hook', ...(path === undefined ? {} : { path }) };
  expect(await call({ service }, { by })).toMatchObject({ code: 200 });
  expect(server.seen[0]).toMatchObject({ url: `${asked}?timeout=10s`, headers: { host: 'hook.hooks.svc:443' } });
});

test('a mapped one without a caBundle is trusted where --inject-ca is set, and the outcome says so', async () => {
  const server = await park.https(good, answer);
  const url = `https://127.0.0.1:${server.port}`;
  const by = createWebhookClient({
    cluster: emptyCluster,
    mappings: parseMappings(`hooks/hook=${url}`),
    trustMapped: true,
  });
  clients.push(by);
  const service = { namespace: 'hooks', name: 'hook' };
  expect(await call({ service }, { by })).toMatchObject({ code: 200, trustedAsMapped: true });
  expect(await call({ service }, { by: client(`hooks/hook=${url}`) })).toMatchObject({ phase: 'tls' });
  // A caBundle decides whom to trust, and so do the system's roots for a webhook that is not mapped.
  const other = base64((await issueAuthority('other')).certificate);
  expect(await call({ service, caBundle: other }, { by })).toMatchObject({ phase: 'tls' });
  expect(await call({ url: `${url}/w` }, { by })).toMatchObject({ phase: 'tls' });
});

test('the address of a mapping is reported with a response and with a failure', async () => {
  const server = await park.http(answer);
  const mappings = parseMappings();
  const by = createWebhookClient({ cluster: emptyCluster, mappings });
  clients.push(by);
  const config = { service: { namespace: 'hooks', name: 'hook' } };
  mappings.set({ from: 'hooks/hook', url: `http://127.0.0.1:${server.port}`, program: 'hook, start 2' });
  expect(await call(config, { by })).toMatchObject({ code: 200, program: 'hook, start 2' });
  mappings.set({ from: 'hooks/hook', url: 'http://127.0.0.1:1', program: 'hook, which ended' });
  expect(await call(config, { by })).toMatchObject({ phase: 'connect', program: 'hook, which ended' });
});

test('connections are kept, and a changed caBundle opens a new one', async () => {
  const server = await park.https(good, answer);
  const by = client();
  const config = trusting(`https://127.0.0.1:${server.port}/w`);
  await call(config, { by });
  await call({ ...config }, { by });
  expect(server.accepted()).toBe(1);
  await call({ ...config, caBundle: base64(`${authority.certificate}\n`) }, { by });
  expect(server.accepted()).toBe(2);
});

// Source: Go's net/http transport.go: shouldClose, readLoopPeekFailLocked; the hint is ours: Node's servers hang up after five seconds.
const notKept: readonly [fact: string, answer: RequestListener][] = [
  ['says that it closes', (_request, response) => void response.writeHead(200, { connection: 'close' }).end('{}')],
  [
    'keeps it for two seconds',
    (_request, response) => void response.writeHead(200, { 'keep-alive': 'timeout=2' }).end('{}'),
  ],
  [
    'sends more than it said',
    ({ socket }, response) =>
      void response.writeHead(200, { 'content-length': '2' }).end('{}', () => void socket.write('{}')),
  ],
  ['hangs up without a word', ({ socket }, response) => void response.end('{}', () => void socket.end())],
];

test.each(notKept)('a connection is not used again when the server %s', async (_fact, behave) => {
  const server = await park.https(good, behave);
  const by = client();
  const config = trusting(`https://127.0.0.1:${server.port}/w`);
  expect(await call(config, { by })).toMatchObject({ code: 200 });
  await expect.poll(server.open).toBe(0);
  expect(await call(config, { by })).toMatchObject({ code: 200 });
  expect(server.accepted()).toBe(2);
});

// Source: Go's net/http transport.go validateHeaders.
test('a header with a line feed is not sent', async () => {
  const server = await park.https(good, answer);
  const clientConfig = trusting(`https://127.0.0.1:${server.port}/w`);
  const headers = { authorization: 'Bearer a\nb' };
  const reply = await client().call({ webhookName: 'w', clientConfig, body: '{}', timeoutMs: 10_000, headers });
  expect(failureOf(reply)).toEqual(['headers', `${post}net/http: invalid header field value for "Authorization"`]);
  expect(server.seen).toEqual([]);
});

test('a body is sent in UTF-8, and as long as it is', async () => {
  const server = await park.https(good, answer);
  const clientConfig = trusting(`https://127.0.0.1:${server.port}/w`);
  await client().call({ webhookName: 'w', clientConfig, body: '{"a":"ä€𝄞"}', timeoutMs: 10_000 });
  expect(server.seen).toMatchObject([{ body: '{"a":"ä€𝄞"}', headers: { 'content-length': '17' } }]);
});

test('a server on loopback may choose HTTP/2, one behind a service may not', async () => {
  const server = await park.http2(good, answer);
  await call(trusting(`https://127.0.0.1:${server.port}/w`));
  const by = client(`hooks/hook=https://127.0.0.1:${server.port}`);
  const service = { namespace: 'hooks', name: 'hook' };
  await call({ service, caBundle: base64(authority.certificate) }, { by });
  expect(server.seen.map(({ version, body }) => [version, body])).toEqual([
    ['2.0', '{"a":1}\n'],
    ['1.1', '{"a":1}\n'],
  ]);
});

// Source: kubernetes test/integration/apiserver/admissionwebhook/load_balance_test.go.
test('ten calls at once share a connection that speaks HTTP/2, and one that is given up does not end the others', async () => {
  const held: (() => void)[] = [];
  const server = await park.http2(good, (request, response) => {
    if (request.url === '/w?timeout=10s') answer(request, response);
    else if (request.url === '/held?timeout=10s') held.push(() => answer(request, response));
  });
  const by = client();
  const config = (path: string) => trusting(`https://127.0.0.1:${server.port}${path}`);
  await call(config('/w'), { by });
  const calls = Array.from({ length: 10 }, () => call(config('/held'), { by }));
  const leaving = new AbortController();
  const left = call(config('/hangs'), { by, signal: leaving.signal });
  await expect.poll(() => server.seen.length).toBe(12);
  leaving.abort();
  expect(failureOf(await left)[0]).toBe('canceled');
  for (const release of held) release();
  expect((await Promise.all(calls)).map((reply) => reply.outcome === 'answered' && reply.code)).toEqual(
    Array.from({ length: 10 }, () => 200),
  );
  expect(server.accepted()).toBe(1);
});

test('a call that is over before its stream begins does not end those that share its connection', async () => {
  const held: (() => void)[] = [];
  const server = await park.http2(good, (request, response) => {
    if (request.url === '/w?timeout=10s') answer(request, response);
    else held.push(() => answer(request, response));
  });
  const by = client();
  const config = (path: string) => trusting(`https://127.0.0.1:${server.port}${path}`);
  await call(config('/w'), { by });
  const calls = Array.from({ length: 100 }, () => call(config('/held'), { by }));
  await expect.poll(() => held.length).toBe(100);
  const leaving = new AbortController();
  const left = call(config('/late'), { by, signal: leaving.signal });
  leaving.abort();
  expect(failureOf(await left)[0]).toBe('canceled');
  await new Promise(setImmediate);
  for (const release of held) release();
  expect((await Promise.all(calls)).filter(({ outcome }) => outcome === 'answered')).toHaveLength(100);
  await call(config('/w'), { by });
  expect(server.seen.filter(({ url }) => url.startsWith('/late'))).toEqual([]);
  expect(server.accepted()).toBe(1);
});

// Source: net/http transport.go persistConn.wroteRequest, which waits 50 ms.
test('a server that answers before it has read the request is not asked again on that connection', async () => {
  const server = await park.tls(good, (socket) => {
    socket.once('data', () => {
      socket.pause();
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}');
    });
  });
  const by = client();
  const config = trusting(`https://127.0.0.1:${server.port}/w`);
  const body = ' '.repeat(32 * 1024 * 1024);
  expect((await call(config, { by, body })).outcome).toBe('answered');
  expect((await call(config, { by })).outcome).toBe('answered');
  expect(server.accepted()).toBe(2);
});

test('sixteen at once, again and again, shake hands sixteen times', async () => {
  const answers = [
    answer,
    (_request, response) => void response.writeHead(200, { 'content-length': 2 }).end('{}'),
    (_request, response) => {
      response.writeHead(200).write('{');
      setImmediate(() => response.end('}'));
    },
  ] satisfies readonly RequestListener[];
  const server = await park.https(good, (request, response) =>
    answers[server.seen.length % answers.length]?.(request, response),
  );
  const by = client();
  const config = trusting(`https://127.0.0.1:${server.port}/w`);
  const again = async (): Promise<void> => {
    for (let count = 0; count < 60; count += 1) expect((await call(config, { by })).outcome).toBe('answered');
  };
  await Promise.all(Array.from({ length: 16 }, again));
  expect(server.seen).toHaveLength(960);
  expect(server.accepted()).toBe(16);
});

test('what forty calls at once needed is there for the next forty', async () => {
  const held: (() => void)[] = [];
  const server = await park.https(good, (request, response) => {
    held.push(() => answer(request, response));
    if (held.length === 40) for (const release of held.splice(0)) release();
  });
  const by = client();
  for (let turn = 0; turn < 2; turn += 1) {
    await Promise.all(Array.from({ length: 40 }, () => call(trusting(`https://127.0.0.1:${server.port}/w`), { by })));
  }
  expect(server.accepted()).toBe(40);
});

test('a gzipped answer is unpacked', async () => {
  const server = await park.https(good, (_request, response) => {
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('packed'));
  });
  const reply = await call(trusting(`https://127.0.0.1:${server.port}/w`));
  expect(reply.outcome === 'answered' && Buffer.from(reply.body).toString()).toBe('packed');
});

// Source: rule HTTP-12.
const retries: readonly [fact: string, code: number, retryAfter: string | undefined, calls: number][] = [
  ['503 with Retry-After is sent again', 503, '0', 2],
  ['429 with Retry-After is sent again', 429, '0', 2],
  ['503 without Retry-After is final', 503, undefined, 1],
  ['a Retry-After that is a date is not understood', 503, 'Wed, 21 Oct 2015 07:28:00 GMT', 1],
  ['404 is final', 404, '0', 1],
];

test.each(retries)('%s', async (_fact, code, retryAfter, calls) => {
  let asked = 0;
  const server = await park.https(good, (request, response) => {
    asked += 1;
    if (asked > 1) answer(request, response);
    else response.writeHead(code, retryAfter === undefined ? {} : { 'retry-after': retryAfter }).end();
  });
  const reply = await call(trusting(`https://127.0.0.1:${server.port}/w`));
  expect([asked, reply.outcome === 'answered' && reply.code]).toEqual([calls, calls === 1 ? code : 200]);
});

test('every HTTP request of a call is reported', async () => {
  const server = await park.https(good, (request, response) => {
    const seen = server.seen.length;
    if (seen === 1) response.writeHead(503, { 'retry-after': '0' }).end();
    else if (seen === 2) response.writeHead(302, { location: '/login' }).end();
    else answer(request, response);
  });
  const origin = `https://127.0.0.1:${server.port}`;
  const reply = await call(trusting(`${origin}/w`));
  expect(reply.exchanges).toEqual([
    { method: 'POST', url: `${origin}/w?timeout=10s`, code: 503, retryAfter: 0 },
    { method: 'POST', url: `${origin}/w?timeout=10s`, code: 302, location: '/login' },
    { method: 'GET', url: `${origin}/login`, code: 200 },
  ]);
  expect(await call(trusting(`${origin}/w`))).not.toHaveProperty('exchanges');
});

// Source: facts/failure-*, rules FAIL-3, FAIL-4, HTTP-9.
const unreachable: readonly [fact: string, config: ClientConfig, phase: string, error: string][] = [
  [
    'no listener',
    { url: 'https://127.0.0.1:1/w' },
    'connect',
    'Post "https://127.0.0.1:1/w?timeout=10s": dial tcp 127.0.0.1:1: connect: connection refused',
  ],
  [
    'no listener on an IPv6 address',
    { url: 'https://[::1]:1/w' },
    'connect',
    'Post "https://[::1]:1/w?timeout=10s": dial tcp [::1]:1: connect: connection refused',
  ],
  [
    'the name does not exist',
    { url: 'https://no-such-host.invalid/w' },
    'resolve',
    'Post "https://no-such-host.invalid/w?timeout=10s": dial tcp: lookup no-such-host.invalid on <dns>: no such host',
  ],
  [
    'the service does not exist',
    { service: { namespace: 'ns', name: 'nothere', path: '/w' } },
    'resolve',
    'Post "https://nothere.ns.svc:443/w?timeout=10s": service "nothere" not found',
  ],
  [
    'a port is too large',
    { url: 'https://127.0.0.1:70000/w' },
    'connect',
    'Post "https://127.0.0.1:<port>/w?timeout=10s": dial tcp: address 70000: invalid port',
  ],
  [
    'the caBundle is no PEM',
    { url: 'https://127.0.0.1:1/w', caBundle: base64('garbage') },
    'client',
    'unable to load root certificates: unable to parse bytes as PEM block',
  ],
  [
    'the caBundle holds a broken certificate',
    {
      url: 'https://127.0.0.1:1/w',
      caBundle: base64('-----BEGIN CERTIFICATE-----\naGVsbG8=\n-----END CERTIFICATE-----\n'),
    },
    'client',
    'unable to load root certificates: failed to parse certificate: x509: malformed certificate',
  ],
  [
    'neither url nor service',
    {},
    'client',
    'failed calling webhook "w.example.com": webhook configuration must have either service or URL',
  ],
];

test.each(unreachable)('%s', async (_fact, config, phase, error) => {
  expect(failureOf(await call(config))).toEqual([phase, error]);
});

const verify = `${post}tls: failed to verify certificate: x509: `;

// Source: Go's crypto/x509 verify.go; facts/failure-untrusted-ca-*, failure-no-ca-bundle-*.
const certificates: readonly [
  fact: string,
  make: () => Promise<[KeyedCertificate, ClientConfig['caBundle']]>,
  error: string,
][] = [
  ['no caBundle', async () => [good, undefined], 'certificate signed by unknown authority'],
  [
    'another authority',
    async () => {
      const other = await issueAuthority('other-ca');
      return [await issueServing(other, ['127.0.0.1']), base64(authority.certificate)];
    },
    'certificate signed by unknown authority',
  ],
  [
    'an authority made again under the same name',
    async () => [good, base64((await issueAuthority('good-ca')).certificate)],
    'certificate signed by unknown authority (possibly because of "x509: ECDSA verification failure" while trying to verify candidate authority certificate "good-ca")',
  ],
  [
    'other names',
    async () => [await issueServing(authority, ['elsewhere.example.com', '10.0.0.1']), base64(authority.certificate)],
    'certificate is valid for 10.0.0.1, not 127.0.0.1',
  ],
  [
    'no addresses',
    async () => [await issueServing(authority, ['elsewhere.example.com']), base64(authority.certificate)],
    "cannot validate certificate for 127.0.0.1 because it doesn't contain any IP SANs",
  ],
  [
    'an expired certificate',
    async () => [await issueServing(authority, ['127.0.0.1'], validFor(-5, -1)), base64(authority.certificate)],
    'certificate has expired or is not yet valid: current time <time> is after <time>',
  ],
  [
    'a certificate of tomorrow',
    async () => [await issueServing(authority, ['127.0.0.1'], validFor(1, 2)), base64(authority.certificate)],
    'certificate has expired or is not yet valid: current time <time> is before <time>',
  ],
  [
    'an expired authority',
    async () => {
      const old = await issueAuthority('old-ca', validFor(-5, -1));
      return [await issueServing(old, ['127.0.0.1']), base64(old.certificate)];
    },
    'certificate has expired or is not yet valid: current time <time> is after <time>',
  ],
  [
    'a certificate for clients',
    async () => [await issueServing(authority, ['127.0.0.1'], { purpose: 'client' }), base64(authority.certificate)],
    'certificate specifies an incompatible key usage',
  ],
];

test.each(certificates)('%s is refused', async (_fact, make, error) => {
  const [pair, caBundle] = await make();
  const server = await park.https(pair, answer);
  const reply = await call({
    url: `https://127.0.0.1:${server.port}/w`,
    ...(caBundle === undefined ? {} : { caBundle }),
  });
  expect(failureOf(reply)).toEqual(['tls', `${verify}${error}`]);
});

// Ours: what the explanation shows beside the error.
test('a refused certificate is reported with what it says', async () => {
  const server = await park.https(await issueServing(authority, ['hook.example.com', '10.0.0.1']), answer);
  const reply = await call({
    url: `https://127.0.0.1:${server.port}/w`,
    caBundle: base64(authority.certificate),
  });
  expect(reply).toMatchObject({
    certificate: { names: ['hook.example.com', '10.0.0.1'], serverName: '127.0.0.1' },
  });
});

// Source: Go's crypto/x509 verify.go HostnameError, for names instead of addresses.
const serviceNames: readonly [fact: string, names: readonly string[], commonName: string, error: string][] = [
  ['other names', ['a.example.com', 'b'], 'hook', 'certificate is valid for a.example.com, b, not hook.hooks.svc'],
  [
    'only addresses',
    ['127.0.0.1'],
    'hook',
    'certificate is not valid for any names, but wanted to match hook.hooks.svc',
  ],
  [
    'the name only as common name',
    [],
    'hook.hooks.svc',
    'certificate relies on legacy Common Name field, use SANs instead',
  ],
];

test.each(serviceNames)('a service whose certificate has %s is refused', async (_fact, names, commonName, error) => {
  const server = await park.https(await issueServing(authority, names, { commonName }), answer);
  const by = client(`hooks/hook=https://127.0.0.1:${server.port}`);
  const service = { namespace: 'hooks', name: 'hook', path: '/w' };
  const reply = await call({ service, caBundle: base64(authority.certificate) }, { by });
  const text = `Post "https://hook.hooks.svc:443/w?timeout=10s": tls: failed to verify certificate: x509: ${error}`;
  expect(failureOf(reply)).toEqual(['tls', text]);
});

test('the leaf itself may stand in the caBundle', async () => {
  const server = await park.https(good, answer);
  expect(await call(trusting(`https://127.0.0.1:${server.port}/w`, good))).toMatchObject({ code: 200 });
});

test('a plain server is recognised', async () => {
  const server = await park.http(answer);
  const reply = await call(trusting(`https://127.0.0.1:${server.port}/w`));
  expect(failureOf(reply)).toEqual(['tls', `${post}http: server gave HTTP response to HTTPS client`]);
});

const tooLong =
  'unexpected error when reading response body. Please retry. Original error: the answer is longer than 8388608 bytes, the most that kadmit reads';
const packed = gzipSync(Buffer.alloc(100_000_000));

/** Sends as long as anybody reads. */
function endless(response: ServerResponse): void {
  const chunk = Buffer.alloc(65_536, '{');
  const more = (): void => void (response.destroyed || response.write(chunk, more));
  response.writeHead(200);
  more();
}

// Source: facts/failure-reset-*; Go's net/http transport.go.
const broken: readonly [fact: string, answer: RequestListener, phase: string, error: string][] = [
  ['hangs up instead of answering', (request) => void request.socket.destroy(), 'headers', `${post}EOF`],
  [
    'hangs up in the middle of the body',
    (_request, response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('{"half":', () => response.socket?.destroy());
    },
    'body',
    'unexpected error when reading response body. Please retry. Original error: unexpected EOF',
  ],
  [
    'answers with bytes that are no HTTP',
    (request) => void request.socket.end('hello\r\nthere\r\n\r\n'),
    'headers',
    `${post}net/http: HTTP/1.x transport connection broken: malformed HTTP response "hello"`,
  ],
  ['answers without end', (_request, response) => endless(response), 'body', tooLong],
  [
    'answers with a byte too many',
    (_request, response) => void response.writeHead(200).end(Buffer.alloc(maxResponseBytes + 1)),
    'body',
    tooLong,
  ],
  [
    'packs far more than it sends',
    (_request, response) => void response.writeHead(200, { 'content-encoding': 'gzip' }).end(packed),
    'body',
    tooLong,
  ],
];

test.each(broken)('a server that %s', async (_fact, behave, phase, error) => {
  const server = await park.https(good, behave);
  expect(failureOf(await call(trusting(`https://127.0.0.1:${server.port}/w`)))).toEqual([phase, error]);
  expect(server.seen).toHaveLength(1);
});

test('a server that hangs up during the handshake', async () => {
  const server = await park.tcp((socket) => void socket.once('data', () => socket.end()));
  const reply = await call(trusting(`https://127.0.0.1:${server.port}/w`));
  expect(failureOf(reply)).toEqual(['tls', `${post}EOF`]);
});

test('a server that resets during the handshake', async () => {
  const server = await park.tcp((socket) => void socket.once('data', () => socket.resetAndDestroy()));
  const reply = await call(trusting(`https://127.0.0.1:${server.port}/w`));
  const text = 'read tcp 127.0.0.1:<local>->127.0.0.1:<port>: read: connection reset by peer';
  expect(failureOf(reply)).toEqual(['tls', `${post}${text}`]);
});

// Source: Go's compress/gzip gunzip.go readHeader, Read; compress/flate.
const plain = gzipSync('packed');
const withByte = (at: number, change: number): Buffer => {
  const bytes = Buffer.from(plain);
  const place = at < 0 ? bytes.length + at : at;
  bytes[place] = (bytes[place] ?? 0) ^ change;
  return bytes;
};
const gzipped: readonly [fact: string, body: Buffer, result: string][] = [
  ['a whole file', plain, 'packed'],
  ['two files, one after the other', Buffer.concat([plain, plain]), 'packedpacked'],
  ['nothing', Buffer.alloc(0), ''],
  ['less than a header', Buffer.from('ab'), 'unexpected EOF'],
  ['plain text', Buffer.from('{"a":"plain text"}'), 'gzip: invalid header'],
  ['another method', withByte(2, 1), 'gzip: invalid header'],
  ['a header that stops short', plain.subarray(0, 9), 'unexpected EOF'],
  ['data that stop short', plain.subarray(0, 14), 'unexpected EOF'],
  ['a trailer that stops short', plain.subarray(0, -1), 'unexpected EOF'],
  ['followed by a few zero bytes', Buffer.concat([plain, Buffer.alloc(9)]), 'unexpected EOF'],
  ['followed by many zero bytes', Buffer.concat([plain, Buffer.alloc(10)]), 'gzip: invalid header'],
  ['followed by text', Buffer.concat([plain, Buffer.from('plain text')]), 'gzip: invalid header'],
  ['another checksum', withByte(-8, 1), 'gzip: invalid checksum'],
  ['another length', withByte(-1, 1), 'gzip: invalid checksum'],
];

test.each(gzipped)('a gzipped body that is %s', async (_fact, body, result) => {
  const server = await park.https(good, (_request, response) => {
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(body);
  });
  const reply = await call(trusting(`https://127.0.0.1:${server.port}/w`));
  const read = reply.outcome === 'answered' ? Buffer.from(reply.body).toString() : reply.error;
  expect(read.replace('unexpected error when reading response body. Please retry. Original error: ', '')).toBe(result);
});

const ok = 'HTTP/1.1 200 OK\r\n';
const chunked = `${ok}Transfer-Encoding: chunked\r\n\r\n`;
const inTransport = (text: string): string => `headers: net/http: HTTP/1.x transport connection broken: ${text}`;

// Source: Go's net/http response.go ReadResponse, transfer.go readTransfer, internal/chunked.go; net/textproto reader.go.
const responses: readonly [fact: string, text: string, result: string][] = [
  ['a counted body', `${ok}Content-Length: 2\r\n\r\n{}`, '200 {}'],
  ['no body', `${ok}content-length: 0\r\n\r\n`, '200 '],
  ['a body as long as the connection', `${ok}\r\n{"a":1}`, '200 {"a":1}'],
  ['HTTP/1.0', 'HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\n{}', '200 {}'],
  ['no reason', 'HTTP/1.1 204\x20\r\n\r\n', '204 '],
  ['early hints first', `HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n${ok}Content-Length: 2\r\n\r\n{}`, '200 {}'],
  ['chunks', `${ok}Transfer-Encoding: Chunked\r\n\r\n1;x=y\r\n{\r\n1\r\n}\r\n0\r\n\r\n`, '200 {}'],
  ['chunks and a trailer', `${chunked}2\r\n{}\r\n0\r\nA: b\r\n\r\n`, '200 {}'],
  ['nothing', '', 'headers: EOF'],
  ['half a head', 'HTTP/1.1 200 OK\r\nContent-', inTransport('unexpected EOF')],
  ['words', 'hello\r\n', inTransport('malformed HTTP response "hello"')],
  ['a greeting of another protocol', 'SSH-2.0-Go\r\n', inTransport('malformed HTTP response "SSH-2.0-Go"')],
  ['a word and more', 'hello there\r\n', inTransport('malformed HTTP status code "there"')],
  ['a name with a bracket', `${ok}a[]: b\r\n\r\n`, inTransport('malformed MIME header line')],
  ['a length that is none', `${ok}Content-Length: -1\r\n\r\n`, inTransport('bad Content-Length "-1"')],
  ['an empty length', `${ok}Content-Length:\r\n\r\n`, inTransport('invalid empty Content-Length ""')],
  [
    'a head without end',
    `${ok}a: ${'x'.repeat(256 * 1024)}`,
    'headers: net/http: server response headers exceeded 262144 bytes; aborted',
  ],
  ['a body that stops short', `${ok}Content-Length: 9\r\n\r\n{}`, 'body: unexpected EOF'],
  ['chunks that stop short', `${chunked}2\r\n{`, 'body: unexpected EOF'],
  ['a size that is none', `${chunked}2g\r\n`, 'body: invalid byte in chunk length'],
  ['a size of 17 digits', `${chunked}${'1'.repeat(17)}\r\n`, 'body: http chunk length too large'],
  ['a return in a size', `${chunked}2\r;\r\n`, 'body: invalid CR in chunked line'],
  ['a chunk that goes on', `${chunked}2\r\n{}}\r\n`, 'body: malformed chunked encoding'],
];

test.each(responses)('a server that sends %s', async (_fact, text, result) => {
  const server = await park.tls(good, (socket) => void socket.once('data', () => socket.end(text, 'latin1')));
  const reply = await call(trusting(`https://127.0.0.1:${server.port}/w`));
  const read =
    reply.outcome === 'answered'
      ? `${reply.code} ${Buffer.from(reply.body).toString('latin1')}`
      : `${reply.phase}: ${reply.error.replace(/^(Post "[^"]*": |unexpected error when .*Original error: )/, '')}`;
  expect(read).toBe(result);
});

const endsSoon = async (open: () => number): Promise<number> => {
  for (let tries = 0; tries < 100 && open() > 0; tries += 1) await new Promise((resolve) => setTimeout(resolve, 10));
  return open();
};

const exceeded = 'Post "https://127.0.0.1:<port>/w?timeout=1s": context deadline exceeded';

// Source: facts/failure-timeout-*, failure-tcp-hang-*.
test('a server that never answers is given up, and its connection ended', async () => {
  const server = await park.https(good, (request, response) => {
    if (server.seen.length === 1) answer(request, response);
  });
  const by = client();
  const config = trusting(`https://127.0.0.1:${server.port}/w`);
  // On a busy machine a handshake alone may take as long.
  await call(config, { by });
  const reply = await call(config, { by, timeoutMs: 60 });
  expect(failureOf(reply)).toEqual(['timeout', exceeded]);
  expect(reply).not.toHaveProperty('cause');
  expect(await endsSoon(server.open)).toBe(0);
});

test('a server that never shakes hands is given up, and its connection ended', async () => {
  const server = await park.tcp((socket) => void socket.resume());
  const reply = await call(trusting(`https://127.0.0.1:${server.port}/w`), { timeoutMs: 60 });
  expect(failureOf(reply)).toEqual(['timeout', exceeded]);
  // kube-apiserver says no more than that: cert-manager gives its webhook 30 s for another text (cert-manager values.yaml).
  expect(reply).toMatchObject({ cause: { because: 'late-handshake' } });
  expect(await endsSoon(server.open)).toBe(0);
});

test('a body that never ends is given up', async () => {
  const server = await park.https(good, (_request, response) => void response.writeHead(200).write('{'));
  const reply = await call(trusting(`https://127.0.0.1:${server.port}/w`), { timeoutMs: 500 });
  const text = 'unexpected error when reading response body. Please retry. Original error: context deadline exceeded';
  expect(failureOf(reply)).toEqual(['timeout', text]);
  expect(await endsSoon(server.open)).toBe(0);
});

test('the longest answer is read, and a body that drips without end is given up', async () => {
  const long = await park.https(
    good,
    (_request, response) => void response.writeHead(200).end(Buffer.alloc(maxResponseBytes)),
  );
  const reply = await call(trusting(`https://127.0.0.1:${long.port}/w`));
  expect(reply.outcome === 'answered' && reply.body.length).toBe(maxResponseBytes);
  const server = await park.https(good, (_request, response) => {
    const drip = setInterval(() => response.write('{'), 1);
    response.on('close', () => clearInterval(drip));
  });
  expect((await call(trusting(`https://127.0.0.1:${server.port}/w`), { timeoutMs: 60 })).outcome).toBe('failed');
  expect(await endsSoon(server.open)).toBe(0);
});

test('waiting for a retry does not outlast the call', async () => {
  const server = await park.https(
    good,
    (_request, response) => void response.writeHead(503, { 'retry-after': '60' }).end(),
  );
  const reply = await call(trusting(`https://127.0.0.1:${server.port}/w`), { timeoutMs: 60 });
  expect(failureOf(reply)).toEqual(['timeout', exceeded]);
});

test('a client that goes ends the call', async () => {
  const server = await park.https(good, () => undefined);
  const controller = new AbortController();
  setTimeout(() => controller.abort(), 40);
  const reply = await call(trusting(`https://127.0.0.1:${server.port}/w`), { signal: controller.signal });
  expect(failureOf(reply)).toEqual(['canceled', `${post}context canceled`]);
  expect(await endsSoon(server.open)).toBe(0);
});

test('a hundred calls at once, one slow, leave nothing behind', async () => {
  const server = await park.https(good, (request, response) => {
    if (request.url?.startsWith('/slow') !== true) answer(request, response);
  });
  const by = client();
  const config = trusting(`https://127.0.0.1:${server.port}/w`);
  const slow = call(trusting(`https://127.0.0.1:${server.port}/slow`), { by, timeoutMs: 100 });
  const replies = await Promise.all(Array.from({ length: 100 }, () => call(config, { by })));
  expect(replies.every((reply) => reply.outcome === 'answered')).toBe(true);
  expect((await slow).outcome).toBe('failed');
  await by.close();
  expect(await endsSoon(server.open)).toBe(0);
});
