import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type CertificateOrder,
  issueCertificate,
  type KeyedCertificate,
} from '../../src/adapters/certificates/issue-certificate.ts';
import { connectToEtcd } from '../../src/adapters/storage/etcd/connection.ts';
import { type EtcdProcess, type EtcdTls, hasEtcd, startEtcd } from '../harness/etcd-process.ts';
import { startKadmit } from '../harness/start-kadmit.ts';
import { temporaryFolder } from '../harness/temporary-folder.ts';

test.runIf(!hasEtcd)('NOT RUN, there is no etcd: TLS to etcd', () => {
  expect(hasEtcd).toBe(false);
});

describe.skipIf(!hasEtcd)('an etcd with TLS that asks for client certificates', () => {
  const folder = temporaryFolder();
  const file = (name: string): string => join(folder, name);
  const days = { notBefore: new Date(Date.now() - 60_000), notAfter: new Date(Date.now() + 3_600_000) };
  const issue = async (
    name: string,
    order: Omit<CertificateOrder, 'notBefore' | 'notAfter'>,
  ): Promise<KeyedCertificate> => {
    const made = await issueCertificate({ ...order, ...days });
    writeFileSync(file(`${name}.crt`), made.certificate);
    writeFileSync(file(`${name}.key`), made.key, { mode: 0o600 });
    return made;
  };
  let etcd: EtcdProcess;
  beforeAll(async () => {
    const ca = await issue('ca', { commonName: 'etcd-ca', purpose: 'authority' });
    await issue('server', { commonName: 'etcd', purpose: 'server', names: ['127.0.0.1'], issuer: ca });
    await issue('client', { commonName: 'kube-apiserver-etcd-client', purpose: 'client', issuer: ca });
    const other = await issue('other-ca', { commonName: 'other-ca', purpose: 'authority' });
    await issue('stranger', { commonName: 'stranger', purpose: 'client', issuer: other });
    const tls: EtcdTls = {
      ca: file('ca.crt'),
      certificate: file('server.crt'),
      key: file('server.key'),
      client: { certificate: file('client.crt'), key: file('client.key') },
    };
    etcd = await startEtcd({ tls });
  });
  afterAll(() => etcd.close());

  const flags = (cafile: string, pair: string) => ({
    etcdServers: [etcd.url],
    etcdCafile: cafile === '' ? '' : file(cafile),
    etcdCertfile: pair === '' ? '' : file(`${pair}.crt`),
    etcdKeyfile: pair === '' ? '' : file(`${pair}.key`),
    etcdPrefix: '/elsewhere/deep',
  });

  test('with the CA and a client certificate the objects are stored below --etcd-prefix', async () => {
    const kadmit = await startKadmit(flags('ca.crt', 'client'));
    await kadmit.close();
    const connection = connectToEtcd({
      servers: [etcd.url],
      ca: readFileSync(file('ca.crt')),
      certificate: readFileSync(file('client.crt')),
      key: readFileSync(file('client.key')),
    });
    const { kvs } = await connection.call('RangeRequest', { key: Buffer.from('/elsewhere/deep/namespaces/default') });
    expect(kvs).toHaveLength(1);
    const others = { key: Buffer.from('/registry/'), rangeEnd: Buffer.from('/registry0') };
    expect((await connection.call('RangeRequest', others)).kvs).toEqual([]);
    connection.close();
  });

  // Together: each takes as long as a server waits for its etcd.
  test.concurrent.each([
    ['no CA', '', 'client', /self.signed|unable to (verify|get)/],
    ['the CA of others', 'other-ca.crt', 'client', /self.signed|unable to (verify|get)|signature/],
    ['no certificate', 'ca.crt', '', /certificate|handshake|socket|closed|reset/i],
    ['a certificate that another CA signed', 'ca.crt', 'stranger', /certificate|handshake|socket|closed|reset/i],
  ])('%s: the server does not start, and one line says why', async (_what, cafile, pair, why) => {
    const failure = await startKadmit(flags(cafile, pair)).then(
      async (kadmit) => kadmit.close(),
      (error: unknown) => error,
    );
    const message = failure instanceof Error ? failure.message : 'it started';
    expect(message).toMatch(/^--etcd-servers https:\/\/127\.0\.0\.1:\d+: /);
    expect(message).toMatch(why);
    expect(message.split('\n')).toHaveLength(1);
  });
});
