import { expect, test } from 'vitest';
import { adminUser } from '../../harness/world.ts';
import { looselyScalableThings, scalableThings } from './established.ts';

const world = await scalableThings();
const as = adminUser;
const base = '/apis/turns.dev/v1/namespaces/default/things';
const thing = { apiVersion: 'turns.dev/v1', kind: 'Thing', metadata: { name: 'a' }, spec: { n: 1 } };
await world.send('POST', base, thing, { as });

const scale = (more: object) => ({ apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: { name: 'a' }, ...more });
const noScale =
  'no kind is registered for the type v1.Scale in scheme "k8s.io/apiextensions-apiserver/pkg/apiserver/customresource_handler.go:781"';

// Source: the same requests to kube-apiserver v1.36.2; the place of the scheme by apiextensions-apiserver v0.36.2.
test.each<readonly [string, object | string]>([
  ['of another version', scale({ apiVersion: 'autoscaling/v2' })],
  ['of an old group', scale({ apiVersion: 'extensions/v1beta1' })],
  ['of another kind', scale({ kind: 'Scalex' })],
  ['with replicas in letters', scale({ spec: { replicas: '2' } })],
  ['that is no JSON', '{'],
  ['that is a list', []],
  ['of the resource itself', thing],
])('a Scale of a custom resource %s is refused in the words of a scheme that knows none', async (_fact, body) => {
  const answer = await world.send('PUT', `${base}/a/scale`, body, { as });
  expect([answer.code, answer.message]).toEqual([400, noScale]);
});

test('a Scale of a custom resource without kind is taken', async () => {
  const body = { metadata: { name: 'a' }, spec: { replicas: 2 } };
  expect((await world.send('PUT', `${base}/a/scale?dryRun=All`, body, { as })).code).toBe(200);
});

// Source: apiextensions-apiserver pkg/registry/customresource/etcd.go scaleUpdatedObjectInfo.Preconditions.
test('a Scale with the uid of another object is a conflict', async () => {
  const body = { metadata: { name: 'a', uid: 'another' }, spec: { replicas: 2 } };
  const { code, message } = await world.send('PUT', `${base}/a/scale`, body, { as });
  expect([code, message]).toEqual([409, expect.stringContaining('Precondition failed: UID in precondition: another')]);
});

test.each([
  ['{"apiVersion":"autoscaling/v2"}', 'autoscaling/v2, Kind='],
  ['{"spec":{"replicas":"2"}}', '/, Kind='],
  ['{"kind":"X"}', '/, Kind=X'],
])('an apply of %s to a Scale is of another type', async (body, type) => {
  const contentType = 'application/apply-patch+yaml';
  const answer = await world.send('PATCH', `${base}/a/scale?fieldManager=m`, body, { as, contentType });
  expect([answer.code, answer.message]).toEqual([400, `invalid object type: ${type}`]);
});

test('a patched Scale is shown with its fields in the order of the type', async () => {
  const contentType = 'application/merge-patch+json';
  const body = { spec: { replicas: '2' } };
  const { message } = await world.send('PATCH', `${base}/a/scale`, body, { as, contentType });
  expect(message).toContain('"metadata\\":{\\"name\\":\\"a\\",\\"namespace\\":\\"default\\",\\"uid\\"');
});

test.each(['', '/status', '/scale'])(
  'a strategic merge of things%s is refused before anybody looks for the thing',
  async (part) => {
    const contentType = 'application/strategic-merge-patch+json';
    expect((await world.send('PATCH', `${base}/absent${part}`, {}, { as, contentType })).code).toBe(415);
  },
);

// Source: apimachinery pkg/apis/meta/v1/unstructured/helpers.go NestedFieldNoCopy, NestedInt64 and NestedString.
test.each<readonly [fact: string, fields: object]>([
  ['nothing but replicas', { spec: { n: 1 } }],
  ['null on the way', { spec: { n: 1 }, status: null }],
])('the Scale of a custom resource with %s', async (_fact, fields) => {
  const loose = await looselyScalableThings();
  const made = await loose.send('POST', base, { ...thing, ...fields }, { as });
  expect(made.message).toBe('');
  const answer = await loose.send('GET', `${base}/a/scale`, undefined, { as });
  expect([answer.code, answer.message]).toEqual([200, '']);
});

// Source: apiextensions-apiserver pkg/registry/customresource/validator.go ValidateScaleStatus, seen with v1.36.2.
test('a custom resource with a text on the way to its selector is not stored', async () => {
  const loose = await looselyScalableThings();
  const made = await loose.send('POST', base, { ...thing, spec: { n: 1 }, status: { of: 'x' } }, { as });
  const fault = '.status.of.selector accessor error: x is of the type string, expected map[string]interface{}';
  expect([made.code, made.message]).toEqual([422, expect.stringContaining(fault)]);
});
