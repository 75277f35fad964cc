import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv, type ValidateFunction } from 'ajv';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readYamlBody } from '../../src/adapters/http/body-formats.ts';
import type { Command } from '../../src/app/cli/command.ts';
import { loadCommands } from '../../src/app/cli/commands.ts';
import { budgetCommand } from '../../src/app/cli/budget/budget.ts';
import { orderCommand } from '../../src/app/cli/trials/order.ts';
import { idempotencyCommand } from '../../src/app/cli/trials/idempotency.ts';
import { compatCommand } from '../../src/app/cli/trials/compat.ts';
import { diffCommand } from '../../src/app/cli/diff/diff.ts';
import { importCommand } from '../../src/app/cli/import/import.ts';
import { celCommand } from '../../src/app/cli/cel/cel.ts';
import { chainCommand } from '../../src/app/cli/chain/chain.ts';
import { doctorCommand } from '../../src/app/cli/doctor/doctor.ts';
import { explainCommand } from '../../src/app/cli/explain/explain.ts';
import { lintCommand } from '../../src/app/cli/lint/lint.ts';
import { mapCommand } from '../../src/app/cli/map/map.ts';
import { replayCommand } from '../../src/app/cli/replay/replay.ts';
import { requestsCommand } from '../../src/app/cli/requests/requests.ts';
import { createWorlds } from '../../src/app/in-process/worlds.ts';
import { testCommand } from '../../src/app/cli/test/test.ts';
import { type Kadmit, startKadmit } from '../../src/app/library/start-kadmit.ts';

const folder = mkdtempSync(join(tmpdir(), 'kadmit-json-'));
let kadmit: Kadmit;

const pod = (name: string, labels: Readonly<Record<string, string>> = {}): object => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace: 'default', labels },
  spec: { containers: [{ name: 'web', image: 'web:1' }] },
});

beforeAll(async () => {
  kadmit = await startKadmit({ map: { 'shop/hooks': 'https://127.0.0.1:9' } });
  const rules = [{ operations: ['CREATE' as const], resources: ['pods'] }];
  await kadmit.webhook('labels.example.com', { type: 'mutating', rules }, () => ({
    patch: [{ op: 'add', path: '/metadata/annotations', value: { team: 'a' } }],
    warnings: ['a warning'],
  }));
  await kadmit.webhook('checks.example.com', { type: 'validating', rules }, ({ request: { name = '' } }) => ({
    allowed: !name.startsWith('bad'),
    status: { message: 'bad names are not allowed' },
  }));
  const namespaceSelector = { matchLabels: { env: 'prod' } };
  await kadmit.webhook('prod.example.com', { type: 'validating', rules, namespaceSelector }, () => undefined);
  await kadmit.client.create(pod('good'));
  await kadmit.client.create(pod('bad')).catch(() => {});
  await kadmit.client.create({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', namespace: 'default' } });
});

afterAll(async () => {
  await kadmit.close();
  rmSync(folder, { recursive: true });
});

const manifest = (name: string, object: object): string => {
  const path = join(folder, name);
  writeFileSync(path, JSON.stringify(object));
  return path;
};

async function documentsOf<Used>(
  command: Command<Used>,
  args: readonly string[],
  context: Used,
): Promise<readonly unknown[]> {
  const lines: string[] = [];
  const problems: string[] = [];
  const io = { out: (text: string) => void lines.push(text), error: (text: string) => void problems.push(text) };
  await command.run(args, io, context);
  // What a trial could not decide stands on standard error beside its document.
  if (lines.length === 0) throw new Error(problems.join('\n'));
  return [JSON.parse(lines.join('\n')) as unknown];
}

const schemaOf = (name: string): ValidateFunction =>
  new Ajv({ strict: true, allowUnionTypes: true }).compile(
    JSON.parse(readFileSync(`docs/reference/${name}.schema.json`, 'utf8')) as object,
  );

const context = { readYaml: readYamlBody };
const onServer = (): readonly string[] => ['--kubeconfig', kadmit.kubeconfigPath, '-o', 'json'];

const policy = (expression: string): object => ({
  apiVersion: 'v1',
  kind: 'List',
  items: [
    {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingAdmissionPolicy',
      metadata: { name: 'names' },
      spec: {
        matchConstraints: {
          resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] }],
        },
        validations: [{ expression }],
      },
    },
    {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingAdmissionPolicyBinding',
      metadata: { name: 'names' },
      spec: { policyName: 'names', validationActions: ['Deny'] },
    },
  ],
});

