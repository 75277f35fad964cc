import { execFile, spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type CertificateOrder,
  issueCertificate,
  type KeyedCertificate,
} from '../../src/adapters/certificates/issue-certificate.ts';
import { hasEtcd, startEtcd } from '../harness/etcd-process.ts';
import { freePort } from '../harness/free-port.ts';
import { findKubectls } from '../harness/kubectl.ts';
import { type RunningProcess, startProcess } from '../harness/process.ts';
import { temporaryFolder } from '../harness/temporary-folder.ts';

// What controller-runtime v0.24 does with the programs in KUBEBUILDER_ASSETS.
// Source: controller-runtime pkg/internal/testing/controlplane/{apiserver,auth,etcd}.go and process/process.go.

const assets = resolve('dist/envtest');
const day = 24 * 3_600_000;
const times = { notBefore: new Date(Date.now() - day), notAfter: new Date(Date.now() + day) };

const directory = temporaryFolder();
let port: number;
let server: RunningProcess;
let servingCa: KeyedCertificate;
let clientCa: KeyedCertificate;

const issue = (order: Omit<CertificateOrder, 'notBefore' | 'notAfter'>): Promise<KeyedCertificate> =>
  issueCertificate({ ...order, ...times });

beforeAll(async () => {
  port = await freePort();
  servingCa = await issue({ commonName: 'envtest-environment', purpose: 'authority' });
  clientCa = await issue({ commonName: 'envtest-environment', purpose: 'authority' });
  const accounts = await issue({ commonName: 'envtest-environment', purpose: 'authority' });
  const names = ['localhost', '127.0.0.1'];
  const serving = await issue({ commonName: 'localhost', purpose: 'server', names, issuer: servingCa });
  write('apiserver', serving);
  write('sa-signer', accounts);
  write('client-cert-auth-ca', clientCa);
  server = await startProcess([join(assets, 'kube-apiserver'), ...flags()], /ready at/);
});

afterAll(() => server.stop());

function write(name: string, { certificate, key }: KeyedCertificate): void {
  writeFileSync(join(directory, `${name}.crt`), certificate);
  writeFileSync(join(directory, `${name}.key`), key, { mode: 0o600 });
}

const flags = (): readonly string[] => [
  '--allow-privileged=true',
  '--authorization-mode=RBAC',
  '--bind-address=127.0.0.1',
  `--cert-dir=${directory}`,
  `--client-ca-file=${join(directory, 'client-cert-auth-ca.crt')}`,
  '--disable-admission-plugins=ServiceAccount',
  '--etcd-servers=http://127.0.0.1:2379',
  `--secure-port=${port}`,
  `--service-account-issuer=https://127.0.0.1:${port}/`,
  `--service-account-key-file=${join(directory, 'sa-signer.crt')}`,
  `--service-account-signing-key-file=${join(directory, 'sa-signer.key')}`,
  '--service-cluster-ip-range=10.0.0.0/24',
];

interface Answer {
  readonly code: number | undefined;
  readonly body: string;
}

async function send(user: string, groups: readonly string[], path: string, body?: object): Promise<Answer> {
  const client = await issue({ commonName: user, organizations: groups, purpose: 'client', issuer: clientCa });
  return new Promise((resolved, reject) => {
    const sent = request(
      {
        host: '127.0.0.1',
        port,
        path,
        method: body ? 'POST' : 'GET',
        headers: { 'content-type': 'application/json' },
        ca: servingCa.certificate,
        cert: client.certificate,
        key: client.key,
      },
      (response) => {
        let text = '';
        response.on('data', (chunk: Buffer) => (text += chunk.toString()));
        response.on('end', () => resolved({ code: response.statusCode, body: text }));
      },
    );
    sent.on('error', reject);
    sent.end(body && JSON.stringify(body));
  });
}

