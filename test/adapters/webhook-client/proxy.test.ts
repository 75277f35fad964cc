import { connect, type Socket } from 'node:net';
import { createSecureContext } from 'node:tls';
import { afterAll, expect, test } from 'vitest';
import { WebhookCallError } from '../../../src/adapters/webhook-client/call-failure.ts';
import { createDialler } from '../../../src/adapters/webhook-client/dial.ts';
import { proxyFor } from '../../../src/adapters/webhook-client/proxy.ts';
import { issueAuthority, issueServing, serverPark } from './servers.ts';

const park = serverPark();
afterAll(() => park.close());

// Source: golang.org/x/net/http/httpproxy proxy_test.go.
const choices: readonly [host: string, environment: Readonly<Record<string, string>>, proxy: string | undefined][] = [
  ['example.com', {}, undefined],
  ['example.com', { HTTPS_PROXY: 'http://p:3128' }, 'http://p:3128/'],
  ['example.com', { https_proxy: 'p:3128' }, 'http://p:3128/'],
  ['localhost', { HTTPS_PROXY: 'p' }, undefined],
  ['127.0.0.2', { HTTPS_PROXY: 'p' }, undefined],
  ['example.com', { HTTPS_PROXY: 'p', NO_PROXY: '*' }, undefined],
  ['example.com', { HTTPS_PROXY: 'p', NO_PROXY: 'other, example.com' }, undefined],
  ['a.example.com', { HTTPS_PROXY: 'p', NO_PROXY: 'example.com' }, undefined],
  ['notexample.com', { HTTPS_PROXY: 'p', NO_PROXY: 'example.com' }, 'http://p/'],
  ['example.com', { HTTPS_PROXY: 'p', NO_PROXY: '.example.com' }, 'http://p/'],
  ['example.com', { HTTPS_PROXY: 'p', NO_PROXY: 'example.com:80' }, 'http://p/'],
  ['10.1.2.3', { HTTPS_PROXY: 'p', NO_PROXY: '10.0.0.0/8' }, undefined],
  ['11.1.2.3', { HTTPS_PROXY: 'p', no_proxy: '10.0.0.0/8,10.0.0.0/99,x/8' }, 'http://p/'],
  ['fd00::1', { HTTPS_PROXY: 'p', NO_PROXY: 'fd00::1' }, undefined],
];

test.each(choices)('%s with %j goes through %s', (host, environment, proxy) => {
  expect(proxyFor(host, 443, environment)?.href).toBe(proxy);
});

const dial = (proxy: URL, port: number): Promise<Socket> =>
  createDialler({ host: '127.0.0.1', port, proxy, tls: undefined }).dial();

test('a tunnel is asked for, and what follows goes through it', async () => {
  const target = await park.tcp((socket) => void socket.on('data', (chunk) => socket.write(`echo ${String(chunk)}`)));
  let asked = '';
  const proxy = await park.tcp((socket) => {
    socket.once('data', (chunk) => {
      asked = String(chunk);
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      const through = connect(target.port, '127.0.0.1');
      socket.pipe(through).pipe(socket);
    });
  });
  const socket = await dial(new URL(`http://user:pass@127.0.0.1:${proxy.port}`), target.port);
  const answer = new Promise((resolve) => socket.once('data', (chunk) => resolve(String(chunk))));
  socket.write('hello');
  expect(await answer).toBe('echo hello');
  socket.destroy();
  const authority = `127.0.0.1:${target.port}`;
  const login = 'Proxy-Authorization: Basic dXNlcjpwYXNz';
  expect(asked).toBe(
    `CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\nUser-Agent: Go-http-client/1.1\r\n${login}\r\n\r\n`,
  );
});

// Source: Go's net/http transport.go dialConn and response.go ReadResponse.
test.each([
  ['no', 'HTTP/1.1 403 Forbidden\r\n\r\n', 'Forbidden'],
  ['no, in lines without a return', 'HTTP/1.1 502 Bad Gateway\nVia: a\n\n', 'Bad Gateway'],
  ['a number alone', 'HTTP/1.1 403\r\n\r\n', 'unknown status code'],
  ['nothing', '', 'unexpected EOF'],
  ['half a head', 'HTTP/1.1 200 OK\r\n', 'unexpected EOF'],
  ['words', 'hello\r\n\r\n', 'malformed HTTP response "hello"'],
  ['a number of four digits', 'HTTP/1.1 2000 OK\r\n\r\n', 'malformed HTTP status code "2000"'],
  ['a head of a megabyte', `HTTP/1.1 200 OK\r\nA: ${'b'.repeat(1024 * 1024)}`, 'the head has no end'],
])('a proxy that responds %s does not connect', async (_what, answer, text) => {
  const proxy = await park.tcp((socket) => void socket.once('data', () => socket.end(answer)));
  await expect(dial(new URL(`http://127.0.0.1:${proxy.port}`), 443)).rejects.toEqual(
    new WebhookCallError('connect', text),
  );
});

test('a proxy may be away', async () => {
  const text = 'proxyconnect tcp: dial tcp 127.0.0.1:1: connect: connection refused';
  const failure = new WebhookCallError('connect', text, { cause: { because: 'proxy' } });
  await expect(dial(new URL('http://127.0.0.1:1'), 443)).rejects.toEqual(failure);
});

test('TLS goes through the tunnel', async () => {
  const authority = await issueAuthority('ca');
  const target = await park.https(
    await issueServing(authority, ['127.0.0.1']),
    (_request, response) => void response.end(),
  );
  const proxy = await park.tcp((socket) => {
    socket.once('data', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      socket.pipe(connect(target.port, '127.0.0.1')).pipe(socket);
    });
  });
  const tls = {
    serverName: '127.0.0.1',
    protocols: ['http/1.1'],
    context: createSecureContext({ ca: authority.certificate }),
    roots: () => [],
    insecure: false,
  };
  const socket = await createDialler({
    host: '127.0.0.1',
    port: target.port,
    proxy: new URL(`http://127.0.0.1:${proxy.port}`),
    tls,
  }).dial();
  expect(socket.remotePort).toBe(proxy.port);
  socket.destroy();
});
