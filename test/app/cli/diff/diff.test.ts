import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { expect, test } from 'vitest';
import { diffCommand } from '../../../../src/app/cli/diff/diff.ts';
import { diff as diffOf } from '../../../../src/library.ts';
import { createWorlds } from '../../../../src/app/in-process/worlds.ts';
import { temporaryFolder, writeObjects } from '../../../harness/temporary-folder.ts';

const folder = temporaryFolder();
const file = (name: string, ...objects: readonly unknown[]): string => writeObjects(folder, name, ...objects);

const registration = 'admissionregistration.k8s.io/v1';
const onPods = [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] }];
const policy = {
  apiVersion: registration,
  kind: 'ValidatingAdmissionPolicy',
  metadata: { name: 'no-latest' },
  spec: {
    matchConstraints: { resourceRules: onPods },
    validations: [{ expression: "object.spec.containers.all(c, !c.image.endsWith(':latest'))", message: 'no latest' }],
  },
};
const binding = (action: string): object => ({
  apiVersion: registration,
  kind: 'ValidatingAdmissionPolicyBinding',
  metadata: { name: 'no-latest' },
  spec: { policyName: 'no-latest', validationActions: [action] },
});
const label = {
  apiVersion: registration,
  kind: 'MutatingAdmissionPolicy',
  metadata: { name: 'seen' },
  spec: {
    matchConstraints: { resourceRules: onPods },
    reinvocationPolicy: 'Never',
    mutations: [
      {
        patchType: 'ApplyConfiguration',
        applyConfiguration: { expression: "Object{metadata: Object.metadata{labels: {'seen': 'yes'}}}" },
      },
    ],
  },
};
const labelBinding = {
  apiVersion: registration,
  kind: 'MutatingAdmissionPolicyBinding',
  metadata: { name: 'seen' },
  spec: { policyName: 'seen' },
};
const hooks = {
  apiVersion: registration,
  kind: 'ValidatingWebhookConfiguration',
  metadata: { name: 'gate' },
  webhooks: [
    {
      name: 'gate.example.com',
      clientConfig: { url: 'https://gate.invalid/' },
      rules: onPods,
      sideEffects: 'None',
      admissionReviewVersions: ['v1'],
    },
  ],
};
const pod = (name: string, image: string): object => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name },
  spec: { containers: [{ name: 'web', image }] },
});

const warns = file('policy.yaml', policy, binding('Warn'));
const denies = file('stricter.yaml', policy, binding('Deny'), label, labelBinding);
const pods = file('pods.yaml', pod('good', 'web:1'), pod('bad', 'web:latest'), {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'other' },
});

async function run(...args: readonly string[]): Promise<{ readonly code: number; readonly text: string }> {
  const lines: string[] = [];
  const code = await diffCommand.run(
    args,
    { out: (text) => lines.push(text), error: (text) => lines.push(text) },
    { createWorlds: async (onBug) => createWorlds(onBug) },
  );
  return { code, text: lines.join('\n') };
}

test('the output of docs/reference/diff.md', async () => {
  const [, output = ''] =
    /```text\n\$ [^\n]*\n([\s\S]*?)```/.exec(readFileSync('docs/reference/diff.md', 'utf8')) ?? [];
  const { code, text } = await run(warns, denies, pods);
  expect(text.replace(pods, 'pods.yaml')).toBe(output.trimEnd());
  expect(code).toBe(1);
});

test('a set has no differences from itself; exit code 0', async () => {
  const { code, text } = await run(denies, denies, pods);
  expect(text).toMatch(/3 requests: 3 the same, 0 differ/);
  expect(code).toBe(0);
});

test('the document matches its schema, with verdicts, objects, warnings and calls', async () => {
  const { text } = await run(denies, file('hooks.yaml', hooks, policy, binding('Warn')), pods, '-o', 'json');
  const document: unknown = JSON.parse(text);
  const validate = new Ajv({ strict: true }).compile(
    JSON.parse(readFileSync('docs/reference/diff.schema.json', 'utf8')),
  );
  validate(document);
  expect(validate.errors).toBeNull();
  expect(document).toMatchObject({
    reports: [
      {
        requests: 3,
        differences: [
          {
            request: 'Pod good',
            differs: ['object', 'calls'],
            sides: [{ calls: [] }, { calls: ['validating gate/gate.example.com'] }],
          },
          { request: 'Pod bad', differs: ['verdict', 'warnings', 'calls'], sides: [{ code: 422 }, { code: 201 }] },
        ],
        sides: [
          { admitted: 2, refused: 1 },
          { admitted: 3, refused: 0, calls: 2 },
        ],
      },
    ],
  });
});

test('the writes of an audit log are dry runs; other entries are counted', async () => {
  const event = (verb: string, object: object): object => ({
    stage: 'ResponseComplete',
    verb,
    requestURI: '/api/v1/namespaces/shop/pods',
    user: { username: 'bob', groups: [] },
    objectRef: { resource: 'pods', namespace: 'shop', name: 'a', apiVersion: 'v1' },
    responseStatus: { code: 201 },
    requestObject: object,
  });
  const log = join(folder, 'audit.log');
  const events = [event('create', pod('a', 'web:latest')), event('create', pod('b', 'web:1')), event('list', {})];
  writeFileSync(log, events.map((one) => JSON.stringify(one)).join('\n'));
  const [report] = await diffOf({
    a: warns,
    b: file('deny.yaml', policy, binding('Deny')),
    requests: [],
    auditLog: log,
  });
  expect(report).toMatchObject({ requests: 2, same: 1, differing: 1, leftOut: { 'a read': 1 } });
  expect(report?.differences[0]).toMatchObject({
    request: 'create pods shop/a by bob',
    differs: ['verdict', 'warnings'],
  });
});

test('of a scenario the requests and stubs are taken, not its configurations', async () => {
  const late = 'scenarios/late-sidecar';
  const [report] = await diffOf({ a: `${late}/configurations.yaml`, b: warns, requests: [late] });
  expect(report?.differences[0]?.sides.map(({ calls }) => calls)).toEqual([
    ['mutating a-variables/variables.example.com', 'mutating b-sidecar/sidecar.example.com'],
    [],
  ]);
});

test.each([
  [[], /A is required/],
  [['a'], /B is required, or --audit-log or --dump/],
  [['a', '--trace-dir', 'b'], /--trace-dir needs A and B/],
  [['a', 'b', '--dump', 'c'], /--dump is for A alone; unexpected argument "b"/],
  [['a', 'b', '--takes', '*=1s', 'c'], /--takes is for A alone; unexpected argument "b"/],
  [['a', 'b'], /objects, scenarios, --audit-log or --trace-dir are required/],
  [[warns, 'nowhere.yaml', pods], /nowhere.yaml:1:1: there is no such file or folder/],
  [[warns, denies, pods, '--to', 'x'], /--to x: give one such as/],
])('%j is bad usage', async (args, problem) => {
  const { code, text } = await run(...args);
  expect(text).toMatch(problem);
  expect(code).toBe(2);
});