test('it serves the certificate in --cert-dir, and users come through certificates', async () => {
  expect(await send('default', ['system:masters'], '/healthz')).toEqual({ code: 200, body: 'ok' });
  expect((await send('admin', ['system:masters'], '/api/v1/namespaces/default')).code).toBe(200);
  const { code, body } = await send('alice', [], '/api/v1/namespaces/default/pods');
  expect([code, body]).toEqual([403, expect.stringContaining('User \\"alice\\" cannot list resource \\"pods\\"')]);
});

test('tokens are those of --service-account-issuer; there are no controllers', async () => {
  const accounts = '/api/v1/namespaces/default/serviceaccounts';
  expect(JSON.parse((await send('admin', ['system:masters'], accounts)).body)).toMatchObject({ items: [] });
  const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'robot' } };
  expect((await send('admin', ['system:masters'], accounts, account)).code).toBe(201);
  const { body } = await send('admin', ['system:masters'], `${accounts}/robot/token`, {
    apiVersion: 'authentication.k8s.io/v1',
    kind: 'TokenRequest',
    spec: {},
  });
  const { spec, status } = JSON.parse(body) as { spec: { audiences: string[] }; status: { token: string } };
  expect(spec.audiences).toEqual([`https://127.0.0.1:${port}/`]);
  const review = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenReview', spec: { token: status.token } };
  const reviewed = await send('admin', ['system:masters'], '/apis/authentication.k8s.io/v1/tokenreviews', review);
  expect(JSON.parse(reviewed.body)).toMatchObject({
    status: { authenticated: true, user: { username: 'system:serviceaccount:default:robot' } },
  });
});

test('what has no effect is said in a line each', () => {
  const lines = server.output().trim().split('\n');
  expect(lines).toEqual(['kadmit: --etcd-servers of kube-apiserver has no effect', expect.stringMatching(/ready at/)]);
});

// Source: what kube-apiserver prints; the lines of a failed start are in test/facts/startup-errors.json.
const endings: readonly [fact: string, args: readonly string[], code: number, says: string][] = [
  ['an unknown flag', ['--nonsense'], 1, 'Error: unknown flag: --nonsense\n'],
  ['an argument', ['serve'], 1, 'Error: "kube-apiserver" does not take any arguments, got ["serve"]\n'],
  ['a flag of kadmit alone', ['--ui-port=1'], 1, 'Error: unknown flag: --ui-port\n'],
  [
    'no port',
    ['--secure-port=x'],
    1,
    'Error: invalid argument "x" for "--secure-port" flag: strconv.ParseInt: parsing "x": invalid syntax',
  ],
  [
    'an unknown plugin',
    ['--enable-admission-plugins=Nonsense'],
    1,
    '"command failed" err="enable-admission-plugins plugin \\"Nonsense\\" is unknown"\n',
  ],
  ['--version', ['--version'], 0, 'Kubernetes v1.37.2\n'],
];

test.each(endings)('kube-apiserver ends with %s', (_fact, args, code, says) => {
  const { status, stdout, stderr } = spawnSync(join(assets, 'kube-apiserver'), args, { encoding: 'utf8' });
  expect([status, stdout + stderr]).toEqual([code, expect.stringContaining(says)]);
});

test('--help names every flag at the start of a line, as envtest reads it', () => {
  const { status, stdout } = spawnSync(join(assets, 'kube-apiserver'), ['--help'], { encoding: 'utf8' });
  const names = ['etcd-servers', 'watch-cache', 'secure-port'].map((name) =>
    new RegExp(`^\\s*--${name}\\b`, 'm').test(stdout),
  );
  expect([status, ...names, /^\s*--insecure-port\b/m.test(stdout)]).toEqual([0, true, true, true, false]);
});

