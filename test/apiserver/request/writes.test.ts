import { expect, test } from 'vitest';
import { asString, isJsonObject, type JsonObject } from '../../../src/machinery/json/json.ts';
import type { UserInfo } from '../../../src/apiserver/auth/user.ts';
import { register } from '../../harness/configurations.ts';
import { at } from '../../harness/world-answer.ts';
import { createTestWorld, type TestWorld } from '../../harness/world.ts';

// Writes whose operation, object or right is not what their verb says: PUT and apply that create, and subresources.
const ada: UserInfo = { username: 'ada', uid: '', groups: ['system:authenticated'], extra: {} };
const rbac = '/apis/rbac.authorization.k8s.io/v1/namespaces/default';
const leases = '/apis/coordination.k8s.io/v1/namespaces/default/leases';

/** Every webhook call of every resource and subresource, mutating first. */
async function watchAll(world: TestWorld): Promise<void> {
  const rules = [{ operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*/*'] }];
  for (const phase of ['mutating', 'validating'] as const) {
    await register(world, phase, { name: `${phase}.example.com`, rules });
  }
}

async function allow(world: TestWorld, rule: JsonObject): Promise<void> {
  await world.send('POST', `${rbac}/roles`, { metadata: { name: 'r' }, rules: [rule] });
  await world.send('POST', `${rbac}/rolebindings`, {
    metadata: { name: 'b' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'r' },
    subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'ada' }],
  });
}

type CreationRow = readonly [
  sentence: string,
  verbs: readonly string[],
  names: readonly string[],
  answer: string,
  calls: string,
];

const refused =
  '403 leases.coordination.k8s.io "l" is forbidden: User "ada" cannot create resource "leases" in API group "coordination.k8s.io" in the namespace "default"';

// Source: apiserver pkg/endpoints/handlers/update.go withAuthorization; rule PATH-24.
test.each<CreationRow>([
  ['who may update only', ['update'], [], refused, 'mutating.example.com CREATE'],
  [
    'who may create too',
    ['update', 'create'],
    [],
    '201 ',
    'mutating.example.com CREATE, validating.example.com CREATE',
  ],
  [
    'who may create this one by name',
    ['update', 'create'],
    ['l'],
    '201 ',
    'mutating.example.com CREATE, validating.example.com CREATE',
  ],
])('a PUT of a missing lease by one %s', async (...row) => {
  const [, verbs, resourceNames, answer, calls] = row;
  const world = await createTestWorld();
  await allow(world, { apiGroups: ['coordination.k8s.io'], resources: ['leases'], verbs, resourceNames });
  await watchAll(world);
  const before = world.calls.length;
  const { code, message } = await world.send('PUT', `${leases}/l`, { metadata: { name: 'l' } }, { as: ada });
  expect(`${code} ${message}`).toBe(answer);
  const seen = world.calls.slice(before).map(({ webhook, request }) => `${webhook} ${asString(request['operation'])}`);
  expect(seen.join(', ')).toBe(calls);
});

test('an apply of a missing object needs the right to create as well', async () => {
  const world = await createTestWorld();
  await allow(world, { apiGroups: [''], resources: ['configmaps'], verbs: ['patch'] });
  const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c' } };
  const target = '/api/v1/namespaces/default/configmaps/c?fieldManager=m';
  const answer = await world.send('PATCH', target, body, { as: ada, contentType: 'application/apply-patch+yaml' });
  expect(`${answer.code} ${answer.message}`).toBe(
    '403 configmaps "c" is forbidden: User "ada" cannot create resource "configmaps" in API group "" in the namespace "default"',
  );
  expect(answer.body['details']).toEqual({ name: 'c', kind: 'configmaps' });
});

// Source: the strategies' AllowCreateOnUpdate in kubernetes pkg/registry; rules PATH-21 and PATH-24.
test.each<readonly [target: string, kind: string, more: JsonObject, answer: string]>([
  [leases, 'Lease', {}, '201'],
  [`${rbac}/roles`, 'Role', { rules: [] }, '201'],
  ['/api/v1/namespaces/default/services', 'Service', { spec: { ports: [{ port: 80 }] } }, '201'],
  ['/api/v1/namespaces/default/endpoints', 'Endpoints', {}, '201'],
  ['/api/v1/namespaces/default/configmaps', 'ConfigMap', {}, '404 configmaps "x" not found'],
  ['/api/v1/namespaces/default/secrets', 'Secret', {}, '404 secrets "x" not found'],
])('a PUT of a missing object to %s', async (target, kind, more, answer) => {
  const world = await createTestWorld();
  const { code, message } = await world.send('PUT', `${target}/x`, { kind, metadata: { name: 'x' }, ...more });
  expect(`${code} ${message}`.trim()).toBe(answer);
});

const pods = '/api/v1/namespaces/default/pods';
const pod = { metadata: { name: 'x' }, spec: { containers: [{ name: 'c', image: 'i' }] } };
const requests = '/apis/certificates.k8s.io/v1/certificatesigningrequests';
const ephemeral = { ephemeralContainers: [{ name: 'e', image: 'i', terminationMessagePolicy: 'File' }] };

type SubresourceRow = readonly [target: string, sent: JsonObject, stays: readonly string[], changes: readonly string[]];

// Source: spec/admission.md section 10.7, spec/kubectl.md section 13.2; rule PATH-27.
test.each<SubresourceRow>([
  [
    pods,
    { spec: { activeDeadlineSeconds: 5 }, status: { phase: 'Failed' } },
    ['status', 'phase'],
    ['spec', 'activeDeadlineSeconds'],
  ],
  [
    `${pods}/status`,
    { spec: { activeDeadlineSeconds: 5 }, status: { phase: 'Failed' } },
    ['spec', 'activeDeadlineSeconds'],
    ['status', 'phase'],
  ],
  [
    `${pods}/ephemeralcontainers`,
    { spec: { ...ephemeral, activeDeadlineSeconds: 5 } },
    ['spec', 'activeDeadlineSeconds'],
    ['spec', 'ephemeralContainers'],
  ],
  [
    '/api/v1/namespaces/finalize',
    { spec: { finalizers: ['a/b'] }, status: { phase: 'Terminating' } },
    ['status', 'phase'],
    ['spec', 'finalizers'],
  ],
  [
    `${requests}/approval`,
    { status: { certificate: 'YQ==', conditions: [{ type: 'Approved', status: 'True', reason: 'r' }] } },
    ['status', 'certificate'],
    ['status', 'conditions'],
  ],
])('PUT %s: webhooks see what is sent, then what is kept', async (target, sent, stays, changes) => {
  const world = await createTestWorld();
  const [path, subresource] = subresourceIn(target);
  const made = await makeIn(world, path);
  await watchAll(world);
  const before = world.calls.length;
  const put = await world.send('PUT', `${path}/x${subresource === '' ? '' : `/${subresource}`}`, merged(made, sent));
  expect(`${put.code} ${put.message}`).toBe('200 ');
  const [mutating, validating, ...more] = world.calls.slice(before).map(({ request }) => request);
  expect(more).toEqual([]);
  expect([mutating?.['operation'], mutating?.['subResource']]).toEqual(['UPDATE', subresource || undefined]);
  const is = [mutating?.['object'], validating?.['object'], put.body].map((one) => [
    at(one, ...stays),
    at(one, ...changes),
  ]);
  const wanted = [at(sent, ...stays), at(sent, ...changes)];
  const kept = at(made, ...stays);
  expect(is).toMatchObject([wanted, [kept, wanted[1]], [kept, wanted[1]]]);
  expect(validating?.['oldObject']).toEqual(made);
});

/** Of an EC key, for the name ada. */
const certificateRequest =
  'LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlISU1IQUNBUUF3RGpFTU1Bb0dBMVVFQXd3RFlXUmhNRmt3RXdZSEtvWkl6ajBDQVFZSUtvWkl6ajBEQVFjRApRZ0FFYzN5SlRqbTZyOXVoN3FxZzUyQzg3WTljYTBHemFkeWQ0bERUME82MDl5aVlwRlFCd2UzaFhLTlhqMkF4CmFVanMxZGhFeE40QW9WZE05Rk45TDFBUlQ2QUFNQW9HQ0NxR1NNNDlCQU1DQTBnQU1FVUNJQjVNOCtESzJjMnAKTmJuN2k0cGJhYWNLMXk0OEtwUHN6Ly9uRjNrM2s2UGlBaUVBbzRmNFVSdW9IdHNqbDRqUmIrVGRQUEIvcjVSeQpPdWRNOVVsc1RBcU42Vjg9Ci0tLS0tRU5EIENFUlRJRklDQVRFIFJFUVVFU1QtLS0tLQo=';

const subresources = ['status', 'ephemeralcontainers', 'finalize', 'approval'];

function subresourceIn(target: string): readonly [string, string] {
  const last = target.slice(target.lastIndexOf('/') + 1);
  return subresources.includes(last) ? [target.slice(0, -last.length - 1), last] : [target, ''];
}

async function makeIn(world: TestWorld, path: string): Promise<JsonObject> {
  const bodies: Readonly<Record<string, JsonObject>> = {
    [pods]: pod,
    [requests]: {
      metadata: { name: 'x' },
      spec: { signerName: 'a.example.com/b', usages: ['client auth'], request: certificateRequest },
    },
  };
  await world.send('POST', '/api/v1/namespaces/default/serviceaccounts', { metadata: { name: 'default' } });
  const made = await world.send('POST', path, bodies[path] ?? { metadata: { name: 'x' } });
  if (made.code !== 201) throw new Error(made.message);
  return made.body;
}

/** Two levels are enough here. */
const merged = (made: JsonObject, sent: JsonObject): JsonObject =>
  Object.fromEntries(
    [...new Set([...Object.keys(made), ...Object.keys(sent)])].map((key) => {
      const [old, next] = [made[key], sent[key]];
      return [key, isJsonObject(old) && isJsonObject(next) ? { ...old, ...next } : (next ?? old ?? null)];
    }),
  );

// Source: apiserver pkg/storage/etcd3/store.go GuaranteedUpdate; rule PATH-41.
test('a DELETE of what is held already asks again and writes nothing', async () => {
  const world = await createTestWorld();
  const path = '/api/v1/namespaces/default/configmaps';
  await world.send('POST', path, { metadata: { name: 'c', finalizers: ['x/y'] } });
  await watchAll(world);
  const first = await world.send('DELETE', `${path}/c`);
  await world.clock.advance(5000);
  expect((await world.send('DELETE', `${path}/c`)).body).toEqual(first.body);
  expect(world.calls.filter(({ request }) => request['operation'] === 'DELETE')).toHaveLength(4);
});

// Source: kubernetes pkg/registry/core/pod/storage/storage.go StatusREST.Update: subresources do not create.
test.each(['status', 'ephemeralcontainers', 'resize'])(
  'an apply to %s of a missing pod creates none',
  async (subresource) => {
    const world = await createTestWorld();
    const body = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'q' } };
    const contentType = 'application/apply-patch+yaml';
    const answer = await world.send('PATCH', `${pods}/q/${subresource}?fieldManager=m`, body, { contentType });
    expect(`${answer.code} ${answer.message}`).toBe('404 pods "q" not found');
  },
);

// Source: apiserver pkg/registry/generic/registry/dryrun.go Create and etcd3/store.go Create; controller-runtime pkg/client/dryrun_test.go.
test.each([
  ['', 500, undefined],
  ['?dryRun=All', 201, '7'],
])('a create%s of an object that has a resourceVersion answers %d', async (query, code, resourceVersion) => {
  const world = await createTestWorld();
  const sent = { metadata: { name: 'c', resourceVersion: '7' } };
  const answer = await world.send('POST', `/api/v1/namespaces/default/configmaps${query}`, sent);
  expect([answer.code, at(answer.body, 'metadata', 'resourceVersion')]).toEqual([code, resourceVersion]);
  expect((await world.send('GET', '/api/v1/namespaces/default/configmaps/c')).code).toBe(404);
});

// kube-apiserver v1.36.2 answers so, also where there is no such Job.
test.each([
  ['nothing is said of dependents', '', 1],
  ['the query says it', '?propagationPolicy=Orphan', 0],
])('a DELETE of a Job warns that its Pods stay when %s', async (_when, query, count) => {
  const world = await createTestWorld();
  const answer = await world.send('DELETE', `/apis/batch/v1/namespaces/default/jobs/j${query}`);
  expect(answer.warnings.filter((one) => one.includes('child pods are preserved by default'))).toHaveLength(count);
});

// Source: apiserver pkg/storage/etcd3/store.go Create; each was asked of v1.36.2.
test.each([
  ['abc', 201],
  ['00', 201],
  ['+5', 201],
  ['-1', 201],
  [' 5', 201],
  ['18446744073709551616', 201],
  ['007', 500],
  ['18446744073709551615', 500],
])('a create with the revision %j returns %i', async (resourceVersion, code) => {
  const world = await createTestWorld();
  const configMaps = '/api/v1/namespaces/default/configmaps';
  const create = (query = '') =>
    world.send('POST', `${configMaps}${query}`, { metadata: { name: 'a', resourceVersion } });
  const tried = await create('?dryRun=All');
  expect([tried.code, at(tried.body, 'metadata', 'resourceVersion')]).toEqual([201, resourceVersion]);
  const made = await create();
  expect(made.code).toBe(code);
  expect(at(made.body, 'metadata', 'resourceVersion')).not.toBe(resourceVersion);
});

// Recorded beside kube-apiserver v1.36.2; the keys are those of apiserver pkg/server/storage SpecialDefaultResourcePrefixes.
test.each([
  ['/api/v1/namespaces/default/services', { spec: { ports: [{ port: 80 }] } }, 'services/specs/default/x'],
  ['/api/v1/nodes', {}, 'minions/x'],
  ['/api/v1/namespaces/default/configmaps', {}, 'configmaps/default/x'],
])('a PUT to %s of another uid shows the key of the storage', async (path, more, key) => {
  const world = await createTestWorld();
  const made = await world.send('POST', path, { metadata: { name: 'x' }, ...more });
  const uid = String(at(made.body, 'metadata', 'uid'));
  for (const [query, prefix] of [
    ['', '/registry/'],
    ['?dryRun=All', '/'],
  ]) {
    const body = { metadata: { name: 'x', uid: 'other' }, ...more };
    const { code, message } = await world.send('PUT', `${path}/x${query}`, body);
    expect(code).toBe(409);
    expect(message).toContain(
      `": StorageError: invalid object, Code: 4, Key: ${prefix}${key}, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: other, UID in object meta: ${uid}`,
    );
  }
});

// Source: apimachinery pkg/apis/meta/v1/validation ValidateManagedFields; recorded beside kube-apiserver v1.36.2.
test.each([
  [{ manager: 'x'.repeat(129) }, 'metadata.managedFields[0].manager: Too long: may not be more than 128 bytes'],
  [
    { manager: 'a\nb' },
    'metadata.managedFields[0].manager: Invalid value: "a\\nb": invalid character U+000A (at position 1)',
  ],
  [{ subresource: 'x'.repeat(257) }, 'metadata.managedFields[0].subresource: Too long: may not be more than 256 bytes'],
])('managedFields that a client writes are checked: %j', async (entry, fault) => {
  const world = await createTestWorld();
  const path = '/api/v1/namespaces/default/configmaps';
  await world.send('POST', path, { metadata: { name: 'x' } });
  const own = {
    manager: 'm',
    operation: 'Update',
    apiVersion: 'v1',
    fieldsType: 'FieldsV1',
    fieldsV1: { 'f:data': {} },
  };
  const answer = await world.send('PATCH', `${path}/x`, { metadata: { managedFields: [{ ...own, ...entry }] } });
  expect(answer).toMatchObject({ code: 422, message: `ConfigMap "x" is invalid: ${fault}` });
});
