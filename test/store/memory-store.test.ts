import { expect, test } from 'vitest';
import type { KubernetesObject } from '../../src/apimachinery/object.ts';
import { createMemoryStore } from '../../src/store/memory-store.ts';
import type { Change, Store } from '../../src/store/store.ts';

// Source: apiserver pkg/storage/testing/store_tests.go and watcher_tests.go, restated for what the pipeline needs.
const configMaps = { group: '', resource: 'configmaps' };
const keyOf = (namespace: string, name: string) => ({ resource: configMaps, namespace, name });

const object = (namespace: string, name: string, value = ''): KubernetesObject => ({
  kind: 'ConfigMap',
  apiVersion: 'v1',
  metadata: { namespace, name },
  data: { value },
});

const create = (store: Store, namespace: string, name: string, value = '') =>
  store.create(keyOf(namespace, name), object(namespace, name, value));

const namesOf = (objects: readonly KubernetesObject[]): readonly string[] =>
  objects.map(({ metadata }) => `${metadata?.namespace}/${metadata?.name}`);

function watched(store: Store, since: number): { readonly seen: readonly string[]; readonly outcome: string } {
  const seen: string[] = [];
  const watching = store.watch(configMaps, since, ({ type, object: { metadata }, revision }: Change) => {
    seen.push(`${type} ${metadata?.name} ${revision} ${metadata?.resourceVersion}`);
  });
  return { seen, outcome: watching.outcome };
}

test('the first write gets revision 2, each later one the next, whatever its resource', async () => {
  const store = createMemoryStore();
  expect(store.revision()).toBe(1);
  await create(store, 'ns', 'a');
  await store.create(
    { resource: { group: 'apps', resource: 'deployments' }, namespace: 'ns', name: 'd' },
    object('ns', 'd'),
  );
  const made = await create(store, 'ns', 'b');
  expect(made).toMatchObject({
    outcome: 'stored',
    stored: { revision: 4, object: { metadata: { resourceVersion: '4' } } },
  });
  expect(store.revision()).toBe(4);
});

test('creating what is there changes nothing and shows it', async () => {
  const store = createMemoryStore();
  await create(store, 'ns', 'a', 'first');
  expect(await create(store, 'ns', 'a', 'second')).toMatchObject({
    outcome: 'exists',
    stored: { object: { data: { value: 'first' } } },
  });
  expect(store.revision()).toBe(2);
});

test.each(['update', 'remove'] as const)('%s needs the expected revision', async (act) => {
  const store = createMemoryStore();
  const write = (name: string, expected: number) =>
    act === 'update'
      ? store.update(keyOf('ns', name), object('ns', name, 'new'), expected)
      : store.remove(keyOf('ns', name), expected);
  await create(store, 'ns', 'a');
  expect(await write('nobody', 2)).toEqual({ outcome: 'missing' });
  expect(await write('a', 1)).toMatchObject({ outcome: 'conflict', stored: { revision: 2 } });
  expect(store.revision()).toBe(2);
  expect(await write('a', 2)).toMatchObject({ outcome: 'stored', stored: { revision: 3 } });
});

test('lists are in the byte order of namespace/name, as etcd keys are', async () => {
  const store = createMemoryStore();
  for (const [namespace, name] of [
    ['b', 'x'],
    ['a', 'b'],
    ['a-b', 'x'],
    ['a', 'B'],
    ['a', 'a.b'],
    ['a', 'a-b'],
  ]) {
    await create(store, namespace ?? '', name ?? '');
  }
  expect(namesOf(store.list(configMaps))).toEqual(['a-b/x', 'a/B', 'a/a-b', 'a/a.b', 'a/b', 'b/x']);
  expect(namesOf(store.list(configMaps, 'a'))).toEqual(['a/B', 'a/a-b', 'a/a.b', 'a/b']);
  expect(store.list(configMaps, 'none')).toEqual([]);
});

test('a list is a snapshot: later writes do not reach into it', async () => {
  const store = createMemoryStore();
  await create(store, 'ns', 'a');
  const before = store.list(configMaps);
  await create(store, 'ns', 'b');
  await store.remove(keyOf('ns', 'a'), 2);
  expect(namesOf(before)).toEqual(['ns/a']);
  expect(namesOf(store.list(configMaps))).toEqual(['ns/b']);
});

test.each([
  [1, ['created a 2 2', 'created b 3 3', 'updated a 4 4', 'removed b 5 5', 'created c 6 6']],
  [3, ['updated a 4 4', 'removed b 5 5', 'created c 6 6']],
  [5, ['created c 6 6']],
  [7, []],
])('a watch since %i sees what came after it, in order', async (since, expected) => {
  const store = createMemoryStore();
  await create(store, 'ns', 'a');
  await create(store, 'ns', 'b');
  await store.update(keyOf('ns', 'a'), object('ns', 'a', 'new'), 2);
  await store.remove(keyOf('ns', 'b'), 3);
  const { seen } = watched(store, since);
  await create(store, 'ns', 'c');
  expect(seen).toEqual(expected);
});

test('a change tells what was there before', async () => {
  const store = createMemoryStore();
  const changes: Change[] = [];
  store.watch(configMaps, 1, (change) => changes.push(change));
  await create(store, 'ns', 'a', 'old');
  await store.update(keyOf('ns', 'a'), object('ns', 'a', 'new'), 2);
  await store.remove(keyOf('ns', 'a'), 3);
  expect(changes).toMatchObject([
    { type: 'created', object: { data: { value: 'old' } } },
    { type: 'updated', object: { data: { value: 'new' } }, previous: { data: { value: 'old' } } },
    { type: 'removed', object: { data: { value: 'new' } }, previous: { metadata: { resourceVersion: '3' } } },
  ]);
});

