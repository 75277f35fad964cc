import { expect, test } from 'vitest';
import { type AuthenticationTrust, authenticationTrustController } from '../../src/controllers/authentication-trust.ts';
import { type Cluster, startCluster } from './cluster.ts';
import { mergePatch } from './controller-cases.ts';

const collection = '/api/v1/namespaces/kube-system/configmaps';
const path = `${collection}/extension-apiserver-authentication`;

const certificate = (base64: string): string => `-----BEGIN CERTIFICATE-----\n${base64}\n-----END CERTIFICATE-----\n`;

const nothing: AuthenticationTrust = {
  clientCas: '',
  proxyCas: '',
  allowedNames: [],
  usernameHeaders: [],
  uidHeaders: [],
  groupHeaders: [],
  extraHeaderPrefixes: [],
  isExpired: (base64) => base64 === 'OLD=',
};

type Act = (cluster: Cluster) => Promise<unknown>;

/** What is published at last, where only the server itself runs, no controller. */
async function published(trust: Partial<AuthenticationTrust>, act: Act = () => Promise.resolve()): Promise<unknown> {
  const cluster = await startCluster([], undefined, [authenticationTrustController({ ...nothing, ...trust })]);
  try {
    await cluster.settle();
    await act(cluster);
    await cluster.settle();
    return (await cluster.find(path))?.['data'];
  } finally {
    await cluster.close();
  }
}

const clients = { 'client-ca-file': certificate('MINE') };
const mine = { clientCas: certificate('MINE') };
const proxy = { proxyCas: certificate('PRXY') };

// What kube-apiserver v1.36.2 publishes with --client-ca-file, --requestheader-client-ca-file and the rest; and
// kubernetes pkg/controlplane/controller/clusterauthenticationtrust/cluster_authentication_trust_controller_test.go.
test.each<[string, Partial<AuthenticationTrust>, Act | undefined, unknown]>([
  ['nothing to say: there is none', {}, undefined, undefined],
  ['the CA of clients', mine, undefined, clients],
  [
    'a proxy without any names: lists that are empty, no headers for UIDs',
    proxy,
    undefined,
    {
      'requestheader-allowed-names': '[]',
      'requestheader-client-ca-file': certificate('PRXY'),
      'requestheader-extra-headers-prefix': '[]',
      'requestheader-group-headers': '[]',
      'requestheader-username-headers': '[]',
    },
  ],
  [
    'a proxy with all names',
    {
      ...mine,
      ...proxy,
      allowedNames: ['a', 'b'],
      usernameHeaders: ['X-Remote-User', 'X-User'],
      uidHeaders: ['X-Remote-Uid'],
      groupHeaders: ['X-Remote-Group'],
      extraHeaderPrefixes: ['X-Remote-Extra-'],
    },
    undefined,
    {
      ...clients,
      'requestheader-allowed-names': '["a","b"]',
      'requestheader-client-ca-file': certificate('PRXY'),
      'requestheader-extra-headers-prefix': '["X-Remote-Extra-"]',
      'requestheader-group-headers': '["X-Remote-Group"]',
      'requestheader-uid-headers': '["X-Remote-Uid"]',
      'requestheader-username-headers': '["X-Remote-User","X-User"]',
    },
  ],
  ['names without a proxy are kept to ourselves', { ...mine, allowedNames: ['a'] }, undefined, clients],
  [
    'two CAs, each once, none past its time, no key',
    {
      clientCas: `${certificate('MINE')}${certificate('OLD=')}# a note\n${certificate('MORE')}${certificate('MINE')}-----BEGIN KEY-----\nKEY=\n-----END KEY-----\n`,
    },
    undefined,
    { 'client-ca-file': `${certificate('MINE')}${certificate('MORE')}` },
  ],
  ['a deleted one comes back', mine, (cluster) => cluster.send('DELETE', path), clients],
  [
    'a changed one stays for a while',
    mine,
    (cluster) => cluster.send('PATCH', path, { data: { 'client-ca-file': null, more: 'x' } }, mergePatch),
    { more: 'x' },
  ],
  [
    'a changed one is restored after a minute',
    mine,
    async (cluster) => {
      await cluster.send('PATCH', path, { data: { 'client-ca-file': null, more: 'x' } }, mergePatch);
      await cluster.pass(60_000);
    },
    clients,
  ],
])('%s', async (_name, trust, act, data) => {
  expect(await published(trust, act)).toEqual(data);
});

test('lines of a certificate are as long as Go prints them', async () => {
  const long = certificate('A'.repeat(100));
  expect(await published({ clientCas: long })).toEqual({
    'client-ca-file': certificate(`${'A'.repeat(64)}\n${'A'.repeat(36)}`),
  });
});

test('what others have published stays, before our own', async () => {
  const cluster = await startCluster([], undefined, [
    authenticationTrustController({ ...nothing, ...mine, ...proxy, allowedNames: ['b', 'a'] }),
  ]);
  await cluster.settle();
  const theirs = { 'client-ca-file': certificate('ELSE'), 'requestheader-allowed-names': '["a"]', more: 'x' };
  await cluster.send('PATCH', path, { data: theirs }, mergePatch);
  await cluster.pass(60_000);
  const found = await cluster.find(path);
  await cluster.close();
  expect(found?.['data']).toMatchObject({
    'client-ca-file': `${certificate('ELSE')}${certificate('MINE')}`,
    'requestheader-allowed-names': '["a","b"]',
  });
  expect(found?.metadata?.managedFields?.map(({ manager }) => manager)).toContain('kube-apiserver');
});
