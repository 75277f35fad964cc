import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readYamlBody } from '../../src/adapters/http/body-formats.ts';
import type { Command } from '../../src/app/cli/command.ts';
import { budgetCommand } from '../../src/app/cli/budget/budget.ts';
import { orderCommand } from '../../src/app/cli/trials/order.ts';
import { idempotencyCommand } from '../../src/app/cli/trials/idempotency.ts';
import { compatCommand } from '../../src/app/cli/trials/compat.ts';
import { diffCommand } from '../../src/app/cli/diff/diff.ts';
import { importCommand } from '../../src/app/cli/import/import.ts';
import { celCommand } from '../../src/app/cli/cel/cel.ts';
import { chainCommand } from '../../src/app/cli/chain/chain.ts';
import { explainCommand } from '../../src/app/cli/explain/explain.ts';
import { lintCommand } from '../../src/app/cli/lint/lint.ts';
import { requestsCommand } from '../../src/app/cli/requests/requests.ts';
import { createWorlds } from '../../src/app/in-process/worlds.ts';
import { testCommand } from '../../src/app/cli/test/test.ts';
import { type Kadmit, startKadmit } from '../../src/app/library/start-kadmit.ts';
import { documentOf, schemaOf } from '../harness/json-documents.ts';
import { temporaryFolder } from '../harness/temporary-folder.ts';

const folder = temporaryFolder();
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

afterAll(() => kadmit.close());

const manifest = (name: string, object: object): string => {
  const path = join(folder, name);
  writeFileSync(path, JSON.stringify(object));
  return path;
};

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
const rows: readonly [name: string, run: (args: readonly string[]) => Promise<unknown>, readonly string[]][] = [
  [
    'cel',
    (args) => documentOf(celCommand, [...args, '-o', 'json'], context),
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
    (args) => documentOf(chainCommand, [...args, ...onServer()], context),
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
    (args) => documentOf(requestsCommand, [...args, ...onServer()], {}),
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
    (args) => documentOf(explainCommand, [...args, ...onServer()], context),
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
    (args) => documentOf(lintCommand, [...args, '-o', 'json'], context),
    readdirSync('scenarios', { withFileTypes: true })
      .filter((one) => one.isDirectory())
      .slice(0, 12)
      .map(({ name }) => `scenarios/${name}`),
  ],
  ['budget', (args) => documentOf(budgetCommand, [...args, '-o', 'json'], context), configurations.slice(0, 12)],
  ['order', (args) => documentOf(orderCommand, [...args, '-o', 'json'], worlds), scenarios.slice(0, 12)],
  ['idempotency', (args) => documentOf(idempotencyCommand, [...args, '-o', 'json'], worlds), scenarios.slice(0, 12)],
  [
    'compat',
    (args) => documentOf(compatCommand, ['--from', '1.36', '--to', '1.37', ...args, '-o', 'json'], worlds),
    configurations.slice(0, 12),
  ],
  [
    'diff',
    (args) => documentOf(diffCommand, [...args, '-o', 'json'], worlds),
    scenarios.slice(0, 12).map((scenario) => `${configurations[0] ?? ''} ${configurations[1] ?? ''} ${scenario}`),
  ],
  [
    'diff-log',
    (args) => documentOf(diffCommand, [...args, '--dump', manifest('dump.json', pod('web')), '-o', 'json'], worlds),
    Array.from({ length: 12 }, (_one, at) =>
      manifest(`policy-${at}.json`, policy(`object.metadata.name.size() > ${at}`)),
    ),
  ],
  [
    'import',
    (args) => documentOf(importCommand, [...args, '-o', 'json'], worlds),
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
      return documentOf(testCommand as Command<unknown>, [...args, '-o', 'json', '--parallel', '1'], worlds);
    },
    [
      'scenarios/first-scenario',
      'scenarios/late-sidecar',
      'scenarios/identity-trio',
      'scenarios/first-scenario --coverage',
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
    validate(await run(words.filter((word) => word !== '')));
    expect(validate.errors, `kadmit ${name} ${call}`).toBeNull();
  }
  expect(validate({ more: 1 })).toBe(false);
});