const worlds = { ...context, createWorlds: async (onBug: (error: unknown) => void) => createWorlds(onBug) };

const scenarios = readdirSync('scenarios')
  .filter((name) => existsSync(`scenarios/${name}/scenario.yaml`))
  .map((name) => `scenarios/${name}`);
const configurations = readdirSync('scenarios', { recursive: true, encoding: 'utf8' })
  .filter((file) => /(?:configurations|policies|policy|sidecar)\.yaml$/.test(file))
  .map((file) => `scenarios/${file}`);

/** A command with its schema, and a dozen ways to call it. */
const rows: readonly [
  name: string,
  run: (args: readonly string[]) => Promise<readonly unknown[]>,
  readonly string[],
][] = [
  [
    'cel',
    (args) => documentsOf(celCommand, [...args, '-o', 'json'], context),
    [
      '1 + 1',
      '"a" + "b"',
      '[1, 2].map(x, x * 2)',
      '1 +',
      'object.spec',
      '1 / 0',
      'true ? 1 : 2',
      '{"a": 1}',
      'null',
      'b"abc"',
      'duration("1h")',
      '[1].all(x, x > 0) --explain',
    ],
  ],
  [
    'chain',
    (args) => documentsOf(chainCommand, [...args, ...onServer()], context),
    [
      'pods',
      'pods -n kube-system',
      'configmaps',
      'namespaces',
      'deployments/scale',
      'pods --verb update',
      'pods --verb delete',
      'pods/exec --verb connect',
      'secrets --as bob',
      'secrets --as bob --as-group devs',
      'validatingwebhookconfigurations',
      'leases',
    ],
  ],
  [
    'requests',
    (args) => documentsOf(requestsCommand, [...args, ...onServer()], {}),
    [
      '',
      '--refused',
      '--findings',
      '--all',
      '--last 1',
      '-n default',
      '-n nothing-here',
      '--resource pods',
      '--verb create',
      '--verb delete',
      '--user kubernetes-admin',
      '--webhook labels',
    ],
  ],
  [
    'explain',
    (args) => documentsOf(explainCommand, [...args, ...onServer()], context),
    [
      'pod/good -n default',
      'pod/good',
      'pod/good --all',
      'pod/good --blame',
      'pod/bad',
      'configmap/a',
      'mutatingwebhookconfiguration/labels.example.com',
      'validatingwebhookconfiguration/checks.example.com',
      'validatingwebhookconfiguration/prod.example.com',
      `-f ${manifest('new.json', pod('new'))}`,
      `-f ${manifest('bad-too.json', pod('bad-too'))}`,
      `-f ${manifest('list.json', { apiVersion: 'v1', kind: 'List', items: [pod('one'), pod('two')] })}`,
    ],
  ],
  [
    'lint',
    (args) => documentsOf(lintCommand, [...args, '-o', 'json'], context),
    readdirSync('scenarios', { withFileTypes: true })
      .filter((one) => one.isDirectory())
      .slice(0, 12)
      .map(({ name }) => `scenarios/${name}`),
  ],
  ['budget', (args) => documentsOf(budgetCommand, [...args, '-o', 'json'], context), configurations.slice(0, 12)],
  ['order', (args) => documentsOf(orderCommand, [...args, '-o', 'json'], worlds), scenarios.slice(0, 12)],
  ['idempotency', (args) => documentsOf(idempotencyCommand, [...args, '-o', 'json'], worlds), scenarios.slice(0, 12)],
  [
    'compat',
    (args) => documentsOf(compatCommand, ['--from', '1.36', '--to', '1.37', ...args, '-o', 'json'], worlds),
    configurations.slice(0, 12),
  ],
  [
    'diff',
    (args) => documentsOf(diffCommand, [...args, '-o', 'json'], worlds),
    scenarios.slice(0, 12).map((scenario) => `${configurations[0] ?? ''} ${configurations[1] ?? ''} ${scenario}`),
  ],
  [
    'diff-log',
    (args) => documentsOf(diffCommand, [...args, '--dump', manifest('dump.json', pod('web')), '-o', 'json'], worlds),
    Array.from({ length: 12 }, (_one, at) =>
      manifest(`policy-${at}.json`, policy(`object.metadata.name.size() > ${at}`)),
    ),
  ],
  [
    'import',
    (args) => documentsOf(importCommand, [...args, '-o', 'json'], worlds),
    Array.from({ length: 12 }, (_one, at) => {
      const request = {
        uid: `${at}`,
        operation: 'CREATE',
        kind: { group: '', version: 'v1', kind: 'Pod' },
        resource: { group: '', version: 'v1', resource: 'pods' },
        namespace: 'default',
        userInfo: { username: 'alice' },
        object: pod(`web-${at}`),
      };
      const review = { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', request };
      return `${manifest(`review-${at}.json`, review)} --out ${join(folder, `imported-${at}`)}`;
    }),
  ],
  [
    'test',
    async (args) => {
      return documentsOf(testCommand as Command<unknown>, [...args, '--report', 'json', '--parallel', '1'], worlds);
    },
    [
      'scenarios/first-scenario',
      'scenarios/late-sidecar',
      'scenarios/identity-trio',
      ...['[]', '[{}]', '[{name: a}]', '[{name: a, delete: pods/a}]', '{}', 'a: b'].map((steps, at) => {
        const path = join(folder, `${at}.kadmit.yaml`);
        writeFileSync(path, `steps: ${steps}\n`);
        return path;
      }),
      ...['allowed', 'denied', 'deniedBy: x'].map((expected, at) => {
        const path = join(folder, `expected-${at}.kadmit.yaml`);
        writeFileSync(path, JSON.stringify({ steps: [{ name: 'a', create: pod('a'), expect: { [expected]: true } }] }));
        return path;
      }),
    ],
  ],
];

test.each(rows)('kadmit %s: a dozen documents match the schema', async (name, run, calls) => {
  const validate = schemaOf(name);
  expect(calls.length).toBeGreaterThanOrEqual(12);
  for (const call of calls) {
    const words =
      name === 'cel' ? call.split(' --').map((word, at) => (at === 0 ? word : `--${word}`)) : call.split(' ');
    for (const document of await run(words.filter((word) => word !== ''))) {
      validate(document);
      expect(validate.errors, `kadmit ${name} ${call}`).toBeNull();
    }
  }
  expect(validate({ more: 1 })).toBe(false);
});

test.each<[string, readonly string[]]>([
  ['the same response', []],
  ['another response', [JSON.stringify({ op: 'add', path: '/metadata/annotations', value: { team: 'b' } })]],
])('kadmit replay of %s: the document matches the schema', async (_, operations) => {
  const validate = schemaOf('replay');
  const server = createServer((_request, response) => {
    const patch = Buffer.from(`[${operations.join(',')}]`).toString('base64');
    const answer = { uid: '', allowed: true, patchType: 'JSONPatch', patch };
    response.end(JSON.stringify({ apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', response: answer }));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const { id } = kadmit.traces.last({ name: 'good' });
  const args = [id, '--to', `http://127.0.0.1:${port}/`, '--webhook', 'labels.example.com', ...onServer()];
  for (const document of await documentsOf(replayCommand, args, context)) validate(document);
  server.close();
  expect(validate.errors).toBeNull();
  expect(validate({})).toBe(false);
});

test.each<[string, () => Promise<readonly unknown[]>]>([
  ['doctor', () => documentsOf(doctorCommand, onServer(), {})],
  ['map', () => documentsOf(mapCommand, onServer(), {})],
])('kadmit %s: the document matches the schema', async (name, run) => {
  const validate = schemaOf(name);
  for (const document of await run()) {
    validate(document);
    expect(validate.errors).toBeNull();
  }
  expect(validate([{ more: 1 }])).toBe(false);
});

/** Commands that print documents of others, or several kinds. */
const schemasOf: Readonly<Record<string, readonly string[]>> = { diff: ['diff', 'diff-log'], trace: [], snapshot: [] };

test('every command with -o json has a schema', async () => {
  const printing = (await loadCommands()).filter(({ flags }) =>
    flags.some(({ name, argument }) => name === 'output' && argument.includes('json')),
  );
  expect(printing.length).toBeGreaterThan(10);
  for (const { name } of printing) for (const schema of schemasOf[name] ?? [name]) schemaOf(schema);
});
