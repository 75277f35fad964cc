import { expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../../../src/machinery/json/json.ts';
import { at } from '../../harness/world-answer.ts';
import { createTestWorld, type TestWorld } from '../../harness/world.ts';
import { register } from '../../harness/configurations.ts';

const namespace = '/api/v1/namespaces/default';
const admission = '/apis/admissionregistration.k8s.io/v1';
const serviceAccount = { metadata: { name: 'default' } };

/** A world with a mutating webhook that patches, and a validating one. */
async function worldWith(resources: readonly string[], patch?: readonly JsonObject[]): Promise<TestWorld> {
  const world = await createTestWorld(patch ? { responses: { 'mutating.example.com': () => ({ patch }) } } : {});
  const rules = [{ operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources }];
  for (const phase of ['mutating', 'validating'] as const) {
    await register(world, phase, { name: `${phase}.example.com`, rules });
  }
  return world;
}

/** A field of the metadata that each webhook was shown. */
const shown = ({ calls }: TestWorld, field: string): readonly unknown[] =>
  calls.map(({ request }) => at(request.object, 'metadata', field));

// kube-apiserver v1.36.2 wipes what a client sent before admission, and nothing after it; only the storage drops selfLink.
test.each<[field: string, value: JsonValue, stored: JsonValue | undefined]>([
  ['deletionTimestamp', '2020-01-01T00:00:00Z', '2020-01-01T00:00:00Z'],
  ['deletionGracePeriodSeconds', 5, 5],
  ['selfLink', '/x', undefined],
])('%s that a webhook sets stays', async (field, value, stored) => {
  const world = await worldWith(['configmaps'], [{ op: 'add', path: `/metadata/${field}`, value }]);
  const answer = await world.send('POST', `${namespace}/configmaps`, { metadata: { name: 'a', [field]: value } });
  expect(answer.code).toBe(201);
  expect(shown(world, field)).toEqual([undefined, value]);
  expect(at(answer.body, 'metadata', field)).toEqual(stored);
});

test('an update stores no selfLink either', async () => {
  const world = await createTestWorld();
  await world.send('POST', `${namespace}/configmaps`, { metadata: { name: 'a' } });
  const body = { metadata: { name: 'a', selfLink: '/x' }, data: { k: 'v' } };
  const answer = await world.send('PUT', `${namespace}/configmaps/a`, body);
  expect([answer.code, at(answer.body, 'metadata', 'selfLink'), at(answer.body, 'data', 'k')]).toEqual([
    200,
    undefined,
    'v',
  ]);
});

test('a Scale that is put without uid is shown to mutating webhooks without, to validating ones with the stored one', async () => {
  const world = await worldWith(['*/scale']);
  const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
  const deployment = { metadata: { name: 'd' }, spec: { selector: { matchLabels: { a: 'b' } }, template } };
  const deployments = '/apis/apps/v1/namespaces/default/deployments';
  const made = await world.send('POST', deployments, deployment);
  const scale = { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: { name: 'd' }, spec: { replicas: 3 } };
  const answer = await world.send('PUT', `${deployments}/d/scale`, scale);
  expect([answer.code, at(answer.body, 'spec', 'replicas')]).toEqual([200, 3]);
  expect(shown(world, 'uid')).toEqual([undefined, at(made.body, 'metadata', 'uid')]);
  expect(shown(world, 'namespace')).toEqual(['default', 'default']);
  const owner = { apiVersion: 'autoscaling/v1', fieldsV1: { 'f:spec': { 'f:replicas': {} } } };
  const [mutating, validating] = world.calls.map(({ request }) => request);
  const ownersIn = (object: unknown): unknown => at(object, 'metadata', 'managedFields');
  expect(ownersIn(mutating?.object)).toMatchObject([{ ...owner, subresource: 'scale', time: expect.any(String) }]);
  expect(ownersIn(mutating?.['oldObject'])).toMatchObject([owner]);
  expect([ownersIn(validating?.object), ownersIn(validating?.['oldObject'])]).toEqual([undefined, undefined]);
});

test('a Pod that is held back by a gate says since when', async () => {
  const world = await createTestWorld();
  await world.send('POST', `${namespace}/serviceaccounts`, serviceAccount);
  const spec = { containers: [{ name: 'c', image: 'i' }], schedulingGates: [{ name: 'a' }] };
  const answer = await world.send('POST', `${namespace}/pods`, { metadata: { name: 'p' }, spec });
  expect(at(answer.body, 'status', 'conditions', 0, 'lastTransitionTime')).toBe(
    at(answer.body, 'metadata', 'creationTimestamp'),
  );
});

test('pods/proxy of a Pod without an address', async () => {
  const world = await createTestWorld();
  await world.send('POST', `${namespace}/serviceaccounts`, serviceAccount);
  await world.send('POST', `${namespace}/pods`, {
    metadata: { name: 'p' },
    spec: { containers: [{ name: 'c', image: 'i' }] },
  });
  const answer = await world.send('GET', `${namespace}/pods/p/proxy`);
  expect([answer.code, answer.message]).toEqual([400, 'address not allowed']);
});

// kube-apiserver v1.36.2: a webhook may replace the whole document, and what it becomes is decoded like a body.
test.each<[what: string, value: JsonValue, error: string]>([
  [
    'a list',
    [],
    String.raw`json: cannot unmarshal array into Go value of type struct { APIVersion string "json:\"apiVersion,omitempty\""; Kind string "json:\"kind,omitempty\"" }`,
  ],
  ['a kind that is no text', { kind: 1 }, 'json: cannot unmarshal number into Go struct field .kind of type string'],
])('a patch that makes the object %s', async (_what, value, error) => {
  const world = await worldWith(['configmaps'], [{ op: 'replace', path: '', value }]);
  const answer = await world.send('POST', `${namespace}/configmaps`, { metadata: { name: 'a' } });
  const text = `Internal error occurred: couldn't get version/kind; json parse error: ${error}`;
  expect([answer.code, answer.message]).toEqual([500, text]);
});

// kube-apiserver v1.36.2: a Scale of 0 shows no replicas, so they have no owner.
test('replicas of 0 have no owner', async () => {
  const world = await createTestWorld();
  const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
  const spec = { replicas: 2, selector: { matchLabels: { a: 'b' } }, template };
  const deployments = '/apis/apps/v1/namespaces/default/deployments';
  await world.send('POST', deployments, { metadata: { name: 'd' }, spec });
  const owners = async () => {
    const { body } = await world.send('GET', `${deployments}/d`);
    const entries = at(body, 'metadata', 'managedFields');
    return Array.isArray(entries) ? entries.filter((one) => at(one, 'fieldsV1', 'f:spec', 'f:replicas')).length : -1;
  };
  expect(await owners()).toBe(1);
  for (const [replicas, count] of [
    [3, 1],
    [0, 0],
  ] as const) {
    const scale = { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: { name: 'd' }, spec: { replicas } };
    expect((await world.send('PUT', `${deployments}/d/scale`, scale)).code).toBe(200);
    expect(await owners()).toBe(count);
  }
});

// Source: apiserver pkg/registry/rest/create.go AdmissionToValidateObjectFunc; recorded beside kube-apiserver v1.36.2.
test('a name that a webhook changes is stored, and validating webhooks receive the one that was sent', async () => {
  const world = await worldWith(['configmaps'], [{ op: 'replace', path: '/metadata/name', value: 'two' }]);
  const answer = await world.send('POST', `${namespace}/configmaps`, { metadata: { name: 'one' } });
  expect([answer.code, at(answer.body, 'metadata', 'name')]).toEqual([201, 'two']);
  expect(shown(world, 'name')).toEqual(['one', 'two']);
  expect(world.calls.map(({ request }) => request['name'])).toEqual(['one', 'one']);
});

// Source: pkg/registry/authorization/subjectaccessreview/rest.go and its neighbours; recorded beside kube-apiserver v1.36.2.
test.each<[plural: string, kind: string, spec: JsonObject, namespaced: boolean]>([
  ['subjectaccessreviews', 'SubjectAccessReview', {}, false],
  ['selfsubjectaccessreviews', 'SelfSubjectAccessReview', {}, false],
  ['localsubjectaccessreviews', 'LocalSubjectAccessReview', { user: 'a' }, true],
  ['selfsubjectrulesreviews', 'SelfSubjectRulesReview', {}, false],
])('one of %s that is refused is not shown to validating webhooks', async (plural, kind, spec, namespaced) => {
  const world = await worldWith([plural], []);
  const group = 'authorization.k8s.io/v1';
  const path = `/apis/${group}/${namespaced ? 'namespaces/default/' : ''}${plural}`;
  const answer = await world.send('POST', path, { apiVersion: group, kind, spec });
  expect(answer.code).toBeGreaterThanOrEqual(400);
  expect(world.calls.map(({ webhook }) => webhook)).toEqual(['mutating.example.com']);
});

// Source: apiserver pkg/cel ConvertToNative of each type; recorded beside kube-apiserver v1.36.2.
test.each([
  ['quantity("1")', "type conversion error from 'Quantity' to '*structpb.Value'"],
  ['[url("https://a")]', "type conversion error from 'URL' to '*structpb.Value'"],
  ['{"a": semver("1.2.3")}', "type conversion error from 'Semver' to '*structpb.Value'"],
  ['type(1)', "type conversion not supported for 'type'"],
])('a policy that patches with %s fails', async (value, error) => {
  const world = await createTestWorld();
  const resourceRules = [{ operations: ['*'], apiGroups: [''], apiVersions: ['*'], resources: ['configmaps'] }];
  const expression = `[JSONPatch{op: "add", path: "/data/t", value: ${value}}]`;
  const mutations = [{ patchType: 'JSONPatch', jsonPatch: { expression } }];
  const spec = { reinvocationPolicy: 'Never', matchConstraints: { resourceRules }, mutations };
  const made = await world.send('POST', `${admission}/mutatingadmissionpolicies`, {
    metadata: { name: 'p' },
    spec,
  });
  expect(made.message).toBe('');
  const binding = { metadata: { name: 'b' }, spec: { policyName: 'p' } };
  await world.send('POST', `${admission}/mutatingadmissionpolicybindings`, binding);
  const answer = await world.send('POST', `${namespace}/configmaps`, { metadata: { name: 'a' } });
  expect(answer.message).toBe(
    `policy 'p' with binding 'b' denied request: JSONPath valueExpression evaluated to a type that could not marshal to JSON: ${error}`,
  );
});

// Source: apimachinery pkg/runtime/converter.go, pkg/runtime/serializer/json/meta.go; recorded beside kube-apiserver v1.36.2.
test.each([
  ['strategic-merge-patch', { kind: 5 }, 'map[kind:5]": cannot convert int64 to string'],
  ['strategic-merge-patch', { apiVersion: [] }, 'map[apiVersion:[]]": unrecognized type: string'],
  ['strategic-merge-patch', { kind: 'Secret', apiVersion: 'v2' }, undefined],
  [
    'merge-patch',
    { kind: 5 },
    `couldn't get version/kind; json parse error: json: cannot unmarshal number into Go struct field .kind of type string`,
  ],
])('a %s of %j', async (type, patch, error) => {
  const world = await createTestWorld();
  await world.send('POST', `${namespace}/configmaps`, { metadata: { name: 'a' } });
  const contentType = `application/${type}+json`;
  const answer = await world.send('PATCH', `${namespace}/configmaps/a`, patch, { contentType });
  expect(answer.code).toBe(error === undefined ? 200 : 422);
  expect(answer.message).toContain(error ?? '');
});

// Source: apiserver pkg/endpoints/handlers/fieldmanager/admission.go; rule MUT-41.
test('managedFields that a webhook made unreadable are those of before, with a warning; those it made otherwise stay', async () => {
  const managersAfter = async (value: JsonValue) => {
    const path = '/metadata/managedFields/0/apiVersion';
    const world = await worldWith(['configmaps'], [{ op: 'replace', path, value }]);
    const { body, warnings } = await world.send('POST', `${namespace}/configmaps`, {
      metadata: { name: 'a' },
      data: { a: 'b' },
    });
    return [at(body, 'metadata', 'managedFields', 0, 'apiVersion'), warnings];
  };
  expect(await managersAfter('')).toEqual([
    'v1',
    [expect.stringContaining('managedFields was in an invalid state after admission')],
  ]);
  expect(await managersAfter('v2')).toEqual(['v2', []]);
});
