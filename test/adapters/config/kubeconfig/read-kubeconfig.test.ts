import { copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { callServer } from '../../../../src/adapters/config/kubeconfig/call-server.ts';
import { writeKubeconfig } from '../../../../src/adapters/config/kubeconfig/write-kubeconfig.ts';
import { readKubeconfig } from '../../../../src/adapters/config/kubeconfig/read-kubeconfig.ts';
import { temporaryFolder } from '../../../harness/temporary-folder.ts';

const directory = temporaryFolder();

const base64 = (text: string): string => Buffer.from(text).toString('base64');

function kubeconfig(cluster: object, user: object): string {
  const path = join(directory, 'kubeconfig');
  const config = {
    'current-context': 'c',
    contexts: [{ name: 'c', context: { cluster: 'k', user: 'u', namespace: 'shop' } }],
    clusters: [{ name: 'k', cluster: { server: 'https://127.0.0.1:6443', ...cluster } }],
    users: [{ name: 'u', user }],
  };
  writeFileSync(path, JSON.stringify(config));
  return path;
}

for (const name of ['ca.crt', 'client.crt', 'client.key']) writeFileSync(join(directory, name), `${name} in a file`);
writeFileSync(join(directory, 'token'), 'secret\n');

/** Source: client-go tools/clientcmd/api/v1/types.go and loader.go: paths start from the folder of the file. */
const readings: readonly [fact: string, cluster: object, user: object, access: object][] = [
  [
    'what is inline',
    { 'certificate-authority-data': base64('ca') },
    { 'client-certificate-data': base64('cert'), 'client-key-data': base64('key') },
    { ca: 'ca', certificate: 'cert', key: 'key', token: undefined, insecure: false, namespace: 'shop' },
  ],
  [
    'what is in files',
    { 'certificate-authority': 'ca.crt' },
    { 'client-certificate': 'client.crt', 'client-key': join(directory, 'client.key'), tokenFile: 'token' },
    { ca: 'ca.crt in a file', certificate: 'client.crt in a file', key: 'client.key in a file', token: 'secret' },
  ],
  [
    'a token, and how the server is to be checked',
    { 'insecure-skip-tls-verify': true, 'tls-server-name': 'kubernetes' },
    { token: 'secret' },
    { token: 'secret', insecure: true, serverName: 'kubernetes' },
  ],
];

// Source: client-go pkg/apis/clientauthentication/v1/types.go.
const execPlugin = { apiVersion: 'client.authentication.k8s.io/v1', interactiveMode: 'Never' };

test('a program is asked for credentials', async () => {
  const plugin = join(directory, 'plugin');
  const credential = { apiVersion: execPlugin.apiVersion, kind: 'ExecCredential', status: { token: 'from a program' } };
  writeFileSync(plugin, `#!/bin/sh\n[ "$WHICH" = this ] && echo '${JSON.stringify(credential)}'\n`, { mode: 0o755 });
  const exec = { ...execPlugin, command: plugin, env: [{ name: 'WHICH', value: 'this' }] };
  expect(await readKubeconfig(kubeconfig({}, { exec }))).toMatchObject({ token: 'from a program' });
});

test('several files are one: what comes first counts', async () => {
  const first = join(directory, 'first');
  copyFileSync(kubeconfig({}, { token: 'of the first' }), first);
  const second = kubeconfig({ server: 'https://127.0.0.1:7' }, { token: 'of the second' });
  const access = await readKubeconfig([first, second].join(delimiter));
  expect(access).toMatchObject({ url: 'https://127.0.0.1:6443', token: 'of the first' });
});

test('a proxy is gone through', async () => {
  const { proxy } = await readKubeconfig(kubeconfig({ 'proxy-url': 'http://127.0.0.1:3128' }, { token: 'x' }));
  expect(proxy?.constructor.name).toBe('HttpsProxyAgent');
});

test.each(readings)('%s', async (_fact, cluster, user, access) => {
  expect(await readKubeconfig(kubeconfig(cluster, user))).toMatchObject(access);
});

const refusals: readonly [fact: string, user: object, problem: string][] = [
  ['a file that is not there', { tokenFile: 'nowhere' }, 'nowhere'],
  ['a program that is not there', { exec: { ...execPlugin, command: 'no-such-program' } }, 'no-such-program'],
];

test.each(refusals)('%s is refused', async (_fact, user, problem) => {
  await expect(readKubeconfig(kubeconfig({}, user))).rejects.toThrow(problem);
});

test('an error of the YAML is one line', async () => {
  const path = join(directory, 'broken');
  writeFileSync(path, 'apiVersion: v1\nclusters: [\n  }\n');
  const said = await readKubeconfig(path).catch(String);
  expect(said).toMatch(/^Error: .*broken: .+\(\d+:\d+\)$/);
});

test('without a server in this folder, the one that kadmit wrote for KUBECONFIG, and no other', async () => {
  const own = join(directory, 'server/.kadmit/kubeconfig');
  mkdirSync(dirname(own), { recursive: true });
  copyFileSync(kubeconfig({}, { token: 'own' }), own);
  const other = kubeconfig({}, { token: 'of a cluster' });
  vi.stubEnv('KUBECONFIG', [join(directory, 'nowhere/.kadmit/kubeconfig'), other, own].join(delimiter));
  onTestFinished(() => void vi.unstubAllEnvs());
  const elsewhere = process.cwd();
  process.chdir(directory);
  onTestFinished(() => process.chdir(elsewhere));
  expect(await readKubeconfig('.kadmit/kubeconfig')).toMatchObject({ token: 'own' });
  mkdirSync(join(directory, '.kadmit'));
  copyFileSync(kubeconfig({}, { token: 'stale, of this folder' }), '.kadmit/kubeconfig');
  expect(await readKubeconfig('.kadmit/kubeconfig')).toMatchObject({ token: 'own', kubeconfig: own });
  vi.stubEnv('KUBECONFIG', other);
  expect(await readKubeconfig('.kadmit/kubeconfig')).toMatchObject({ token: 'stale, of this folder' });
  rmSync('.kadmit', { recursive: true });
  await expect(readKubeconfig('.kadmit/kubeconfig')).rejects.toThrow(
    `is kadmit serve running in this folder? --kubeconfig names another file (KUBECONFIG names ${other}, which kadmit did not write)`,
  );
  vi.stubEnv('KUBECONFIG', '/gone/.kadmit/kubeconfig');
  await expect(readKubeconfig('.kadmit/kubeconfig')).rejects.toThrow(
    '(KUBECONFIG names /gone/.kadmit/kubeconfig, which is not there)',
  );
});

test('one that kadmit wrote under another name is one of its own', async () => {
  const named = join(directory, 'named');
  writeKubeconfig(named, {
    url: 'https://127.0.0.1:7',
    caPem: 'CA\n',
    admin: { type: 'token', token: 'of the named one' },
  });
  vi.stubEnv('KUBECONFIG', named);
  onTestFinished(() => void vi.unstubAllEnvs());
  expect(await readKubeconfig('.kadmit/kubeconfig')).toMatchObject({ token: 'of the named one' });
});

test('what cannot be reached is named with the file that names it', async () => {
  const file = kubeconfig({ server: 'https://127.0.0.1:1' }, { token: 'x' });
  const asking = callServer(await readKubeconfig(file), { method: 'GET', path: '/readyz' });
  await expect(asking).rejects.toThrow(`https://127.0.0.1:1, which ${file} names, cannot be reached: `);
});
