import { expect, test } from 'vitest';
import { register } from '../../../harness/configurations.ts';
import { createTestWorld, type TestWorld } from '../../../harness/world.ts';

const group = '/apis/admissionregistration.k8s.io/v1';
const policy = {
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'ValidatingAdmissionPolicy',
  metadata: { name: 'limits' },
  spec: {
    matchConstraints: {
      objectSelector: { matchLabels: { app: 'web' } },
      resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['*'], resources: ['configmaps'] }],
    },
    validations: [{ expression: 'true' }],
  },
};
const binding = {
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'ValidatingAdmissionPolicyBinding',
  metadata: { name: 'all' },
  spec: { policyName: 'limits', validationActions: ['Deny'] },
};

async function worldWith(mutating: readonly object[], validating: readonly object[]): Promise<TestWorld> {
  const world = await createTestWorld();
  if (mutating.length > 0) await register(world, 'mutating', ...mutating);
  if (validating.length > 0) await register(world, 'validating', ...validating);
  return world;
}

const question = {
  verb: 'create',
  group: '',
  version: 'v1',
  resource: 'configmaps',
  namespace: 'default',
  user: 'bob',
};
const labelled = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', labels: { app: 'web' } } };

async function outcomes(world: TestWorld, asked: object): Promise<Readonly<Record<string, unknown>>> {
  const steps = await world.preview({ ...question, ...asked });
  if (!steps.ok) throw new Error(steps.status.message);
  const others = steps.value.filter(({ type }) => type !== 'plugin');
  return Object.fromEntries(others.map(({ name, outcome }) => [name, outcome]));
}

const hooks = [
  { name: 'plain.x.io' },
  { name: 'ns.x.io', namespaceSelector: { matchLabels: { team: 'blue' } } },
  { name: 'obj.x.io', objectSelector: { matchLabels: { app: 'web' } } },
  { name: 'cond.x.io', matchConditions: [{ name: 'not-bob', expression: "request.userInfo.username != 'bob'" }] },
  { name: 'pods.x.io', rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['*'], resources: ['pods'] }] },
];

test('without the object, results that need labels or conditions stay open; no webhook is called', async () => {
  const world = await worldWith([], hooks);
  const before = world.calls.length;
  expect(await outcomes(world, {})).toMatchObject({
    'plain.x.io': { outcome: 'called' },
    'ns.x.io': { outcome: 'skipped', reason: { because: 'namespaceSelector' } },
    'obj.x.io': { outcome: 'depends', on: ['objectSelector requires app=web'] },
    'cond.x.io': { outcome: 'depends', on: ["matchCondition not-bob: request.userInfo.username != 'bob'"] },
    'pods.x.io': { outcome: 'skipped', reason: { because: 'no-rule-matched' } },
  });
  expect(world.calls).toHaveLength(before);
});

test('with the object all of it is decided', async () => {
  const world = await worldWith([], hooks);
  expect(await outcomes(world, { object: labelled })).toMatchObject({
    'obj.x.io': { outcome: 'called' },
    'cond.x.io': { outcome: 'skipped', reason: { because: 'matchCondition', condition: 'not-bob' } },
  });
  const object = { ...labelled, metadata: { name: 'a' } };
  expect(await outcomes(world, { object, user: 'ann' })).toMatchObject({
    'obj.x.io': { outcome: 'skipped', reason: { because: 'objectSelector' } },
    'cond.x.io': { outcome: 'called' },
  });
});

test('policies: bound, not bound, and by the labels of the object', async () => {
  const world = await createTestWorld();
  await world.send('POST', `${group}/validatingadmissionpolicies`, policy);
  expect(await outcomes(world, {})).toMatchObject({ limits: { outcome: 'skipped', reason: { because: 'not-bound' } } });
  await world.send('POST', `${group}/validatingadmissionpolicybindings`, binding);
  expect(await outcomes(world, {})).toMatchObject({
    limits: { outcome: 'depends', on: ['objectSelector requires app=web'] },
  });
  expect(await outcomes(world, { object: labelled })).toMatchObject({ limits: { outcome: 'called' } });
});

test('the mutating half first, plugins where they run, ResourceQuota last', async () => {
  const world = await worldWith([{ name: 'b.x.io' }, { name: 'a.x.io' }], [{ name: 'v.x.io' }]);
  const steps = await world.preview(question);
  const names = steps.ok ? steps.value.map(({ phase, name }) => `${phase} ${name}`) : [];
  expect(names.filter((name) => name.endsWith('.x.io'))).toEqual([
    'mutating b.x.io',
    'mutating a.x.io',
    'validating v.x.io',
  ]);
  expect(names[0]).toBe('mutating NamespaceLifecycle');
  expect(names.at(-1)).toBe('validating ResourceQuota');
});

test('no webhook sees a configuration of webhooks', async () => {
  const world = await worldWith(
    [],
    [{ name: 'all.x.io', rules: [{ apiGroups: ['*'], apiVersions: ['*'], operations: ['*'], resources: ['*/*'] }] }],
  );
  const asked = { group: 'admissionregistration.k8s.io', resource: 'validatingwebhookconfigurations' };
  expect(await outcomes(world, asked)).toMatchObject({
    'all.x.io': { outcome: 'skipped', reason: { because: 'exempt' } },
  });
});

test.each([
  [{ verb: 'get' }, 'verb: "get" is none of create, update, patch, delete, connect'],
  [{ resource: 'pods', subresource: 'foo' }, 'there is no pods/foo in v1 on this server'],
  [{ resource: 'constructor' }, 'there is no constructor in v1 on this server'],
])('%j is refused', async (asked, message) => {
  const world = await createTestWorld();
  expect(await world.preview({ ...question, ...asked })).toMatchObject({ ok: false, status: { code: 400, message } });
});
