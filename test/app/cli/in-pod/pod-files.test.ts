import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { issueCertificate } from '../../../../src/adapters/certificates/issue-certificate.ts';
import { followFiles } from '../../../../src/app/cli/in-pod/pod-files.ts';
import { temporaryFolder } from '../../../harness/temporary-folder.ts';

const object = { metadata: { resourceVersion: '1' }, data: { 'tls.key': Buffer.from('secret').toString('base64') } };

/** A server that has the same Secret and ConfigMap under every name. */
async function access() {
  const pair = await issueCertificate({
    commonName: 'localhost',
    purpose: 'server',
    names: ['localhost'],
    notBefore: new Date(Date.now() - 60_000),
    notAfter: new Date(Date.now() + 3_600_000),
  });
  const server = createServer({ cert: pair.certificate, key: pair.key }, (_request, response) => {
    response.end(JSON.stringify(object));
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const none = { ca: undefined, certificate: undefined, key: undefined, token: undefined, serverName: undefined };
  return { ...none, kubeconfig: '', url: `https://127.0.0.1:${port}`, insecure: true, namespace: 'default' };
}

test('the files of a Secret go when the program has ended, those of a ConfigMap stay', async () => {
  const folder = temporaryFolder(onTestFinished);
  const mounts = (['secrets', 'configmaps'] as const).map((resource) => ({
    resource,
    namespace: 'ns',
    name: 'n',
    folder: join(folder, resource),
  }));
  const following = await followFiles(await access(), mounts, () => {});
  expect(readFileSync(join(folder, 'secrets', 'tls.key'), 'utf8')).toBe('secret');
  following.stop();
  expect(readdirSync(join(folder, 'secrets'))).toEqual([]);
  expect(existsSync(join(folder, 'configmaps', 'tls.key'))).toBe(true);
});
