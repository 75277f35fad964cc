import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { expect, test } from 'vitest';
import { budgetCommand } from '../../../../src/app/cli/budget/budget.ts';
import { importCommand } from '../../../../src/app/cli/import/import.ts';
import { diffCommand } from '../../../../src/app/cli/diff/diff.ts';
import { orderCommand } from '../../../../src/app/cli/trials/order.ts';
import { idempotencyCommand } from '../../../../src/app/cli/trials/idempotency.ts';
import { compatCommand } from '../../../../src/app/cli/trials/compat.ts';
import { createWorlds } from '../../../../src/app/in-process/worlds.ts';
import { readYamlBody } from '../../../../src/adapters/http/body-formats.ts';
import { temporaryFolder, writeObjects } from '../../../harness/temporary-folder.ts';

const folder = temporaryFolder();
const file = (name: string, ...objects: readonly unknown[]): string => writeObjects(folder, name, ...objects);

const pod = (image: string): object => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'web', namespace: 'default' },
  spec: { containers: [{ name: 'web', image }] },
});
const registration = 'admissionregistration.k8s.io/v1';
const policy = file(
  'policy.yaml',
  {
    apiVersion: registration,
    kind: 'ValidatingAdmissionPolicy',
    metadata: { name: 'no-latest' },
    spec: {
      matchConstraints: {
        resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] }],
      },
      validations: [{ expression: "object.spec.containers.all(c, !c.image.endsWith(':latest'))" }],
    },
  },
  {
    apiVersion: registration,
    kind: 'ValidatingAdmissionPolicyBinding',
    metadata: { name: 'no-latest' },
    spec: { policyName: 'no-latest', validationActions: ['Deny'] },
  },
);

type Ran = (args: readonly string[]) => Promise<{ readonly code: number; readonly document: unknown }>;

const running =
  (command: typeof diffCommand | typeof budgetCommand): Ran =>
  async (args) => {
    const lines: string[] = [];
    const io = { out: (text: string) => void lines.push(text), error: () => {} };
    const parts = {
      createWorlds: async (onBug: (error: unknown) => void) => createWorlds(onBug),
      readYaml: readYamlBody,
    };
    const code = await command.run([...args, '-o', 'json'], io, parts);
    return { code, document: JSON.parse(lines.join('\n')) as unknown };
  };

const review = (name: string, request: object): string =>
  file(name, { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', request });
const reviewed = review('review.json', {
  uid: 'a',
  operation: 'CREATE',
  kind: { group: '', version: 'v1', kind: 'Pod' },
  resource: { group: '', version: 'v1', resource: 'pods' },
  namespace: 'default',
  userInfo: { username: 'alice' },
  object: pod('web:1'),
});
file('own.yaml', {
  apiVersion: 'kyverno.io/v1',
  kind: 'ClusterPolicy',
  metadata: { name: 'own' },
  spec: { rules: [] },
});
file('pod.yaml', pod('web:1'));
const ofKyverno = file('kyverno-test.yaml', {
  apiVersion: 'cli.kyverno.io/v1alpha1',
  kind: 'Test',
  metadata: { name: 'own' },
  policies: ['own.yaml'],
  resources: ['pod.yaml'],
  results: [{ policy: 'own', rule: 'r', kind: 'Pod', resources: ['web'], result: 'pass' }],
});

const ofRelease = ['--from', '1.35', '--to', '1.36'];
const outside = {
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'web' },
  spec: { externalIPs: ['192.0.2.1'], ports: [{ port: 80 }] },
};

/** A run that finds something, one that finds nothing: the exit code shows, and both fit the schema. */
const rows: readonly [name: string, command: Ran, finds: readonly string[], findsNothing: readonly string[]][] = [
  [
    'budget',
    running(budgetCommand),
    ['scenarios/budget-breach/configurations.yaml'],
    ['scenarios/late-sidecar/configurations.yaml'],
  ],
  ['order', running(orderCommand), ['scenarios/late-sidecar'], ['scenarios/first-scenario']],
  ['idempotency', running(idempotencyCommand), ['scenarios/identity-trio'], ['scenarios/first-scenario']],
  [
    'diff-log',
    running(diffCommand),
    [policy, '--dump', file('bad.yaml', pod('web:latest'))],
    [policy, '--dump', file('good.yaml', pod('web:1'))],
  ],
  [
    'compat',
    running(compatCommand),
    [...ofRelease, file('outside.yaml', outside)],
    [...ofRelease, file('plain.yaml', pod('web:1'))],
  ],
  [
    'import',
    running(importCommand),
    [ofKyverno, '--out', join(folder, 'nothing')],
    [reviewed, '--out', join(folder, 'review')],
  ],
];

test.each(rows)(
  '%s: documents match their schema, exit codes depend on findings',
  async (name, run, finds, nothing) => {
    const schema: unknown = JSON.parse(readFileSync(`docs/reference/${name}.schema.json`, 'utf8'));
    const validate = new Ajv({ strict: true }).compile(schema as object);
    const found = await run(finds);
    validate(found.document);
    expect(validate.errors).toBeNull();
    expect(found.code).toBe(1);
    const quiet = await run(nothing);
    validate(quiet.document);
    expect(validate.errors).toBeNull();
    expect(quiet.code).toBe(0);
    // The schema is no sieve.
    expect(validate({ ...(found.document as object), more: 1 })).toBe(false);
  },
);
