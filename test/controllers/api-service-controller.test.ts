import { expect, test } from 'vitest';
import { asObject, asString, type JsonObject } from '../../src/machinery/json/json.ts';
import { apiServiceSeeds } from '../../src/controllers/api-service-controller.ts';
import type { Cluster } from './cluster.ts';
import { mergePatch, testCases } from './controller-cases.ts';

const services = '/apis/apiregistration.k8s.io/v1/apiservices';
const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

const schema = { openAPIV3Schema: { type: 'object' } };
const version = (name: string, served = true, storage = false): JsonObject => ({ name, served, storage, schema });

const define = (cluster: Cluster, plural: string, versions: readonly JsonObject[]): Promise<JsonObject> =>
  cluster.send('POST', definitions, {
    kind: 'CustomResourceDefinition',
    apiVersion: 'apiextensions.k8s.io/v1',
    metadata: { name: `${plural}.example.com` },
    spec: { group: 'example.com', scope: 'Namespaced', names: { plural, kind: plural.toUpperCase() }, versions },
  });

const one = [version('v1', true, true)];
const own = (name: string): boolean => name.endsWith('.example.com');

async function registered(cluster: Cluster): Promise<readonly string[]> {
  await cluster.settle();
  return (await cluster.names(services)).filter(own);
}

/** A story without a definition: the object itself. */
async function seen(cluster: Cluster): Promise<unknown> {
  await cluster.settle();
  const found = await cluster.find(`${services}/v1.example.com`);
  return found && { labels: found.metadata?.labels, spec: found['spec'], status: found['status'] };
}

const spec = { group: 'example.com', version: 'v1', groupPriorityMinimum: 1000, versionPriority: 100 };
const labels = { 'kube-aggregator.kubernetes.io/automanaged': 'true' };
const available = {
  type: 'Available',
  status: 'True',
  lastTransitionTime: '2026-01-01T00:00:00Z',
  reason: 'Local',
  message: 'Local APIServices are always available',
};
const kept = { labels, spec, status: { conditions: [available] } };
const theirs: JsonObject = {
  kind: 'APIService',
  apiVersion: 'apiregistration.k8s.io/v1',
  metadata: { name: 'v1.example.com' },
};

// Upstream: kubernetes pkg/controlplane/controller/crdregistration and kube-aggregator pkg/controllers/autoregister, their tests.
testCases([
  [
    'a definition registers every version it serves, and none that it does not',
    async (cluster) => {
      await define(cluster, 'as', [...one, version('v2'), version('v3', false)]);
      return registered(cluster);
    },
    ['v1.example.com', 'v2.example.com'],
  ],
  [
    'as the server, local and at once available',
    async (cluster) => {
      await define(cluster, 'as', one);
      const write = cluster.writes().find((text) => text.includes(services));
      return { write, found: await seen(cluster) };
    },
    { write: `system:apiserver POST ${services} 201`, found: kept },
  ],
  [
    'a version that is no longer served goes, and comes again',
    async (cluster) => {
      await define(cluster, 'as', [...one, version('v2')]);
      const names: unknown[] = [await registered(cluster)];
      for (const served of [false, true]) {
        const versions = [...one, version('v2', served)];
        await cluster.send('PATCH', `${definitions}/as.example.com`, { spec: { versions } }, mergePatch);
        names.push(await registered(cluster));
      }
      return names;
    },
    [['v1.example.com', 'v2.example.com'], ['v1.example.com'], ['v1.example.com', 'v2.example.com']],
  ],
  [
    'the last definition of a version takes it along, not the first',
    async (cluster) => {
      await define(cluster, 'as', one);
      await define(cluster, 'bs', one);
      const names: unknown[] = [];
      for (const plural of ['as', 'bs']) {
        await cluster.send('DELETE', `${definitions}/${plural}.example.com`);
        names.push(await registered(cluster));
      }
      return names;
    },
    [['v1.example.com'], []],
  ],
  [
    'a deleted one comes back',
    async (cluster) => {
      await define(cluster, 'as', one);
      await cluster.send('DELETE', `${services}/v1.example.com`);
      return seen(cluster);
    },
    kept,
  ],
  [
    'a changed spec is put right',
    async (cluster) => {
      await define(cluster, 'as', one);
      await cluster.send('PATCH', `${services}/v1.example.com`, { spec: { versionPriority: 7 } }, mergePatch);
      return seen(cluster);
    },
    kept,
  ],
  [
    'an APIService without the label stays unchanged',
    async (cluster) => {
      await cluster.send('POST', services, { ...theirs, spec: { ...spec, versionPriority: 7 } });
      await define(cluster, 'as', one);
      const first = await seen(cluster);
      await cluster.send('DELETE', `${definitions}/as.example.com`);
      return [first, await seen(cluster)].map(
        (found) => asObject(asObject(found as JsonObject)['spec'])['versionPriority'],
      );
    },
    [7, 7],
  ],
  [
    'one with the label that nothing wants goes',
    async (cluster) => {
      await cluster.send('POST', services, { ...theirs, metadata: { name: 'v1.example.com', labels }, spec });
      return seen(cluster);
    },
    undefined,
  ],
]);

test('the built-in versions are there once, in upstream’s order; what upstream does not register is not', () => {
  const served = [
    { group: '', version: 'v1' },
    { group: 'autoscaling', version: 'v2' },
    { group: 'autoscaling', version: 'v2' },
    { group: 'apiregistration.k8s.io', version: 'v1' },
    { group: 'constructor', version: 'v1' },
    { group: 'apps', version: 'constructor' },
  ];
  const seeds = apiServiceSeeds(served, 0).map(({ object }) => [asString(object.metadata?.name), object['spec']]);
  expect(seeds).toEqual([
    ['v1.', { version: 'v1', groupPriorityMinimum: 18_000, versionPriority: 1 }],
    ['v2.autoscaling', { group: 'autoscaling', version: 'v2', groupPriorityMinimum: 17_500, versionPriority: 30 }],
  ]);
});
