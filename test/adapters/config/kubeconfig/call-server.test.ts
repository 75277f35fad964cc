import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { issueCertificate } from '../../../../src/adapters/certificates/issue-certificate.ts';
import { callServer, type ServerAccess } from '../../../../src/adapters/config/kubeconfig/call-server.ts';

const mebibyte = 1024 * 1024;

/** A server whose response has this many bytes. */
async function serve(bytes: number): Promise<ServerAccess> {
  const pair = await issueCertificate({
    commonName: 'localhost',
    purpose: 'server',
    names: ['localhost'],
    notBefore: new Date(Date.now() - 60_000),
    notAfter: new Date(Date.now() + 3_600_000),
  });
  const server = createServer({ cert: pair.certificate, key: pair.key }, (_request, response) => {
    response.on('error', () => {});
    response.end(Buffer.alloc(bytes, ' '));
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const url = `https://127.0.0.1:${port}`;
  const none = { ca: undefined, certificate: undefined, key: undefined, token: undefined };
  return { ...none, url, kubeconfig: 'kubeconfig', namespace: 'default', insecure: true };
}

const get = { method: 'GET', path: '/' } as const;

test('a response of 128 MiB is read', async () => {
  const { code, text } = await callServer(await serve(128 * mebibyte), get);
  expect([code, text.length]).toEqual([200, 128 * mebibyte]);
});

test('a longer response ends the command with one line', async () => {
  const result = callServer(await serve(128 * mebibyte + 1), get).then(({ code }) => code, String);
  expect(await result).toMatch(/https:.*, which kubeconfig names, responded with more than 128 MiB$/);
});
