import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { kubeconfigText } from '../../src/adapters/config/kubeconfig/write-kubeconfig.ts';
import { callServer } from '../../src/adapters/config/kubeconfig/call-server.ts';
import { readKubeconfig } from '../../src/adapters/config/kubeconfig/read-kubeconfig.ts';
import { userCommand } from '../../src/app/cli/user/user.ts';
import { type Kadmit, startKadmit } from '../harness/start-kadmit.ts';
import { temporaryFolder } from '../harness/temporary-folder.ts';

// The kubeconfigs that `kadmit user` writes, used against the server that signed them.
const folder = temporaryFolder();
const file = (name: string): string => join(folder, name);
let server: Kadmit;

beforeAll(async () => {
  server = await startKadmit();
  writeFileSync(file('kubeconfig'), kubeconfigText(server), { mode: 0o600 });
});
afterAll(() => server.close());

async function user(...args: readonly string[]): Promise<{ readonly code: number; readonly text: string }> {
  const lines: string[] = [];
  const io = { out: (line: string) => void lines.push(line), error: (line: string) => void lines.push(line) };
  const given = args.includes('--kubeconfig') ? args : [...args, '--kubeconfig', file('kubeconfig')];
  return { code: await userCommand.run(given, io, {}), text: lines.join('\n') };
}

async function send(kubeconfig: string, path: string, body?: object): Promise<{ code: number; body: unknown }> {
  const access = await readKubeconfig(kubeconfig);
  const method = body === undefined ? 'GET' : 'POST';
  const { code, text } = await callServer(access, { method, path, ...(body && { body: JSON.stringify(body) }) });
  return { code, body: JSON.parse(text) };
}

const review = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' };
const whoAmI = (kubeconfig: string): Promise<{ code: number; body: unknown }> =>
  send(kubeconfig, '/apis/authentication.k8s.io/v1/selfsubjectreviews', review);

test('the server reads the user, groups and UID of the certificate', async () => {
  const { code, text } = await user('ann', '--group', 'devs', '--group', 'ops', '--uid', '42');
  const path = file('ann.kubeconfig');
  expect({ code, text }).toEqual({
    code: 0,
    text: expect.stringMatching(
      /^\S+ann\.kubeconfig: ann, in devs, ops, until \d{4}-\d\d-\d\d\n {2}kubectl --kubeconfig \S+ auth whoami$/,
    ),
  });
  expect(statSync(path).mode & 0o077).toBe(0);
  expect(await whoAmI(path)).toMatchObject({
    code: 201,
    body: {
      status: {
        userInfo: {
          username: 'ann',
          uid: '42',
          groups: ['devs', 'ops', 'system:authenticated'],
          // Source: apiserver pkg/authentication/request/x509/x509.go.
          extra: { 'authentication.kubernetes.io/credential-id': [expect.stringMatching(/^X509SHA256=[\da-f]{64}$/)] },
        },
      },
    },
  });
});

test('a user has the permissions of its groups, and none without', async () => {
  await user('bob', '--out', file('bob'));
  await user('root', '--group', 'system:masters', '--out', file('root'));
  expect(await send(file('bob'), '/api/v1/pods')).toMatchObject({
    code: 403,
    body: { message: expect.stringContaining('User "bob" cannot list resource "pods"') },
  });
  expect(await send(file('root'), '/api/v1/pods')).toMatchObject({ code: 200 });
});

test('a user without permission issues no other one', async () => {
  await user('cleo', '--out', file('cleo'));
  expect(await user('dan', '--kubeconfig', file('cleo'))).toEqual({
    code: 2,
    text: 'kadmit user: forbidden: User "cleo" cannot post path "/kadmit/v1/users"',
  });
});

test('a name with characters that file systems do not allow has a file', async () => {
  const { code } = await user('system:serviceaccount:shop:default');
  expect(code).toBe(0);
  expect(await whoAmI(file('system-serviceaccount-shop-default.kubeconfig'))).toMatchObject({
    body: { status: { userInfo: { username: 'system:serviceaccount:shop:default' } } },
  });
});

test('--out - prints the kubeconfig; an own file is replaced, any other one is not', async () => {
  const { text } = await user('eve', '--out', '-');
  expect(text).toMatch(/^# Written by kadmit user\.\napiVersion: v1\n[^]*current-context: "eve@kadmit"$/);
  expect(await user('eve', '--out', file('bob'))).toMatchObject({ code: 0 });
  writeFileSync(file('mine'), 'apiVersion: v1\n');
  expect(await user('eve', '--out', file('mine'))).toEqual({
    code: 2,
    text: `kadmit user: ${file('mine')} was not written by kadmit; name another file with --out`,
  });
  expect(readFileSync(file('mine'), 'utf8')).toBe('apiVersion: v1\n');
});

test.each([
  [[], 'NAME is required'],
  [['a', 'b'], 'unexpected argument "b"'],
  [[''], 'name is required'],
  [['a', '--group='], 'a group is empty'],
  [['a', '--uid', 'x'.repeat(1001)], 'name, groups and uid have at most 1000 characters each'],
  [['a', '--out', '/dev/null/x'], '/dev/null/x cannot be written'],
])('kadmit user %j: %s', async (args, problem) => {
  const { code, text } = await user(...args);
  expect([code, text]).toEqual([2, expect.stringContaining(`kadmit user: ${problem}`)]);
});
