import { expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../../../src/machinery/json/json.ts';
import { scaleErrors, scaleOf, setReplicas } from '../../../src/apiserver/request/scale.ts';
import { at } from '../../harness/world-answer.ts';
import { createTestWorld } from '../../harness/world.ts';
import { fieldErrorText } from '../../../src/machinery/meta/field-error.ts';
import type { KubernetesObject } from '../../../src/machinery/meta/object.ts';

const parent = (kind: string, spec: JsonObject, status: JsonObject = {}) => ({
  kind,
  apiVersion: kind === 'ReplicationController' ? 'v1' : 'apps/v1',
  metadata: { name: 'd', namespace: 'ns', uid: 'u', resourceVersion: '7', generation: 3, labels: { a: 'b' } },
  spec,
  status,
});
const scale = (spec: JsonObject) => ({ kind: 'Scale', apiVersion: 'autoscaling/v1', metadata: { name: 'd' }, spec });

const expressions = [
  { key: 'tier', operator: 'In', values: ['b', 'a'] },
  { key: 'gone', operator: 'DoesNotExist' },
];

// Source: kubernetes pkg/registry/apps/*/storage/storage.go scaleFrom*, pkg/registry/core/replicationcontroller/storage.
test.each<readonly [sentence: string, kind: string, spec: JsonObject, status: JsonObject, shown: JsonObject]>([
  [
    'a Deployment',
    'Deployment',
    { replicas: 3, selector: { matchLabels: { app: 'x', a: 'y' } } },
    { replicas: 2, readyReplicas: 1 },
    { spec: { replicas: 3 }, status: { replicas: 2, selector: 'a=y,app=x' } },
  ],
  [
    'expressions',
    'StatefulSet',
    { replicas: 1, selector: { matchLabels: { app: 'x' }, matchExpressions: expressions } },
    { replicas: 1 },
    { spec: { replicas: 1 }, status: { replicas: 1, selector: 'app=x,!gone,tier in (a,b)' } },
  ],
  [
    'scaled to nothing',
    'ReplicaSet',
    { replicas: 0, selector: { matchLabels: { app: 'x' } } },
    {},
    { spec: {}, status: { replicas: 0, selector: 'app=x' } },
  ],
  [
    'a ReplicationController, whose selector is a map',
    'ReplicationController',
    { replicas: 4, selector: { b: '2', c: '3', a: '1' } },
    { replicas: 4 },
    { spec: { replicas: 4 }, status: { replicas: 4, selector: 'a=1,b=2,c=3' } },
  ],
  ['a ReplicationController without selector', 'ReplicationController', {}, {}, { spec: {}, status: { replicas: 0 } }],
])('the scale of %s', (...row) => {
  const [, kind, spec, status, shown] = row;
  expect(scaleOf(parent(kind, spec, status))).toEqual({
    kind: 'Scale',
    apiVersion: 'autoscaling/v1',
    metadata: { name: 'd', namespace: 'ns', uid: 'u', resourceVersion: '7' },
    ...shown,
  });
});

test.each<readonly [spec: JsonObject, replicas: number]>([
  [{ replicas: 5 }, 5],
  [{ replicas: 0 }, 0],
  [{}, 0],
])('a Scale of %o', (spec, replicas) => {
  const before = parent('Deployment', { replicas: 2, paused: true });
  expect(setReplicas(before, scale(spec))).toEqual({ ...before, spec: { replicas, paused: true } });
});

// Source: kubernetes pkg/apis/autoscaling/validation ValidateScale.
test.each([
  [0, []],
  [7, []],
  [-1, ['spec.replicas']],
])('%i replicas', (replicas, fields) => {
  expect(scaleErrors(scale({ replicas }), 37).map(({ field }) => field)).toEqual(fields);
});

const controllers = '/api/v1/namespaces/default/replicationcontrollers';
const template = { metadata: { labels: { app: 'x' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };

// Source: apimachinery pkg/util/managedfields/scalehandler.go; rule REV-13.
test('a ReplicationController keeps who scaled it, without a time', async () => {
  const world = await createTestWorld();
  await world.send('POST', controllers, { metadata: { name: 'r' }, spec: { replicas: 1, template } });
  const put = await world.send('PUT', `${controllers}/r/scale?fieldManager=scaler`, {
    ...scale({ replicas: 3 }),
    metadata: { name: 'r' },
  });
  expect(put).toMatchObject({
    code: 200,
    body: { kind: 'Scale', spec: { replicas: 3 }, status: { selector: 'app=x' } },
  });
  const { body } = await world.send('GET', `${controllers}/r`);
  expect(body).toMatchObject({ metadata: { generation: 2 }, spec: { replicas: 3 } });
  const entries = at(body, 'metadata', 'managedFields');
  expect(Array.isArray(entries) && entries.filter((entry) => at(entry, 'subresource') === 'scale')).toEqual([
    {
      manager: 'scaler',
      operation: 'Update',
      apiVersion: 'v1',
      fieldsType: 'FieldsV1',
      fieldsV1: { 'f:spec': { 'f:replicas': {} } },
      subresource: 'scale',
    },
  ]);
});

// Source: apimachinery pkg/util/managedfields/scalehandler.go ToParent, where an Update of the Scale's version is another owner.
test('a write through scale that changes nothing moves the replicas of an update to an entry without a time', async () => {
  const world = await createTestWorld();
  const managers = async () => {
    const { body } = await world.send('GET', `${controllers}/r`);
    const entries = at(body, 'metadata', 'managedFields');
    return (Array.isArray(entries) ? entries : []).map((entry) => [
      at(entry, 'manager'),
      at(entry, 'time') === undefined ? 'no time' : 'a time',
      Object.keys(at(entry, 'fieldsV1', 'f:spec') ?? {}),
    ]);
  };
  await world.send('POST', `${controllers}?fieldManager=maker`, {
    metadata: { name: 'r' },
    spec: { replicas: 1, template },
  });
  const put = (replicas: number) =>
    world.send('PUT', `${controllers}/r/scale?fieldManager=scaler`, {
      ...scale({ replicas }),
      metadata: { name: 'r' },
    });
  await put(1);
  const others = ['f:selector', 'f:template'];
  expect(await managers()).toEqual([
    ['maker', 'no time', ['f:replicas']],
    ['maker', 'a time', others],
  ]);
  // Of two entries of one owner the last one counts: the replicas have no owner any more.
  await put(2);
  expect(await managers()).toEqual([['maker', 'a time', others]]);
});

// Source: kube-apiserver v1.36.2; apimachinery pkg/util/managedfields/internal/skipnonapplied.go.
test('replicas without an owner have none after scaling', async () => {
  const world = await createTestWorld();
  const sent = { apiVersion: 'v1', kind: 'ReplicationController', metadata: { name: 'r' }, spec: { template } };
  await world.send('PATCH', `${controllers}/r?fieldManager=ap`, sent, { contentType: 'application/apply-patch+yaml' });
  await world.send('PUT', `${controllers}/r/scale`, { ...scale({ replicas: 3 }), metadata: { name: 'r' } });
  const { body } = await world.send('GET', `${controllers}/r`);
  expect(at(body, 'spec', 'replicas')).toBe(3);
  expect(at(body, 'metadata', 'managedFields')).toMatchObject([{ manager: 'ap' }]);
});

// Source: kube-apiserver v1.36.2, asked beside it.
test('an apply of a Scale sees owners in its own version, and unowned replicas as before-first-apply', async () => {
  const world = await createTestWorld();
  const byApply = { contentType: 'application/apply-patch+yaml' };
  const apply = async (name: string, replicas: number, query = 'fieldManager=bob') => {
    const body = { ...scale({ replicas }), metadata: { name } };
    const { code, body: answer } = await world.send('PATCH', `${controllers}/${name}/scale?${query}`, body, byApply);
    return code === 200 ? code : at(answer, 'message');
  };
  const made = (name: string, spec: JsonObject) => ({
    apiVersion: 'v1',
    kind: 'ReplicationController',
    metadata: { name },
    spec: { template, ...spec },
  });
  const conflictWith = (owner: string) =>
    `Apply failed with 1 conflict: conflict with ${owner} using autoscaling/v1: .spec.replicas`;
  await world.send('POST', `${controllers}?fieldManager=alice`, made('owned', { replicas: 2 }));
  expect(await apply('owned', 3)).toBe(conflictWith('"alice"'));
  expect(await apply('owned', 2)).toBe(200);
  await world.send('PATCH', `${controllers}/nobodys?fieldManager=ap`, made('nobodys', {}), byApply);
  expect(await apply('nobodys', 4)).toBe(conflictWith('"before-first-apply" with subresource "scale"'));
  expect(await apply('nobodys', 4, 'fieldManager=bob&force=true')).toBe(200);
  expect(at((await world.send('GET', `${controllers}/nobodys`)).body, 'spec', 'replicas')).toBe(4);
});

test('replicas of 0 that stay 0 keep their owner', async () => {
  const world = await createTestWorld();
  const sent = {
    apiVersion: 'v1',
    kind: 'ReplicationController',
    metadata: { name: 'r' },
    spec: { replicas: 0, template },
  };
  await world.send('PATCH', `${controllers}/r?fieldManager=ap`, sent, { contentType: 'application/apply-patch+yaml' });
  await world.send('PUT', `${controllers}/r/scale?fieldManager=x`, {
    ...scale({ replicas: 0 }),
    metadata: { name: 'r' },
  });
  const { body } = await world.send('GET', `${controllers}/r`);
  expect(at(body, 'metadata', 'managedFields', 0, 'fieldsV1', 'f:spec', 'f:replicas')).toEqual({});
});

const conflict =
  '409 Operation cannot be fulfilled on replicationcontrollers "r": the object has been modified; please apply your changes to the latest version and try again';

test.each<readonly [sentence: string, body: JsonObject, answer: string]>([
  [
    'fewer than none',
    { spec: { replicas: -1 } },
    '422 Scale.autoscaling "r" is invalid: spec.replicas: Invalid value: -1: must be greater than or equal to 0',
  ],
  ['an old revision', { metadata: { name: 'r', resourceVersion: '1' } }, conflict],
  [
    'another name',
    { metadata: { name: 'q' } },
    '400 the name of the object (q) does not match the name on the URL (r)',
  ],
])('a Scale with %s is refused', async (_sentence, body, answer) => {
  const world = await createTestWorld();
  await world.send('POST', controllers, { metadata: { name: 'r' }, spec: { replicas: 1, template } });
  const put = await world.send('PUT', `${controllers}/r/scale`, { ...scale({}), metadata: { name: 'r' }, ...body });
  expect(`${put.code} ${put.message}`).toBe(answer);
});

const deployments = '/apis/apps/v1/namespaces/default/deployments';

// Replicas and generations as kube-apiserver v1.36.2 answered. Owners: apimachinery pkg/util/managedfields/scalehandler.go ToParent.
test('an apply of a Scale that says no replicas leaves those of others, and gives up its own', async () => {
  const world = await createTestWorld();
  const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
  const spec = { replicas: 2, selector: { matchLabels: { a: 'b' } }, template };
  await world.send('POST', `${deployments}?fieldManager=me`, { metadata: { name: 'd' }, spec });
  const apply = async (more: object, query = 'fieldManager=bob') => {
    const body = { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: { name: 'd' }, ...more };
    const contentType = 'application/apply-patch+yaml';
    const answer = await world.send('PATCH', `${deployments}/d/scale?${query}`, body, { contentType });
    const { body: stored } = await world.send('GET', `${deployments}/d`);
    const owners = at(stored, 'metadata', 'managedFields');
    const names = Array.isArray(owners) ? owners.map(({ manager }) => manager) : [];
    const shown = at(answer.body, 'spec', 'replicas');
    return [shown, at(stored, 'spec', 'replicas'), at(stored, 'metadata', 'generation'), names];
  };
  expect(await apply({})).toEqual([2, 2, 1, ['me', 'me']]);
  expect(await apply({ spec: {} })).toEqual([2, 2, 1, ['before-first-apply', 'me']]);
  expect(await apply({ spec: { replicas: 5 } }, 'fieldManager=bob&force=true')).toEqual([5, 5, 2, ['bob', 'me']]);
  expect(await apply({})).toEqual([undefined, 0, 3, ['me']]);
});

test.each([
  [
    'PUT',
    'Operation cannot be fulfilled on deployments.apps "d": StorageError: invalid object, Code: 4, Key: /registry/deployments/default/d, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: other, UID in object meta: ',
  ],
  [
    'PATCH',
    'Operation cannot be fulfilled on deployments/scale.apps "d": Precondition failed: UID in precondition: other, UID in object meta: ',
  ],
])('%s of a Scale with another uid', async (method, text) => {
  const world = await createTestWorld();
  const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
  const made = await world.send('POST', deployments, {
    metadata: { name: 'd' },
    spec: { selector: { matchLabels: { a: 'b' } }, template },
  });
  const body = {
    kind: 'Scale',
    apiVersion: 'autoscaling/v1',
    metadata: { name: 'd', uid: 'other' },
    spec: { replicas: 4 },
  };
  const answer = await world.send(method, `${deployments}/d/scale`, body);
  expect([answer.code, answer.body['message']]).toEqual([409, text + String(at(made.body, 'metadata', 'uid'))]);
});

const workload = (kind: string, spec: JsonObject, more: JsonObject = {}): KubernetesObject => ({
  apiVersion: kind === 'ReplicationController' ? 'v1' : 'apps/v1',
  kind,
  metadata: { name: 'a' },
  spec,
  ...more,
});
const selector = { matchLabels: { b: '2', a: '1' } };

// Source: kubernetes pkg/registry/apps/deployment/storage/storage_test.go TestScaleGet, pkg/registry/core/replicationcontroller/storage.
test.each<[fact: string, parent: KubernetesObject, scale: JsonObject]>([
  ['nothing said', workload('Deployment', {}), { spec: {}, status: { replicas: 0 } }],
  ['0 replicas', workload('Deployment', { replicas: 0 }), { spec: {}, status: { replicas: 0 } }],
  ['one', workload('Deployment', { replicas: 1 }), { spec: { replicas: 1 }, status: { replicas: 0 } }],
  [
    'those that are there',
    workload('Deployment', { replicas: 2 }, { status: { replicas: 1 } }),
    { spec: { replicas: 2 }, status: { replicas: 1 } },
  ],
  [
    'a selector',
    workload('Deployment', { replicas: 1, selector }),
    { spec: { replicas: 1 }, status: { replicas: 0, selector: 'a=1,b=2' } },
  ],
  [
    'a selector that cannot be read',
    workload('Deployment', { selector: { matchExpressions: [{ key: 'a', operator: 'Near' }] } }),
    { spec: {}, status: { replicas: 0 } },
  ],
  [
    'labels, of a ReplicationController',
    workload('ReplicationController', { selector: { b: '2', a: '1' } }),
    { spec: {}, status: { replicas: 0, selector: 'a=1,b=2' } },
  ],
  ['no labels', workload('ReplicationController', {}), { spec: {}, status: { replicas: 0 } }],
])('a Scale of %s', (_fact, parent, scale) => {
  expect(scaleOf(parent)).toStrictEqual({
    kind: 'Scale',
    apiVersion: 'autoscaling/v1',
    metadata: { name: 'a' },
    ...scale,
  });
});

test('of the metadata it has what names the object, and no more', () => {
  const named = { name: 'a', namespace: 'ns', uid: 'u', resourceVersion: '7', creationTimestamp: 'then' };
  const parent = { ...workload('Deployment', {}), metadata: { ...named, generation: 3, labels: { a: 'b' } } };
  expect(scaleOf(parent).metadata).toStrictEqual(named);
  expect(scaleOf({ ...parent, metadata: {} }).metadata).toStrictEqual({});
});

const scaled = (replicas: JsonValue | undefined): KubernetesObject => ({
  kind: 'Scale',
  apiVersion: 'autoscaling/v1',
  spec: replicas === undefined ? {} : { replicas },
});

// Source: kubernetes pkg/apis/autoscaling/validation/validation_test.go TestValidateScale
test.each<[replicas: JsonValue | undefined, errors: readonly string[]]>([
  [undefined, []],
  [0, []],
  [1, []],
  [-1, ['spec.replicas: Invalid value: -1: must be greater than or equal to 0']],
])('%j replicas', (replicas, errors) => {
  expect(scaleErrors(scaled(replicas), 37).map(fieldErrorText)).toEqual(errors);
  const parent = setReplicas(workload('Deployment', { replicas: 5, paused: true }), scaled(replicas));
  expect(parent['spec']).toEqual({ replicas: replicas ?? 0, paused: true });
});
