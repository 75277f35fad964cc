import { chmodSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import {
  type AdminKubeconfig,
  kubeconfigText,
  writeKubeconfig,
} from '../../../../src/adapters/config/kubeconfig/write-kubeconfig.ts';
import { temporaryFolder } from '../../../harness/temporary-folder.ts';

const folder = temporaryFolder();

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const cluster: AdminKubeconfig = {
  url: 'https://127.0.0.1:6443',
  caPem: 'CA\n',
  admin: { type: 'certificate', certificate: 'CERT\n', key: 'KEY\n' },
};

// Source: client-go tools/clientcmd/api/v1/types.go.
const users: readonly [fact: string, admin: AdminKubeconfig['admin'], user: object][] = [
  [
    'a client certificate',
    cluster.admin,
    { 'client-certificate-data': base64('CERT\n'), 'client-key-data': base64('KEY\n') },
  ],
  ['a token', { type: 'token', token: 'a: "b"' }, { token: 'a: "b"' }],
];

test.each(users)('kubernetes-admin logs in with %s', (_fact, admin, user) => {
  expect(parse(kubeconfigText({ ...cluster, admin }))).toEqual({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'kadmit', cluster: { server: cluster.url, 'certificate-authority-data': base64('CA\n') } }],
    users: [{ name: 'kubernetes-admin', user }],
    contexts: [{ name: 'kubernetes-admin@kadmit', context: { cluster: 'kadmit', user: 'kubernetes-admin' } }],
    'current-context': 'kubernetes-admin@kadmit',
  });
});

test('an own file is replaced, and closed to others again', () => {
  const path = join(folder, 'mine', 'config');
  writeKubeconfig(path, cluster);
  chmodSync(path, 0o644);
  writeKubeconfig(path, { ...cluster, url: 'https://new:1' });
  expect(readFileSync(path, 'utf8')).toContain('https://new:1');
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(readdirSync(join(folder, 'mine'))).toEqual(['config']);
});

test('a file that kadmit did not write is not changed', () => {
  const path = join(folder, 'theirs');
  writeFileSync(path, 'apiVersion: v1\nkind: Config\n');
  expect(() => writeKubeconfig(path, cluster)).toThrow(
    `${path} was not written by kadmit; name another file with --write-kubeconfig`,
  );
  expect(readFileSync(path, 'utf8')).toBe('apiVersion: v1\nkind: Config\n');
});
