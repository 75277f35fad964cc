import type { JsonObject } from '../../src/machinery/json/json.ts';
import type { Cluster } from './cluster.ts';
import { makeConfigMap, makeNamespace, mergePatch, testCases } from './controller-cases.ts';
import { definition, definitions, widget, widgets } from '../apiserver/custom-resources/widgets.ts';

const maps = '/api/v1/namespaces/default/configmaps';

const reference = (name: string, uid: string, more: JsonObject = {}): JsonObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  name,
  uid,
  ...more,
});
const blocking = { blockOwnerDeletion: true };

/** A ConfigMap that the ones with these names and uids own. */
const makeDependent = (
  cluster: Cluster,
  name: string,
  owners: readonly JsonObject[],
  metadata: JsonObject = {},
): Promise<string> => makeConfigMap(cluster, name, { ownerReferences: owners, ...metadata });

async function remove(cluster: Cluster, name: string, propagationPolicy: string): Promise<readonly string[]> {
  await cluster.send('DELETE', `${maps}/${name}`, { kind: 'DeleteOptions', apiVersion: 'v1', propagationPolicy });
  return rest(cluster);
}

async function rest(cluster: Cluster): Promise<readonly string[]> {
  await cluster.settle();
  return (await cluster.names(maps)).filter((name) => name !== 'kube-root-ca.crt');
}

const ownersOf = async ({ find }: Cluster, name: string): Promise<unknown> =>
  (await find(`${maps}/${name}`))?.metadata?.ownerReferences?.map((owner) => owner.name);

const free = (cluster: Cluster, name: string): Promise<JsonObject> =>
  cluster.send('PATCH', `${maps}/${name}`, { metadata: { finalizers: null } }, mergePatch);

const held = { finalizers: ['example.com/hold'] };

/** ConfigMaps `first` and `second`, and a definition of what they may own. */
async function customOwners(cluster: Cluster): Promise<readonly JsonObject[]> {
  await cluster.send('POST', definitions, definition());
  const names = ['first', 'second'];
  return Promise.all(names.map(async (name) => reference(name, await makeConfigMap(cluster, name))));
}

const makeWidget = (cluster: Cluster, name: string, ownerReferences: readonly JsonObject[]): Promise<JsonObject> =>
  cluster.send('POST', widgets, widget(name, { metadata: { name, ownerReferences } }));

const find = (cluster: Cluster, name: string) => cluster.find(`${widgets}/${name}`);

