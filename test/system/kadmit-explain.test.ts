import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { explainCommand } from '../../src/app/cli/explain/explain.ts';
import { readYamlBody } from '../../src/adapters/http/body-formats.ts';
import { type Kadmit, startKadmit } from '../harness/start-kadmit.ts';
import { base64, serverPark, issueAuthority, issueServing, validFor } from '../adapters/webhook-client/servers.ts';
import { callServer } from '../../src/adapters/config/kubeconfig/call-server.ts';
import { readKubeconfig } from '../../src/adapters/config/kubeconfig/read-kubeconfig.ts';
import { type CommandResult, runCommand } from '../harness/run-command.ts';
import { temporaryFolder } from '../harness/temporary-folder.ts';

const folder = temporaryFolder();
const kubeconfig = join(folder, 'kubeconfig');
const park = serverPark();
let kadmit: Kadmit;

beforeAll(async () => {
  kadmit = await startKadmit();
  const cluster = { server: kadmit.url, 'certificate-authority-data': base64(kadmit.caPem) };
  writeFileSync(
    kubeconfig,
    JSON.stringify({
      'current-context': 'c',
      contexts: [{ name: 'c', context: { cluster: 'k', user: 'u' } }],
      clusters: [{ name: 'k', cluster }],
      users: [{ name: 'u', user: { token: kadmit.token } }],
    }),
  );
});

afterAll(async () => {
  await park.close();
  await kadmit.close();
});

const run = (...args: readonly string[]): Promise<CommandResult> =>
  runCommand(explainCommand, [...args, '--kubeconfig', kubeconfig], { readYaml: readYamlBody });

async function post(path: string, body: object): Promise<number> {
  const access = await readKubeconfig(kubeconfig);
  const sent = { method: 'POST', path, body: JSON.stringify(body), contentType: 'application/json' } as const;
  return (await callServer(access, sent)).code;
}

const file = (name: string, text: string): string => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};

const configMap = (name: string, more = ''): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}${more}}\ndata: {k: v}\n`;

test('a manifest is explained without being stored', async () => {
  const path = file('one.yaml', configMap('dry'));
  const first = await run('-f', path);
  expect(first).toMatchObject({ code: 0, error: '' });
  expect(first.out).toMatch(/^ADMITTED {2}create configmaps dry in default by admin: 201 in .*, dry run\n/);
  // It is still a create: nothing was stored.
  expect((await run('-f', path)).out).toMatch(/^ADMITTED {2}create /);
});

test('what exists is applied, each document on its own, and a refusal is exit code 1', async () => {
  await post('/api/v1/namespaces/default/configmaps', { metadata: { name: 'there' }, data: { a: 'b' } });
  const path = file(
    'two.yaml',
    `${configMap('there')}---\n# nothing\n---\n${configMap('elsewhere', ', namespace: nowhere')}`,
  );
  const ran = await run('-f', path);
  expect(ran.code).toBe(1);
  expect(ran.out).toMatch(
    /# .*two\.yaml, document 1\nADMITTED {2}patch configmaps there in default by admin: 200 .*dry run/,
  );
  expect(ran.out).toMatch(/# .*two\.yaml, document 3\nREFUSED {2}create configmaps elsewhere in nowhere by admin: 404/);
  expect(ran.out).toMatch(/\nplugin NamespaceLifecycle refused .*\n {4}namespaces "nowhere" not found/);
});

test('json is the document, or a list of several', async () => {
  const one = await run('-f', file('one.yaml', configMap('dry')), '-o', 'json');
  expect(JSON.parse(one.out)).toMatchObject({
    traceVersion: 1,
    request: { dryRun: true, body: { kind: 'ConfigMap' } },
  });
  const list = `apiVersion: v1\nkind: List\nitems:\n- ${JSON.stringify({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'n' } })}\n- ${JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'm' } })}\n`;
  const two = await run('-f', file('list.yaml', list), '--output=json');
  expect(JSON.parse(two.out)).toMatchObject([
    { request: { resource: 'namespaces' } },
    { request: { resource: 'configmaps' } },
  ]);
  expect((await run('last', '-o', 'yaml')).out).toMatch(/^traceVersion: 1\n/);
});

