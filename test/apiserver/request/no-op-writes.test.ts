import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/machinery/json/json.ts';
import { createVirtualClock } from '../../harness/virtual-clock.ts';
import { at } from '../../harness/world-answer.ts';
import { createTestWorld } from '../../harness/world.ts';

const accounts = '/api/v1/namespaces/default/serviceaccounts';
const apply = { contentType: 'application/apply-patch+yaml' };

interface Story {
  readonly path: string;
  readonly first: JsonObject;
  /** The same to Kubernetes, in other words. */
  readonly again: JsonObject;
}

const pod = (container: JsonObject): JsonObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'a', labels: { app: 'a' } },
  spec: { containers: [{ name: 'c', image: 'i', ...container }] },
});

const statefulSet = (memory: string): JsonObject => ({
  apiVersion: 'apps/v1',
  kind: 'StatefulSet',
  metadata: { name: 'a' },
  spec: {
    serviceName: 's',
    selector: { matchLabels: { app: 'a' } },
    template: {
      metadata: { labels: { app: 'a' } },
      spec: { containers: [{ name: 'c', image: 'i', resources: { limits: { memory } } }] },
    },
    volumeClaimTemplates: [
      {
        apiVersion: 'v1',
        kind: 'PersistentVolumeClaim',
        metadata: { name: 'v' },
        spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: memory } } },
      },
    ],
  },
});

const unfilled: JsonObject = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'a', creationTimestamp: null, resourceVersion: null },
  data: { k: 'v' },
};

const pods = '/api/v1/namespaces/default/pods/a';
const sets = '/apis/apps/v1/namespaces/default/statefulsets/a';

// Source: kubernetes test/integration/apiserver/apply/apply_test.go TestNoOp*SameResourceVersion, TestNoSemanticUpdate*.
const stories: readonly [fact: string, story: Story][] = [
  ['the same words', { path: pods, first: pod({}), again: pod({}) }],
  [
    'empty maps',
    {
      path: pods,
      first: pod({ resources: {}, securityContext: {} }),
      again: pod({ resources: {}, securityContext: {} }),
    },
  ],
  [
    'null for what the server fills in',
    {
      path: '/api/v1/namespaces/default/configmaps/a',
      first: unfilled,
      again: unfilled,
    },
  ],
  [
    'null',
    {
      path: pods,
      first: pod({ env: null }),
      again: pod({ env: null }),
    },
  ],
  [
    'a quantity with another suffix',
    {
      path: pods,
      first: pod({ resources: { limits: { memory: '2Gi' } } }),
      again: pod({ resources: { limits: { memory: '2048Mi' } } }),
    },
  ],
  ['templates of claims, which get defaults', { path: sets, first: statefulSet('2Gi'), again: statefulSet('2Gi') }],
  ['and with another suffix', { path: sets, first: statefulSet('2Gi'), again: statefulSet('2048Mi') }],
];

test.each(stories)('an apply that changes nothing stores nothing: %s', async (_fact, { path, first, again }) => {
  const clock = createVirtualClock();
  const world = await createTestWorld({ clock });
  await world.send('POST', accounts, { metadata: { name: 'default' } });
  const created = await world.send('PATCH', `${path}?fieldManager=m`, first, apply);
  await clock.advance(2000);
  const applied = await world.send('PATCH', `${path}?fieldManager=m`, again, apply);
  expect([created.code, applied.code, applied.message]).toEqual([201, 200, '']);
  expect(at(applied.body, 'metadata')).toEqual(at(created.body, 'metadata'));
});

const configMaps = '/api/v1/namespaces/default/configmaps';
const versioned = (resourceVersion: string) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'a', resourceVersion },
});

// Source: apiserver pkg/registry/generic/registry/store.go Update, dryrun.go GuaranteedUpdate: only the storage drops the version.
test.each<[query: string, keepsVersion: boolean, storedCode: number]>([
  ['', false, 200],
  ['&dryRun=All', true, 404],
])('an apply%s that creates accepts a resourceVersion', async (query, keepsVersion, storedCode) => {
  const world = await createTestWorld();
  const created = await world.send('PATCH', `${configMaps}/a?fieldManager=m${query}`, versioned('999'), apply);
  const stored = await world.send('GET', `${configMaps}/a`);
  expect([created.code, stored.code]).toEqual([201, storedCode]);
  expect(at(created.body, 'metadata', 'resourceVersion') === '999').toBe(keepsVersion);
});

test.each(['', '&dryRun=All'])('an apply%s that creates needs a readable resourceVersion', async (query) => {
  const world = await createTestWorld();
  const created = await world.send('PATCH', `${configMaps}/a?fieldManager=m${query}`, versioned('x'), apply);
  expect([created.code, created.message]).toEqual([500, 'strconv.ParseUint: parsing "x": invalid syntax']);
});

// Source: the same, TestApplyFormerlyAtomicFields.
test('an owner of a formerly atomic field causes no conflict below it', async () => {
  const world = await createTestWorld();
  const volume = {
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: {
      name: 'v',
      managedFields: [
        {
          apiVersion: 'v1',
          fieldsType: 'FieldsV1',
          fieldsV1: { 'f:spec': { 'f:claimRef': {} } },
          manager: 'kube-controller-manager',
          operation: 'Update',
          time: '2022-06-08T23:46:37Z',
        },
      ],
    },
    spec: {
      accessModes: ['ReadWriteOnce'],
      capacity: { storage: '16Mi' },
      claimRef: { kind: 'PersistentVolumeClaim', name: 'c', namespace: 'default', uid: 'u' },
      hostPath: { path: '/tmp' },
    },
  };
  const { body } = await world.send('POST', '/api/v1/persistentvolumes', volume);
  const mine = {
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { name: 'v' },
    spec: { claimRef: { name: 'c', namespace: 'default' } },
  };
  const applied = await world.send('PATCH', '/api/v1/persistentvolumes/v?fieldManager=m', mine, apply);
  expect(`${applied.code} ${applied.message}`).toBe('200 ');
  expect(at(applied.body, 'spec', 'claimRef')).toEqual(at(body, 'spec', 'claimRef'));
});

// Source: apiserver pkg/storage/etcd3/store.go GuaranteedUpdate: what is stored in a way no longer wanted is written again.
test.each([
  { stale: true, isWritten: true },
  { stale: false, isWritten: false },
])('an update that changes nothing, of an object that is stale: $stale', async ({ stale, isWritten }) => {
  const world = await createTestWorld({
    wrapStore: (storage) => ({
      ...storage,
      read: async (key) => {
        const stored = await storage.read(key);
        return stored && { ...stored, stale };
      },
    }),
  });
  const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'a' } };
  const before = await world.send('POST', accounts, account);
  const after = await world.send('PUT', `${accounts}/a`, account);
  const versions = [before, after].map(({ body }) => at(body, 'metadata', 'resourceVersion'));
  expect(versions[0] === versions[1]).toBe(!isWritten);
});
