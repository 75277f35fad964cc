import { createServer as createHttp } from 'node:http';
import { createServer as createHttps } from 'node:https';
import { createServer as createTcp, type Server } from 'node:net';
import { expect, test } from 'vitest';
import { issueCertificate, type KeyedCertificate } from '../../../../src/adapters/certificates/issue-certificate.ts';
import { freePort, listeningHost, protocolOf, waitForListener } from '../../../../src/app/cli/dev/backend.ts';

const issue = (): Promise<KeyedCertificate> =>
  issueCertificate({
    commonName: 'hook',
    purpose: 'server',
    names: ['localhost'],
    notBefore: new Date(Date.now() - 1000),
    notAfter: new Date(Date.now() + 3_600_000),
  });
const [given, own] = await Promise.all([issue(), issue()]);

const listening = async (server: Server, host = '127.0.0.1'): Promise<number> => {
  const port = await freePort();
  await new Promise<void>((resolve) => server.listen(port, host, resolve));
  return port;
};

test.each<readonly [protocol: string, server: () => Server]>([
  ['given certificate', () => createHttps({ cert: given.certificate, key: given.key })],
  ['own certificate', () => createHttps({ cert: own.certificate, key: own.key })],
  ['plain HTTP', () => createHttp()],
  ['plain HTTP', () => createTcp((socket) => socket.end())],
])('a backend with %s is recognized', async (protocol, create) => {
  const server = create();
  const port = await listening(server);
  expect(await protocolOf('127.0.0.1', port, given.certificate)).toBe(protocol);
  server.close();
});

test('the listener is found at either loopback address, and no longer waited for after an abort', async () => {
  const server = createTcp();
  const port = await listening(server);
  expect(await waitForListener(port, new AbortController().signal)).toBe('127.0.0.1');
  await new Promise((resolve) => server.close(resolve));
  expect(await listeningHost(port)).toBeUndefined();
  expect(await waitForListener(port, AbortSignal.abort())).toBeUndefined();
});
