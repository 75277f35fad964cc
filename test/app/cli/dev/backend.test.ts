import { createServer as createHttp } from 'node:http';
import { createServer as createHttps } from 'node:https';
import { createServer as createTcp, type Server } from 'node:net';
import { expect, test } from 'vitest';
import { issueCertificate, type KeyedCertificate } from '../../../../src/adapters/certificates/issue-certificate.ts';
import { freePort, isPortTaken, waitForBackend } from '../../../../src/app/cli/dev/backend.ts';

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

const never = new AbortController().signal;

test.each<readonly [protocol: string, host: string, server: () => Server]>([
  ['given certificate', '127.0.0.1', () => createHttps({ cert: given.certificate, key: given.key })],
  ['given certificate', '::1', () => createHttps({ cert: given.certificate, key: given.key })],
  ['own certificate', '127.0.0.1', () => createHttps({ cert: own.certificate, key: own.key })],
  ['plain HTTP', '127.0.0.1', () => createHttp()],
  ['plain HTTP', '127.0.0.1', () => createTcp((socket) => socket.end())],
])('a backend is recognized: %s at %s', async (protocol, host, create) => {
  const server = create();
  const failures: unknown[] = [];
  server.on('tlsClientError', (error) => failures.push(error));
  const port = await listening(server, host);
  expect(await waitForBackend(port, given.certificate, never)).toEqual({ host, port, protocol });
  expect(failures).toEqual([]);
  server.close();
});

test('a port is free after its listener is closed; nobody waits for it after an abort', async () => {
  const server = createTcp();
  const port = await listening(server);
  expect(await isPortTaken(port)).toBe(true);
  await new Promise((resolve) => server.close(resolve));
  expect(await isPortTaken(port)).toBe(false);
  const late = waitForBackend(port, given.certificate, AbortSignal.timeout(20));
  expect(await late).toBeUndefined();
});
