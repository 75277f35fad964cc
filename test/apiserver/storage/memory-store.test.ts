import { expect, test } from 'vitest';
import { createMemoryStore, type MemoryStore } from '../../../src/apiserver/storage/memory-store.ts';
import { keyOf, object, storageContract } from './contract.ts';

storageContract('memory', async () => {
  const memory = createMemoryStore();
  return { storage: memory, cluster: memory, close: () => undefined };
});

const configMaps = keyOf('', '').resource;

const create = (store: MemoryStore, namespace: string, name: string, value = '') =>
  store.create(keyOf(namespace, name), object(namespace, name, value));

const namesOf = (store: MemoryStore): readonly string[] =>
  store.list(configMaps).map(({ metadata }) => `${metadata?.namespace}/${metadata?.name}`);

function watched(store: MemoryStore, since: number): readonly string[] {
  const seen: string[] = [];
  store.watch(configMaps, since, ({ type, object: { metadata }, revision }) => {
    seen.push(`${type} ${metadata?.name} ${revision}`);
  });
  return seen;
}

// Source: a resourceVersion of 1 would read as "from the beginning" to watches.
test('the first write gets revision 2', async () => {
  const store = createMemoryStore();
  expect(store.revision()).toBe(1);
  expect(await create(store, 'ns', 'a')).toMatchObject({ stored: { revision: 2 } });
});

test('a watch from the beginning receives every change, also of all resources', async () => {
  const store = createMemoryStore();
  await create(store, 'ns', 'a');
  expect(watched(store, 0)).toEqual(['created a 2']);
  const seen: number[] = [];
  expect(store.watchAll(0, { onWrite: ({ revision }) => seen.push(revision) }).outcome).toBe('watching');
  expect(seen).toEqual([2]);
});

test('after many writes the oldest are forgotten: older watches and reads expire', async () => {
  const store = createMemoryStore();
  await create(store, 'ns', 'a');
  for (let revision = 2; revision < 4010; revision += 1) {
    await store.update(keyOf('ns', 'a'), object('ns', 'a', String(revision)), revision);
  }
  const expired = store.watch(configMaps, 5, () => {});
  if (expired.outcome !== 'expired') throw new Error('still there');
  expect(expired.oldest).toBeGreaterThan(5);
  expect(store.watch(configMaps, expired.oldest, () => {}).outcome).toBe('watching');
  expect(watched(store, expired.oldest)[0]).toBe(`updated a ${expired.oldest + 1}`);
  expect(store.watch(configMaps, expired.oldest - 1, () => {}).outcome).toBe('expired');
  expect(store.watchAll(5, { onWrite: () => {} })).toEqual(expired);
  expect(store.watchAll(expired.oldest, { onWrite: () => {} }).outcome).toBe('watching');
  expect(await store.readAll(configMaps, undefined, 5)).toEqual({ outcome: 'expired' });
  expect(await store.readAll(configMaps, undefined, 4000)).toMatchObject({ outcome: 'read' });
});

test('a fork starts with the same content and goes its own way, both ways', async () => {
  const store = createMemoryStore();
  await create(store, 'ns', 'a', 'old');
  const atOrigin = watched(store, 2);
  const fork = store.fork();
  expect(fork.list(configMaps)).toEqual(store.list(configMaps));
  expect(fork.revision()).toBe(2);

  await create(store, 'ns', 'of-origin');
  await fork.update(keyOf('ns', 'a'), object('ns', 'a', 'forked'), 2);
  await create(fork, 'ns', 'of-fork');

  expect(namesOf(store)).toEqual(['ns/a', 'ns/of-origin']);
  expect(namesOf(fork)).toEqual(['ns/a', 'ns/of-fork']);
  expect(store.get(configMaps, 'ns', 'a')).toMatchObject({ data: { value: 'old' } });
  expect(fork.get(configMaps, 'ns', 'a')).toMatchObject({ data: { value: 'forked' } });
  expect(atOrigin).toEqual(['created of-origin 3']);
  expect(watched(fork, 1)).toEqual(['created a 2', 'updated a 3', 'created of-fork 4']);
});

test('a fork of a fork shares with neither, and a removal stays where it was made', async () => {
  const store = createMemoryStore();
  await create(store, 'ns', 'a');
  const fork = store.fork();
  const second = fork.fork();
  await fork.remove(keyOf('ns', 'a'), 2);
  expect([store, fork, second].map((one) => one.list(configMaps).length)).toEqual([1, 0, 1]);
});

// A follower of every resource reads only these: a fork of a world with hundreds of definitions would be slow otherwise.
test('it says which resources have objects, in a fork too', async () => {
  const store = createMemoryStore();
  expect([...store.resources()]).toEqual([]);
  await create(store, 'ns', 'a');
  const fork = store.fork();
  const leases = { ...keyOf('ns', 'l'), resource: { group: 'coordination.k8s.io', resource: 'leases' } };
  await fork.create(leases, object('ns', 'l'));
  expect([store, fork].map((one) => [...one.resources()])).toEqual([
    ['configmaps'],
    ['configmaps', 'leases.coordination.k8s.io'],
  ]);
});