// Upstream: test/integration/garbagecollector/garbage_collector_test.go.
testCases([
  [
    'dependents go after their owner, and theirs after them',
    async (cluster) => {
      const owner = await makeConfigMap(cluster, 'owner');
      const child = await makeDependent(cluster, 'child', [reference('owner', owner)]);
      await makeDependent(cluster, 'grandchild', [reference('child', child)]);
      return remove(cluster, 'owner', 'Background');
    },
    [],
  ],
  [
    'an owner of that name but with another uid is none',
    async (cluster) => {
      await makeConfigMap(cluster, 'owner');
      await makeDependent(cluster, 'child', [reference('owner', 'another-uid')]);
      return rest(cluster);
    },
    ['owner'],
  ],
  [
    'an object whose owner never was is deleted',
    async (cluster) => {
      await makeDependent(cluster, 'child', [reference('ghost', 'no-such-uid')]);
      return rest(cluster);
    },
    [],
  ],
  [
    'one owner left is enough to stay, and the others are forgotten',
    async (cluster) => {
      const first = await makeConfigMap(cluster, 'first');
      const second = await makeConfigMap(cluster, 'second');
      await makeDependent(cluster, 'child', [reference('first', first), reference('second', second)]);
      return [await remove(cluster, 'first', 'Background'), await ownersOf(cluster, 'child')];
    },
    [['child', 'second'], ['second']],
  ],
  [
    'an owner of a kind that is not served keeps its dependents',
    async (cluster) => {
      const stranger = { apiVersion: 'example.com/v1', kind: 'Strange', name: 's', uid: 'u' };
      await makeDependent(cluster, 'child', [stranger]);
      return rest(cluster);
    },
    ['child'],
  ],
  [
    'a cluster-scoped object is not collected for a namespaced owner',
    async (cluster) => {
      await makeNamespace(cluster, 'team');
      const owner = reference('ghost', 'no-such-uid');
      await cluster.send('PATCH', '/api/v1/namespaces/team', { metadata: { ownerReferences: [owner] } }, mergePatch);
      await cluster.settle();
      const namespace = await cluster.find('/api/v1/namespaces/team');
      return [namespace?.metadata?.name, namespace?.metadata?.deletionTimestamp];
    },
    ['team', undefined],
  ],
  [
    'orphaned dependents stay and lose their owner',
    async (cluster) => {
      const owner = await makeConfigMap(cluster, 'owner');
      await makeDependent(cluster, 'child', [reference('owner', owner)]);
      return [await remove(cluster, 'owner', 'Orphan'), await ownersOf(cluster, 'child')];
    },
    [['child'], undefined],
  ],
  [
    'so do custom resources, which know no strategic patch',
    async (cluster) => {
      const owners = await customOwners(cluster);
      await makeWidget(cluster, 'child', owners.slice(0, 1));
      return [await remove(cluster, 'first', 'Orphan'), (await find(cluster, 'child'))?.metadata?.ownerReferences];
    },
    [['second'], undefined],
  ],
  [
    'and they forget one owner of two',
    async (cluster) => {
      const owners = await customOwners(cluster);
      await makeWidget(cluster, 'child', owners);
      await remove(cluster, 'first', 'Background');
      return (await find(cluster, 'child'))?.metadata?.ownerReferences?.map(({ name }) => name);
    },
    ['second'],
  ],
  [
    'in the foreground the owner waits for a blocking dependent',
    async (cluster) => {
      const owner = await makeConfigMap(cluster, 'owner');
      await makeDependent(cluster, 'child', [reference('owner', owner, blocking)], held);
      return remove(cluster, 'owner', 'Foreground');
    },
    ['child', 'owner'],
  ],
  [
    'and goes with it',
    async (cluster) => {
      const owner = await makeConfigMap(cluster, 'owner');
      await makeDependent(cluster, 'child', [reference('owner', owner, blocking)], held);
      await remove(cluster, 'owner', 'Foreground');
      await free(cluster, 'child');
      return rest(cluster);
    },
    [],
  ],
  [
    'it does not wait for a dependent that does not block',
    async (cluster) => {
      const owner = await makeConfigMap(cluster, 'owner');
      await makeDependent(cluster, 'child', [reference('owner', owner)], held);
      return remove(cluster, 'owner', 'Foreground');
    },
    ['child'],
  ],
  [
    'the foreground reaches grandchildren first',
    async (cluster) => {
      const owner = await makeConfigMap(cluster, 'owner');
      const child = await makeDependent(cluster, 'child', [reference('owner', owner, blocking)]);
      await makeDependent(cluster, 'grandchild', [reference('child', child, blocking)], held);
      const during = await remove(cluster, 'owner', 'Foreground');
      await free(cluster, 'grandchild');
      return [during, await rest(cluster)];
    },
    [['child', 'grandchild', 'owner'], []],
  ],
  [
    'objects that own each other go when one is deleted in the foreground',
    async (cluster) => {
      const first = await makeConfigMap(cluster, 'first');
      const second = await makeDependent(cluster, 'second', [reference('first', first, blocking)]);
      const ownerReferences = [reference('second', second, blocking)];
      await cluster.send('PATCH', `${maps}/first`, { metadata: { ownerReferences } }, mergePatch);
      await cluster.settle();
      return remove(cluster, 'first', 'Foreground');
    },
    [],
  ],
  [
    'it acts as the ServiceAccount of that controller',
    async (cluster) => {
      const owner = await makeConfigMap(cluster, 'owner');
      await makeDependent(cluster, 'child', [reference('owner', owner)]);
      await remove(cluster, 'owner', 'Background');
      return cluster.writes().filter((line) => line.includes('generic-garbage-collector'));
    },
    [`system:serviceaccount:kube-system:generic-garbage-collector DELETE ${maps}/child 200`],
  ],
]);
