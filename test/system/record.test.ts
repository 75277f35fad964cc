import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readYamlBody } from '../../src/adapters/http/body-formats.ts';
import { kubeconfigText } from '../../src/adapters/config/kubeconfig/write-kubeconfig.ts';
import { recordCommand } from '../../src/app/cli/record/record.ts';
import { testCommand as kadmitTest } from '../../src/app/cli/test/test.ts';
import { traceCommand } from '../../src/app/cli/trace/trace.ts';
import { createWorlds } from '../../src/app/in-process/worlds.ts';
import { startWebhook } from '../harness/kadmit-process.ts';
import { createKubectl, findKubectls, type Kubectl } from '../harness/kubectl.ts';
import { type Kadmit, startKadmit } from '../harness/start-kadmit.ts';
import { type CommandResult, runCommand } from '../harness/run-command.ts';
import { temporaryFolder } from '../harness/temporary-folder.ts';

// A server, a webhook process and kubectl: what they did is recorded and passes; what was recorded otherwise does not.
const directory = temporaryFolder();
let server: Kadmit;
let webhook: Awaited<ReturnType<typeof startWebhook>>;
let kubectl: Kubectl;

const [program = 'kubectl'] = findKubectls();

beforeAll(async () => {
  webhook = await startWebhook(directory);
  server = await startKadmit({ controllers: ['*'] });
  writeFileSync(file('kubeconfig'), kubeconfigText(server), { mode: 0o600 });
  kubectl = createKubectl(program, { kubeconfig: file('kubeconfig'), directory }, 'home');
  await run('create namespace shop');
  await run('apply -f -', [
    configuration('Mutating', 'seen', '/annotate'),
    configuration('Validating', 'judge', '/judge'),
  ]);
});
afterAll(async () => {
  await server.close();
  await webhook.process.stop();
});

const file = (name: string): string => join(directory, name);

async function run(args: string, objects: readonly object[] = []): Promise<number> {
  const { code } = await kubectl.run(args, JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects }));
  return code;
}

const configuration = (kind: string, name: string, path: string): object => ({
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: `${kind}WebhookConfiguration`,
  metadata: { name },
  webhooks: [
    {
      name: `${name}.example.com`,
      clientConfig: { url: webhook.webhook.url + path, caBundle: webhook.webhook.caBundle },
      rules: [{ operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps', 'secrets'] }],
      namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'shop' } },
      sideEffects: 'None',
      admissionReviewVersions: ['v1'],
    },
  ],
});

async function kadmit(
  command: Pick<typeof recordCommand | typeof kadmitTest | typeof traceCommand, 'run'>,
  ...args: readonly string[]
): Promise<CommandResult> {
  const parts = {
    createWorlds: (onBug: (error: unknown) => void) => Promise.resolve(createWorlds(onBug)),
    readYaml: readYamlBody,
  };
  return runCommand(command, args, parts as never); // Neither takes more of them.
}

const recordInto = (folder: string, ...args: readonly string[]): Promise<CommandResult> =>
  kadmit(recordCommand, '--kubeconfig', file('kubeconfig'), '--out', file(folder), ...args);

test('the writes of kubectl pass, and fail with another expected response of the webhook', async () => {
  await run('create configmap good -n shop');
  await run('create -f -', [
    { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'bad', namespace: 'shop', labels: { bad: 'yes' } } },
  ]);
  await run('create configmap elsewhere');
  await run('create secret generic hidden -n shop --from-literal=password=hunter2');
  const { code, out, error } = await recordInto('all', '--last', '4');
  expect({ code, error }).toEqual({ code: 0, error: '' });
  expect(out).toMatch(/scenario\.yaml: 4 steps, 2 webhooks, 3 files\n.*Secrets are masked.*\n✓ all/);
  const passing = await kadmit(kadmitTest, file('all'));
  expect(passing).toMatchObject({ code: 0, out: expect.stringContaining('1 passed; 4 steps') });

  const [scenario, script] = ['all/scenario.yaml', 'all/judge.example.com.js'].map((path) =>
    readFileSync(file(path), 'utf8'),
  );
  expect(scenario).toContain('namespaces:\n  shop: {}\n');
  expect(scenario).toContain('{ skipped: namespaceSelector }');
  expect(scenario).not.toMatch(/hunter2|aHVudGVyMg|caBundle/);
  writeFileSync(file('all/judge.example.com.js'), (script ?? '').replace('bad things', 'fine things'));
  const failing = await kadmit(kadmitTest, file('all'));
  expect(failing.code).toBe(1);
  expect(failing.out).toMatch(/scenario\.yaml:\d+:\d+: message: .*bad things are not allowed here.*fine things/);
});