test('the stand-in for etcd reports its health and identity, also through a link, and exits with code 0', async () => {
  const link = join(directory, 'my-etcd');
  symlinkSync(join(assets, 'etcd'), link);
  const url = `http://127.0.0.1:${await freePort()}`;
  const arguments_ = [`--advertise-client-urls=${url}`, `--data-dir=${directory}`, `--listen-client-urls=${url}`];
  const etcd = await startProcess([link, ...arguments_, '--unsafe-no-fsync=true'], /keeps nothing/);
  const health = await fetch(`${url}/health`);
  expect([health.status, await health.json()]).toEqual([200, { health: 'true', reason: '' }]);
  expect(await (await fetch(url)).text()).toContain("kadmit's stand-in for etcd");
  expect((await fetch(`${url}/v3/kv/range`, { method: 'POST' })).status).toBe(404);
  expect(await etcd.stop()).toBe(0);
});

test.skipIf(!hasEtcd)('a real etcd keeps the objects, as kube-apiserver does', async () => {
  const etcd = await startEtcd();
  const folder = join(directory, 'with-etcd');
  const tokens = join(directory, 'tokens.csv');
  writeFileSync(tokens, 'secret,admin,admin-uid,"system:masters"\n');
  const start = async () => {
    const free = await freePort();
    const names = [`--etcd-servers=${etcd.url}`, '--etcd-prefix=a/registry', `--secure-port=${free}`];
    const program = join(assets, 'kube-apiserver');
    const own = [`--cert-dir=${folder}`, `--token-auth-file=${tokens}`];
    const started = await startProcess([program, ...names, ...own], /ready at/);
    return { url: `https://127.0.0.1:${free}/api/v1/namespaces`, ...started };
  };
  const ask = (url: string, body?: object) =>
    new Promise<number | undefined>((resolved, reject) => {
      const headers = { 'content-type': 'application/json', authorization: 'Bearer secret' };
      const sent = request(url, { method: body ? 'POST' : 'GET', headers, rejectUnauthorized: false }, (response) => {
        response.resume();
        response.on('end', () => resolved(response.statusCode));
      });
      sent.on('error', reject);
      sent.end(body && JSON.stringify(body));
    });
  const first = await start();
  expect(await ask(first.url, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'kept' } })).toBe(201);
  expect(first.output()).not.toContain('means nothing');
  await first.stop();
  const second = await start();
  expect([await ask(`${second.url}/kept`), await ask(`${second.url}/lost`)]).toEqual([200, 404]);
  await second.stop();
  await etcd.close();
});

test('the kubectl is the one of the PATH', async () => {
  const [kubectl = ''] = findKubectls();
  const bin = join(directory, 'bin');
  mkdirSync(bin);
  writeFileSync(join(bin, 'kubectl'), '#!/bin/sh\necho "mine: $*"\n', { mode: 0o755 });
  const ask = (path: string): Promise<string> =>
    new Promise((resolved) => {
      const env = { ...process.env, PATH: path };
      execFile(join(assets, 'kubectl'), ['get', 'a b'], { env }, (_error, out, err) => resolved(out + err));
    });
  expect(kubectl).not.toBe('');
  expect(await ask(`${assets}:${bin}:/usr/bin:/bin`)).toBe('mine: get a b\n');
  expect(await ask(assets)).toContain('kadmit brings no kubectl of its own');
});

test('kadmit envtest path and run use them', () => {
  const kadmit = (...args: readonly string[]) =>
    spawnSync(process.execPath, ['dist/main.js', 'envtest', ...args], {
      encoding: 'utf8',
      env: { ...process.env, TEST_ASSET_ETCD: '/elsewhere' },
    });
  expect(kadmit('path').stdout).toBe(`${assets}\n`);
  const print = 'echo "$KUBEBUILDER_ASSETS ${TEST_ASSET_ETCD-none}"; exit 7';
  expect(kadmit('run', '--', 'sh', '-c', print)).toMatchObject({ status: 7, stdout: `${assets} none\n` });
  expect(kadmit('run', '--', 'sh', '-c', 'kill -TERM $$').status).toBe(143);
  expect(kadmit('run')).toMatchObject({ status: 2, stderr: 'kadmit envtest: -- COMMAND is required\n' });
  expect(kadmit('walk').status).toBe(2);
});
