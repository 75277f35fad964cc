import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { run } from '../../src/app/cli/run.ts';
import { kubeconfigText } from '../../src/adapters/config/kubeconfig/write-kubeconfig.ts';
import { readYamlBody } from '../../src/adapters/http/body-formats.ts';
import { createWorlds } from '../../src/app/in-process/worlds.ts';
import { readTraceFile } from '../../src/adapters/traces/trace-file.ts';
import { type Kadmit, startKadmit } from '../harness/start-kadmit.ts';
import { temporaryFolder } from '../harness/temporary-folder.ts';

// `kadmit test` with another server: --target and --compare-with; and --outage, which needs none.

const folder = temporaryFolder();
const kubeconfig = join(folder, 'kubeconfig');
let server: Kadmit;

beforeAll(async () => {
  server = await startKadmit({ controllers: ['*'] });
  writeFileSync(kubeconfig, kubeconfigText(server), { mode: 0o600 });
  write('labels', labels);
  write('stuck', stuck);
});

afterAll(() => server.close());

function write(name: string, text: string): void {
  mkdirSync(join(folder, name));
  writeFileSync(join(folder, name, 'scenario.yaml'), text);
}

const labels = `
name: labels
namespaces: { shop: {} }
webhooks:
  - { name: a.example.com, type: mutating, rules: configmaps, does: { label: { seen: 'yes' } } }
steps:
  - create: { apiVersion: v1, kind: ConfigMap, metadata: { name: one, namespace: shop } }
    expect: { object: { metadata: { labels: { seen: 'yes' } } }, webhooks: { a.example.com: called } }
`;

const stuck = `
name: stuck
load:
  - apiVersion: admissionregistration.k8s.io/v1
    kind: MutatingWebhookConfiguration
    metadata: { name: injector }
    webhooks:
      - name: i.example.com
        clientConfig: { service: { namespace: inject, name: injector } }
        rules: [{ apiGroups: [''], apiVersions: [v1], operations: [CREATE], resources: [pods] }]
        sideEffects: None
        admissionReviewVersions: [v1]
webhooks: [{ name: i.example.com }]
steps: [{ get: namespace/default }]
`;

interface Ran {
  readonly exitCode: number;
  readonly out: string;
  readonly error: string;
}

async function kadmitTest(...args: readonly string[]): Promise<Ran> {
  const out: string[] = [];
  const error: string[] = [];
  const parts = {
    startApiserver: () => Promise.reject(new Error('no server')),
    startOwnServer: () => Promise.reject(new Error('no server')),
    runCommand: () => Promise.reject(new Error('no commands')),
    openTraces: () => Promise.reject(new Error('no page')),
    missingPlugins: () => Promise.resolve([]),
    runningPlugins: () => Promise.reject(new Error('not asked for')),
    admissionPlugins: () => Promise.reject(new Error('no plugins')),
    createWorlds: async (onBug: (error: unknown) => void) => createWorlds(onBug),
    readYaml: readYamlBody,
  };
  const io = { out: (text: string) => out.push(text), error: (text: string) => error.push(text) };
  const exitCode = await run(['test', ...args], io, parts);
  return { exitCode, out: out.join('\n'), error: error.join('\n') };
}

test('--target runs the same file on another server', async () => {
  const { exitCode, out, error } = await kadmitTest(join(folder, 'labels'), '--target', kubeconfig);
  expect([exitCode, error]).toEqual([0, '']);
  expect(out).toContain('✓ labels');
});

test('--trace-dir has one page for a scenario that failed, with all its requests', async () => {
  const map = (name: string) => `{ apiVersion: v1, kind: ConfigMap, metadata: { name: ${name} } }`;
  write('fails', `steps: [{ create: ${map('a')} }, { create: ${map('b')}, expect: { code: 418 } }]`);
  const traces = join(folder, 'traces');
  const { exitCode, error } = await kadmitTest(join(folder, 'fails'), join(folder, 'labels'), '--trace-dir', traces);
  expect(exitCode).toBe(1);
  expect(error).toMatch(/^what failed, to be opened in any browser: .*fails\/trace\.html$/);
  const file = error.slice(error.indexOf(': ') + 2);
  const reading = readTraceFile(readFileSync(file, 'utf8'));
  expect(reading).toMatchObject({ traces: [{ request: { name: 'a' } }, { request: { name: 'b' } }] });
});

test('--compare-with says that they do the same', async () => {
  const { exitCode, out } = await kadmitTest(join(folder, 'labels'), '--compare-with', kubeconfig);
  expect(exitCode).toBe(0);
  expect(out).toMatch(/^SAME {2}labels .*1 step compared$/);
});

test('--compare-with in JSON, in a file', async () => {
  const file = join(folder, 'reports', 'comparison.json');
  const { exitCode, out } = await kadmitTest(
    join(folder, 'labels'),
    '--compare-with',
    kubeconfig,
    '--report',
    `json=${file}`,
  );
  expect(exitCode).toBe(0);
  expect(out).toContain('SAME');
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject([{ outcome: 'same', steps: [{ outcome: 'same' }] }]);
});

test('--outage shows what keeps the cluster from coming back', async () => {
  const { exitCode, out } = await kadmitTest(join(folder, 'stuck'), '--outage');
  expect(exitCode).toBe(1);
  expect(out.split('\n')[0]).toBe('STUCK  stuck: inject/injector cannot recover by itself');
});

test('--outage in JSON', async () => {
  const { exitCode, out } = await kadmitTest(join(folder, 'stuck'), '--outage', '--report', 'json');
  expect(exitCode).toBe(1);
  expect(JSON.parse(out)).toMatchObject([{ outcome: 'stuck', knots: [{ name: 'i.example.com' }] }]);
});

test('a scenario without a webhook recovers', async () => {
  write('calm', 'name: calm\nsteps: [{ get: namespace/default }]\n');
  const { exitCode, out } = await kadmitTest(join(folder, 'calm'), '--outage');
  expect([exitCode, out]).toEqual([0, 'RECOVERS  calm: it loads no webhook']);
});

const nowhere = join(folder, 'nowhere');

/** What cannot be done is said in one line, with exit code 2. */
const refusals: readonly [fact: string, args: readonly string[], error: string][] = [
  ['two other ways to run', ['--outage', '--target', kubeconfig], '--target and --outage cannot be used together'],
  ['a kubeconfig that is not there', ['--target', nowhere], `--target ${nowhere}: there is no such file`],
  [
    'a report that knows only scenarios',
    ['--outage', '--report', 'junit'],
    '--outage reports as pretty or json, not as junit',
  ],
];

test.each(refusals)('%s', async (_fact, args, error) => {
  expect(await kadmitTest(join(folder, 'labels'), ...args)).toEqual({
    exitCode: 2,
    out: '',
    error: `kadmit test: ${error}`,
  });
});