test('a command is recorded, and only what it does', async () => {
  const { code, out } = await recordInto('command', '--', program, '-n', 'shop', 'label', 'configmap', 'good', 'x=y');
  expect({ code, out }).toEqual({ code: 0, out: expect.stringMatching(/: 1 step, 0 webhooks, 3 files\n✓ command/) });
  expect(readFileSync(file('command/scenario.yaml'), 'utf8')).toMatch(
    /description: 'Recorded: \S+ -n shop label configmap good x=y'\n(?:.*\n)*steps:\n {2}- patch: configmap\/good\n {4}namespace: shop\n/,
  );
  expect(readFileSync(file('command/objects.yaml'), 'utf8')).toContain(
    'kind: ConfigMap\nmetadata: { name: good, namespace: shop',
  );
});

test('objects that another manager applied before, and that were deleted since', async () => {
  const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'applied', namespace: 'shop' } };
  await run('apply --server-side -f -', [{ ...map, data: { a: '1' } }]);
  await run('apply --server-side --as alice --as-group system:masters -f -', [{ ...map, data: { a: '1', b: '2' } }]);
  await run('delete configmap applied -n shop --dry-run=server');
  await run('delete configmap applied -n shop');
  const { code, out } = await recordInto('applied', '--last', '3', '--golden');
  expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining('✓ applied') });
  expect(readFileSync(file('applied/1-configmap-applied.golden.yaml'), 'utf8')).toContain('b: "2"');
});

test('the reviews of a command are the folder of kadmit test --call, which the same webhook passes', async () => {
  const pod = (name: string, labels: object): object => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, namespace: 'shop', labels },
  });
  const manifest = file('pair.json');
  writeFileSync(
    manifest,
    JSON.stringify({ apiVersion: 'v1', kind: 'List', items: [pod('r1', {}), pod('r2', { bad: 'yes' })] }),
  );
  const args = ['--kubeconfig', file('kubeconfig'), '--reviews', file('reviews')];
  const recorded = await kadmit(recordCommand, ...args, '--', program, 'create', '-f', manifest);
  expect(recorded).toMatchObject({ code: 0, out: expect.stringContaining('4 AdmissionReviews of 2 webhooks; ') });
  writeFileSync(file('ca.pem'), Buffer.from(webhook.webhook.caBundle, 'base64'));
  const judged = (path: string): Promise<CommandResult> =>
    kadmit(kadmitTest, file('reviews/validating'), '--call', webhook.webhook.url + path, '--ca', file('ca.pem'));
  expect(await judged('/judge')).toMatchObject({ code: 0, out: expect.stringContaining('1 passed; 2 steps') });
  expect(await judged('/annotate')).toMatchObject({ code: 1, out: expect.stringContaining('it was to be denied') });

  const exported = ['export', 'all', '--kubeconfig', file('kubeconfig'), '--reviews', file('exported')];
  expect(await kadmit(traceCommand, ...exported)).toMatchObject({
    code: 0,
    out: expect.stringContaining('of 2 webhooks'),
  });
  expect(await kadmit(traceCommand, ...exported)).toMatchObject({
    code: 2,
    error: expect.stringContaining('it is not empty'),
  });
  expect(await kadmit(traceCommand, ...exported, '--out', 'x')).toMatchObject({ code: 2 });
  expect(await kadmit(recordCommand, ...args, '--golden')).toMatchObject({
    code: 2,
    error: 'kadmit record: --golden and --reviews cannot be used together',
  });
  expect(await kadmit(recordCommand, ...args, '-n', 'nowhere')).toMatchObject({
    code: 2,
    error: 'kadmit record: there is no AdmissionReview to write: no webhook was called',
  });
});

test.each<[string, readonly string[], RegExp]>([
  ['an unknown write', ['--since', 'x'], /^kadmit record: no trace "x"/],
  ['nothing', ['--user', 'unknown', '--last', '1', '-n', 'nowhere', '--', 'true'], /: there is nothing to record: /],
  [
    'a folder in use',
    ['--out', 'scenarios/skipped-first'],
    /scenario\.yaml exists already: choose another folder with --out$/,
  ],
  ['no number', ['--last', 'x'], /--last "x" is no number of writes/],
  ['a command without --', ['kubectl'], /a command goes after --/],
  ['no such command', ['--', '/no/such'], /\/no\/such cannot be run: /],
])('%s is reported in one line', async (_what, args, problem) => {
  const { code, error } = await recordInto('nothing', ...args);
  expect(code).toBe(2);
  expect(error).toMatch(problem);
  expect(error).not.toContain('\n');
});
