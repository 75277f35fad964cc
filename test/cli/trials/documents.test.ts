import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { afterAll, expect, test } from 'vitest';
import { budget } from '../../../src/cli/budget/budget.ts';
import { replayLog } from '../../../src/cli/replay/replay-log.ts';
import { permute } from '../../../src/cli/trials/permute.ts';
import { refeed } from '../../../src/cli/trials/refeed.ts';
import { createWorlds } from '../../../src/simulate/worlds.ts';

const folder = mkdtempSync(join(tmpdir(), 'kadmit-documents-'));
afterAll(() => rmSync(folder, { recursive: true }));
const file = (name: string, ...objects: readonly unknown[]): string => {
  writeFileSync(join(folder, name), objects.map((one) => JSON.stringify(one)).join('\n---\n'));
  return join(folder, name);
};

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

type Command = (args: readonly string[]) => Promise<{ readonly code: number; readonly document: unknown }>;

const io = (lines: string[]): Parameters<typeof budget>[1] => ({
  out: (text) => void lines.push(text),
  error: (text) => void lines.push(text),
});

const running =
  (command: typeof permute | typeof refeed | typeof replayLog | typeof budget): Command =>
  async (args) => {
    const lines: string[] = [];
    const code = await command([...args, '-o', 'json'], io(lines), {
      createWorlds: async (onBug) => createWorlds(onBug),
    });
    return { code, document: JSON.parse(lines.join('\n')) as unknown };
  };

/** A run that finds something, one that finds nothing: the exit code tells, and both fit the schema. */
const rows: readonly [name: string, command: Command, finds: readonly string[], findsNothing: readonly string[]][] = [
  [
    'budget',
    running(budget),
    ['scenarios/budget-breach/configurations.yaml'],
    ['scenarios/late-sidecar/configurations.yaml'],
  ],
  ['permute', running(permute), ['scenarios/late-sidecar'], ['scenarios/first-scenario']],
  ['refeed', running(refeed), ['scenarios/identity-trio'], ['scenarios/first-scenario']],
  [
    'replay-log',
    running(replayLog),
    ['--dump', file('bad.yaml', pod('web:latest')), '--load', policy],
    ['--dump', file('good.yaml', pod('web:1')), '--load', policy],
  ],
];

test.each(rows)('%s: documents fit their schema, exit codes say what was found', async (name, run, finds, nothing) => {
  const schema: unknown = JSON.parse(readFileSync(`docs/${name}.schema.json`, 'utf8'));
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
});