test('each document is explained before the next is read', async () => {
  const map = (name: string): string => `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\n---\n`;
  const ran = await run('-f', file('third-is-broken.yaml', `${map('one')}${map('two')}a: [`));
  expect(ran.code).toBe(2);
  expect(ran.out).toMatch(/# .*document 1\nADMITTED.*one[^]*# .*document 2\nADMITTED.*two/);
  expect(ran.error).toMatch(/third-is-broken\.yaml, document 3: /);
  const opened = await run('-f', file('opened.yaml', `# a comment\n---\n${map('one')}${map('two')}`));
  expect(opened.out).toMatch(/# .*document 1\nADMITTED.*one[^]*# .*document 2\nADMITTED.*two/);
  const listed = await run('-f', file('two.yaml', `${map('one')}${map('two')}`), '-o', 'json');
  expect(JSON.parse(listed.out)).toMatchObject([{ request: { name: 'one' } }, { request: { name: 'two' } }]);
});

test('a document shows the values of a Secret only on request', async () => {
  const path = file(
    'secret.yaml',
    'apiVersion: v1\nkind: Secret\nmetadata: {name: s}\nstringData: {key: correct-horse}\n',
  );
  expect((await run('-f', path, '-o', 'json')).out).not.toContain('correct-horse');
  expect((await run('-f', path, '-o', 'yaml', '--show-secrets')).out).toContain('correct-horse');
});

test.each<readonly [fact: string, args: () => readonly string[], error: string | RegExp]>([
  ['a file that is not there', () => ['-f', join(folder, 'no.yaml')], /no\.yaml cannot be read: ENOENT/],
  ['a file that is no YAML', () => ['-f', file('broken.yaml', 'a: [')], /broken\.yaml: .+/],
  ['a file without an object', () => ['-f', file('empty.yaml', '# nothing\n')], /empty\.yaml contains no object/],
  ['an object without a kind', () => ['-f', file('kindless.yaml', 'apiVersion: v1\n')], /kindless\.yaml: kind not set/],
  [
    'a kind that the server does not have',
    () => ['-f', file('unknown.yaml', 'apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: w}\n')],
    /unknown\.yaml: the server has no kind Widget in example\.com\/v1/,
  ],
  [
    'a trace that is not there',
    () => ['no-such-id'],
    'kadmit explain: no trace "no-such-id": only the last writes are kept',
  ],
  [
    'an id beside a file',
    () => ['last', '-f', 'x.yaml'],
    'kadmit explain: unexpected argument "last": -f explains the objects of a file',
  ],
])('%s is one line and exit code 2', async (_fact, args, error) => {
  const ran = await run(...args());
  expect(ran).toMatchObject({ code: 2, out: '' });
  expect(ran.error.split('\n')).toHaveLength(1);
  expect(ran.error).toMatch(error);
});

test('an expired certificate is printed with its names and dates', async () => {
  const authority = await issueAuthority('team-ca');
  const pair = await issueServing(authority, ['127.0.0.1'], validFor(-5, -1));
  const server = await park.https(pair, (_request, response) => response.end());
  const clientConfig = { url: `https://127.0.0.1:${server.port}/hook`, caBundle: base64(authority.certificate) };
  const code = await post('/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations', {
    metadata: { name: 'expired' },
    webhooks: [
      {
        name: 'expired.example.com',
        sideEffects: 'None',
        admissionReviewVersions: ['v1'],
        clientConfig,
        rules: [{ operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['secrets'] }],
      },
    ],
  });
  expect(code).toBe(201);
  await post('/api/v1/namespaces/default/secrets', { metadata: { name: 's' }, stringData: { password: 'hunter2' } });
  const { out } = await run();
  expect(out).toContain('hint: the certificate has expired: issue a new one');
  expect(out).toMatch(/the certificate: CN=hook, for 127\.0\.0\.1, valid \S+Z to \S+Z, issued by CN=team-ca/);
  expect((await run('--blame')).out).not.toContain('aHVudGVyMg==');
  expect((await run('--blame', '--show-secrets')).out).toContain('aHVudGVyMg==');
});
