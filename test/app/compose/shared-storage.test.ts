import { expect, test } from 'vitest';
import { openCachedStore } from '../../../src/apiserver/storage/cached-store.ts';
import { createMemoryStore } from '../../../src/apiserver/storage/memory-store.ts';
import { type Storage, StorageUnavailable } from '../../../src/apiserver/storage/storage.ts';
import { definition, definitions, widgets } from '../../apiserver/custom-resources/widgets.ts';
import { createVirtualClock } from '../../harness/virtual-clock.ts';
import { createTestWorld, type TestWorld } from '../../harness/world.ts';

const merge = { contentType: 'application/merge-patch+json' };
const policies = '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies';
const configMaps = '/api/v1/namespaces/default/configmaps';

/** A server of its own over the storage, with a cache that the storage's watch feeds. */
async function serverOn(storage: Storage): Promise<TestWorld> {
  const clock = createVirtualClock();
  const store = await openCachedStore(storage, { clock, onLost: () => {} });
  const world = await createTestWorld({ store, clock });
  await world.serveStored();
  return world;
}

async function define({ send }: TestWorld): Promise<void> {
  await send('POST', definitions, definition());
  const acceptedNames = { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' };
  const conditions = [{ type: 'NamesAccepted', status: 'True' }];
  await send('PATCH', `${definitions}/widgets.example.com/status`, { status: { acceptedNames, conditions } }, merge);
}

async function forbidBad({ send }: TestWorld): Promise<void> {
  const resourceRules = [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] }];
  const validations = [{ expression: "object.metadata.name != 'bad'" }];
  await send('POST', policies, { metadata: { name: 'p' }, spec: { matchConstraints: { resourceRules }, validations } });
  await send('POST', `${policies.replace('policies', 'policybindings')}`, {
    metadata: { name: 'p' },
    spec: { policyName: 'p', validationActions: ['Deny'] },
  });
}

const codes = async ({ send }: TestWorld): Promise<readonly number[]> => [
  (await send('GET', widgets)).code,
  (await send('POST', configMaps, { metadata: { name: 'bad' } })).code,
];

test('objects that another server stored before the start are served, and admit the next request', async () => {
  const storage = createMemoryStore();
  const first = await serverOn(storage);
  await define(first);
  await forbidBad(first);
  const second = await serverOn(storage);
  expect(await codes(second)).toEqual([200, 422]);
  expect(second.bugs).toEqual([]);
});

test('objects that another server stores at run time are served, and admit the next request', async () => {
  const storage = createMemoryStore();
  const [first, second] = [await serverOn(storage), await serverOn(storage)];
  expect(await codes(second)).toEqual([404, 201]);
  await second.send('DELETE', `${configMaps}/bad`);
  await define(first);
  await forbidBad(first);
  expect(await codes(second)).toEqual([200, 422]);
  expect(second.bugs).toEqual([]);
});

test('a storage out of reach is a 500 in its words, and no bug of ours', async () => {
  const memory = createMemoryStore();
  const away = (): Promise<never> => Promise.reject(new StorageUnavailable('etcdserver: request timed out'));
  const world = await createTestWorld({ wrapStore: () => ({ ...memory, read: away, create: away, readAll: away }) });
  const message = 'etcdserver: request timed out';
  expect(await world.send('GET', `${configMaps}/a`)).toMatchObject({ code: 500, body: { message } });
  expect(await world.send('GET', configMaps)).toMatchObject({ code: 500, body: { message } });
  expect(await world.send('POST', configMaps, { metadata: { name: 'a' } })).toMatchObject({ code: 500 });
  expect(world.bugs).toEqual([]);
});
