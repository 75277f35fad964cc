import type { RequestListener } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CallReply, ClientConfig } from '../../../src/apiserver/admission/webhooks/call.ts';
import type { KeyedCertificate } from '../../../src/adapters/certificates/issue-certificate.ts';
import { createWebhookClient, type WebhookClient } from '../../../src/adapters/webhook-client/webhook-client.ts';
import { parseMappings } from '../../harness/parse-mappings.ts';
import { base64, issueAuthority, issueServing, serverPark } from './servers.ts';

const park = serverPark();
const clients: WebhookClient[] = [];
let authority: KeyedCertificate;
let good: KeyedCertificate;

beforeAll(async () => {
  authority = await issueAuthority('good-ca');
  good = await issueServing(authority, ['127.0.0.1', 'hook.hooks.svc']);
});
afterAll(async () => {
  await Promise.all(clients.map((client) => client.close()));
  await park.close();
});

const answer: RequestListener = (_request, response) => {
  response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
};

function call(clientConfig: ClientConfig, ...maps: readonly string[]): Promise<CallReply> {
  const cluster = { get: () => undefined, list: () => [] };
  const client = createWebhookClient({ cluster, mappings: parseMappings(...maps) });
  clients.push(client);
  return client.call({ webhookName: 'w.example.com', clientConfig, body: '{"a":1}\n', timeoutMs: 10_000 });
}

const trusting = (url: string): ClientConfig => ({ url, caBundle: base64(authority.certificate) });

// Source: facts/response-http-301-*, response-http-307-* (what the stub saw), rule HTTP-11.
const redirects: readonly [fact: string, code: number, seen: readonly string[]][] = [
  ['301 turns into a GET without a body', 301, ['GET /elsewhere ']],
  ['303 turns into a GET without a body', 303, ['GET /elsewhere ']],
  ['307 posts the body again', 307, ['POST /elsewhere {"a":1}\n']],
  ['308 posts the body again', 308, ['POST /elsewhere {"a":1}\n']],
];

test.each(redirects)('%s', async (_fact, code, seen) => {
  const server = await park.https(good, (request, response) => {
    if (request.url === '/elsewhere') answer(request, response);
    else response.writeHead(code, { location: '/elsewhere' }).end();
  });
  expect(await call(trusting(`https://127.0.0.1:${server.port}/w`))).toMatchObject({ code: 200 });
  expect(server.seen.slice(1).map(({ method, url, body }) => `${method} ${url} ${body}`)).toEqual(seen);
});

test('ten redirects are enough', async () => {
  const server = await park.https(good, (_request, response) => void response.writeHead(307, { location: '/w' }).end());
  const reply = await call(trusting(`https://127.0.0.1:${server.port}/w`));
  // The Location header as written, as Go's net/http client.go Client.do prints it.
  expect(reply).toMatchObject({ phase: 'headers', error: 'Post "/w": stopped after 10 redirects' });
  expect(server.seen).toHaveLength(10);
});

// Source: Go's net/url url.go ResolveReference and net/http transport.go roundTrip.
test.each<[location: string, url: string, error: string]>([
  ['ftp://x.example.com/y', 'ftp://x.example.com/y', 'unsupported protocol scheme "ftp"'],
  ['mailto:x@example.com', 'mailto:x@example.com', 'unsupported protocol scheme "mailto"'],
  [
    'http://[::1',
    'https://127.0.0.1:PORT/w?timeout=10s',
    `failed to parse Location header "http://[::1": parse "http://[::1": missing ']' in host`,
  ],
  ['//127.0.0.1:1/a%41/?x=1', 'https://127.0.0.1:1/a%41/?x=1', 'dial tcp 127.0.0.1:1: connect: connection refused'],
])('a redirect to %s', async (location, url, error) => {
  const server = await park.https(good, (_request, response) => void response.writeHead(302, { location }).end());
  const reply = await call(trusting(`https://127.0.0.1:${server.port}/w`));
  const failed = `Post "${url.replace('PORT', String(server.port))}": ${error}`;
  expect(reply).toMatchObject({ outcome: 'failed', error: failed });
});

test.each<[location: string, seen: string]>([
  ['/w/', '/w/'],
  ['w//x/?y', '/w//x/?y'],
  ['?z=1', '/w?z=1'],
])('a redirect to %s is sent as %s', async (location, seen) => {
  const server = await park.https(good, (request, response) => {
    if (request.url === '/w?timeout=10s') response.writeHead(307, { location }).end();
    else answer(request, response);
  });
  expect(await call(trusting(`https://127.0.0.1:${server.port}/w`))).toMatchObject({ code: 200 });
  expect(server.seen.map(({ url }) => url)).toEqual(['/w?timeout=10s', seen]);
});

// Source: apiserver pkg/util/webhook/client.go, which resolves whatever connection goes to the Service's host and port.
test.each(['/elsewhere', 'https://hook.hooks.svc/elsewhere', 'https://hook.hooks.svc:443/elsewhere'])(
  'a redirect to %s reaches the same Service',
  async (location) => {
    const server = await park.https(good, (request, response) => {
      if (request.url === '/elsewhere') answer(request, response);
      else response.writeHead(307, { location }).end();
    });
    const service = { namespace: 'hooks', name: 'hook', path: '/w' };
    const config = { service, caBundle: base64(authority.certificate) };
    expect(await call(config, `hooks/hook=https://127.0.0.1:${server.port}`)).toMatchObject({ code: 200 });
  },
);