test('a closed watch sees no more', async () => {
  const store = createMemoryStore();
  const seen: Change[] = [];
  const watching = store.watch(configMaps, 1, (change) => seen.push(change));
  await create(store, 'ns', 'a');
  if (watching.outcome === 'watching') watching.close();
  await create(store, 'ns', 'b');
  expect(seen).toHaveLength(1);
});

test('a listener that writes does not disturb the order', async () => {
  const store = createMemoryStore();
  const { seen } = watched(store, 1);
  let wrote = false;
  store.watch(configMaps, 1, () => {
    if (!wrote) {
      wrote = true;
      void create(store, 'ns', 'second');
    }
  });
  await create(store, 'ns', 'first');
  await create(store, 'ns', 'third');
  expect(seen.map((line) => line.split(' ')[1])).toEqual(['first', 'second', 'third']);
});

test('the state of an earlier revision can be read', async () => {
  const store = createMemoryStore();
  await create(store, 'ns', 'a', 'old');
  await create(store, 'ns', 'b');
  await create(store, 'other', 'z');
  await store.update(keyOf('ns', 'a'), object('ns', 'a', 'new'), 2);
  await store.remove(keyOf('ns', 'b'), 3);
  await create(store, 'ns', 'c');
  const at = (revision: number, namespace?: string) => store.readAllAt(configMaps, namespace, revision);
  expect(at(4, 'ns')).toMatchObject({
    outcome: 'read',
    items: [{ data: { value: 'old' }, metadata: { resourceVersion: '2' } }, { metadata: { name: 'b' } }],
  });
  expect(at(3)).toMatchObject({ items: [{ metadata: { name: 'a' } }, { metadata: { name: 'b' } }] });
  expect(at(1)).toEqual({ outcome: 'read', items: [] });
  expect(at(7)).toMatchObject({ items: store.list(configMaps) });
});

test('after many writes the oldest are forgotten: too old a watch and too old a read are told so', async () => {
  const store = createMemoryStore();
  await create(store, 'ns', 'a');
  for (let revision = 2; revision < 20_010; revision += 1) {
    await store.update(keyOf('ns', 'a'), object('ns', 'a', String(revision)), revision);
  }
  const expired = store.watch(configMaps, 5, () => {});
  if (expired.outcome !== 'expired') throw new Error('still there');
  expect(expired.oldest).toBeGreaterThan(5);
  expect(watched(store, expired.oldest).outcome).toBe('watching');
  expect(store.readAllAt(configMaps, undefined, 5)).toEqual({ outcome: 'expired' });
  expect(store.readAllAt(configMaps, undefined, 20_000)).toMatchObject({ outcome: 'read' });
});

test('a fork starts with the same content and goes its own way, both ways', async () => {
  const store = createMemoryStore();
  await create(store, 'ns', 'a', 'old');
  const { seen: atOrigin } = watched(store, 2);
  const fork = store.fork();
  expect(fork.list(configMaps)).toEqual(store.list(configMaps));
  expect(fork.revision()).toBe(2);

  await create(store, 'ns', 'of-origin');
  await fork.update(keyOf('ns', 'a'), object('ns', 'a', 'forked'), 2);
  await create(fork, 'ns', 'of-fork');

  expect(namesOf(store.list(configMaps))).toEqual(['ns/a', 'ns/of-origin']);
  expect(namesOf(fork.list(configMaps))).toEqual(['ns/a', 'ns/of-fork']);
  expect(store.get(configMaps, 'ns', 'a')).toMatchObject({ data: { value: 'old' } });
  expect(fork.get(configMaps, 'ns', 'a')).toMatchObject({ data: { value: 'forked' } });
  expect(atOrigin).toEqual(['created of-origin 3 3']);
  expect(watched(fork, 1).seen).toEqual(['created a 2 2', 'updated a 3 3', 'created of-fork 4 4']);
});

test('a fork of a fork shares with neither, and a removal stays where it was made', async () => {
  const store = createMemoryStore();
  await create(store, 'ns', 'a');
  const fork = store.fork();
  const second = fork.fork();
  await fork.remove(keyOf('ns', 'a'), 2);
  expect([store, fork, second].map((one) => one.list(configMaps).length)).toEqual([1, 0, 1]);
});

test.each(['__proto__', 'constructor', 'toString', ''])('an object may be called %j', async (name) => {
  const store = createMemoryStore();
  expect(await store.read(keyOf(name, name))).toBeUndefined();
  await create(store, name, name);
  expect(await store.read(keyOf(name, name))).toMatchObject({ revision: 2 });
  expect(namesOf(store.list(configMaps, name))).toEqual([`${name}/${name}`]);
});

// Source: apiserver pkg/storage/watch_cache.go: a watch tells of what is after its resourceVersion
test('a watch of a revision that is yet to come begins after it', async () => {
  const store = createMemoryStore();
  await create(store, 'ns', 'a');
  const { seen, outcome } = watched(store, store.revision() + 2);
  for (const name of ['b', 'c', 'd']) await create(store, 'ns', name);
  expect({ outcome, seen }).toEqual({ outcome: 'watching', seen: ['created d 5 5'] });
});
