import { afterAll, beforeAll, expect, test } from 'vitest';
import { createWorld, type World } from '../../../src/app/library/create-world.ts';
import { asObject, asString, type JsonObject } from '../../../src/machinery/json/json.ts';

interface Request {
  readonly method: 'POST' | 'PUT';
  readonly path: string;
  readonly body: JsonObject;
}

const worlds = new Map<string, World>();

beforeAll(async () => {
  for (const kubernetesVersion of ['1.36', '1.37']) {
    const world = await createWorld({ controllers: [], kubernetesVersion });
    await world.client.request({
      method: 'POST',
      path: `${core}/serviceaccounts`,
      body: { metadata: { name: 'default' } },
    });
    worlds.set(kubernetesVersion, world);
  }
});

afterAll(async () => {
  await Promise.all([...worlds.values()].map((world) => world.close()));
});

/** The answers to the requests, one after the other. */
async function answers(version: string, requests: readonly Request[]): Promise<readonly JsonObject[]> {
  const world = worlds.get(version);
  if (!world) throw new Error(`no world of ${version}`);
  const bodies: JsonObject[] = [];
  for (const { method, path, body } of requests) {
    bodies.push((await world.client.request({ method, path, body })).body);
  }
  return bodies;
}

const messageOf = (body: JsonObject | undefined): string | undefined =>
  body?.['kind'] === 'Status' && body['status'] === 'Failure' ? asString(body['message']) : undefined;

const core = '/api/v1/namespaces/default';
const pod = (name: string): Request => ({
  method: 'POST',
  path: `${core}/pods`,
  body: { metadata: { name }, spec: { containers: [{ name: 'c', image: 'i' }] } },
});
const bind = (name: string, target: JsonObject): Request => ({
  method: 'POST',
  path: `${core}/pods/${name}/binding`,
  body: { metadata: { name }, target },
});
const subdomain =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";

// kubernetes pkg/apis/core/validation/validation.go ValidatePodBinding of both releases (#136776).
test.each<[name: string, target: JsonObject, in137: string | undefined]>([
  ['a', { name: 'Bad_Node' }, `target.name: Invalid value: "Bad_Node": ${subdomain}`],
  ['b', { kind: 'Node', name: 'n1' }, undefined],
])('pod %s is bound to %j', async (name, target, in137) => {
  const requests = [pod(name), bind(name, target)];
  expect(messageOf((await answers('1.37', requests)).at(-1))).toBe(in137);
  expect(messageOf((await answers('1.36', requests)).at(-1))).toBeUndefined();
});

const label = 'pdb.kubernetes.io/deprecated-v1beta1-empty-selector-match';
const ofLabel = { key: label, operator: 'Exists' };
const ofApp = { key: 'app', operator: 'Exists' };
const budget = (name: string, selector: JsonObject): Request => ({
  method: 'POST',
  path: '/apis/policy/v1/namespaces/default/poddisruptionbudgets',
  body: { metadata: { name }, spec: { minAvailable: 1, selector } },
});

// kubernetes pkg/registry/policy/poddisruptionbudget/strategy.go dropDisabledFields of 1.37.
test.each<[name: string, selector: JsonObject, in137: JsonObject]>([
  ['a', { matchExpressions: [ofLabel] }, { matchExpressions: [ofLabel] }],
  ['b', { matchExpressions: [ofLabel, ofApp] }, { matchExpressions: [ofApp] }],
  ['c', { matchLabels: { a: 'b' }, matchExpressions: [ofLabel] }, { matchLabels: { a: 'b' } }],
  ['d', { matchExpressions: [{ key: label, operator: 'DoesNotExist' }] }, {}],
])('budget %s with the selector %j', async (name, selector, in137) => {
  const selectorIn = async (version: string): Promise<unknown> =>
    asObject((await answers(version, [budget(name, selector)]))[0]?.['spec'])['selector'];
  expect(await selectorIn('1.37')).toEqual(in137);
  expect(await selectorIn('1.36')).toEqual(selector);
});

const csiNodes = '/apis/storage.k8s.io/v1/csinodes';
const health = { storageHealth: [{ name: 'd.example.com' }] };
const csiNode = { metadata: { name: 'n' }, spec: { drivers: [] } };

// kubernetes pkg/registry/storage/csinode/strategy.go of 1.37 (#140194); CSIVolumeHealth is off.
test('the status of a CSINode is served, and empty', async () => {
  const [created] = await answers('1.37', [{ method: 'POST', path: csiNodes, body: { ...csiNode, status: health } }]);
  expect(created).toMatchObject({ metadata: { name: 'n' }, status: {} });
  expect(JSON.stringify(created)).not.toContain('storageHealth":[');
  const { resourceVersion } = asObject(created?.['metadata']);
  const metadata = { name: 'n', resourceVersion, labels: { a: 'b' } };
  const [updated] = await answers('1.37', [
    { method: 'PUT', path: `${csiNodes}/n/status`, body: { ...csiNode, metadata, status: health } },
  ]);
  expect(updated?.['status']).toEqual({});
  expect(asObject(updated?.['metadata'])['labels']).toBeUndefined();
  const [before] = await answers('1.36', [{ method: 'POST', path: csiNodes, body: csiNode }]);
  expect(before).not.toHaveProperty('status');
});

const deployment: JsonObject = {
  metadata: { name: 'd' },
  spec: {
    selector: { matchLabels: { a: 'b' } },
    template: { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
  },
};
const deployments = '/apis/apps/v1/namespaces/default/deployments';

// kubernetes pkg/apis/autoscaling/validation/validation.go ValidateScale of both releases.
test('the labels of a Scale are looked at before 1.37 only', async () => {
  const scale = { metadata: { name: 'd', namespace: 'default', labels: { 'a b': '' } }, spec: { replicas: 2 } };
  const requests: readonly Request[] = [
    { method: 'POST', path: deployments, body: deployment },
    { method: 'PUT', path: `${deployments}/d/scale`, body: scale },
  ];
  expect(messageOf((await answers('1.37', requests)).at(-1))).toBeUndefined();
  expect(messageOf((await answers('1.36', requests)).at(-1))).toContain('metadata.labels: Invalid value: "a b"');
});
