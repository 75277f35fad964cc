import { expect, test } from 'vitest';
import { openCachedStore } from '../../../src/apiserver/storage/cached-store.ts';
import { createMemoryStore, type MemoryStore } from '../../../src/apiserver/storage/memory-store.ts';
import type { Follower, Storage } from '../../../src/apiserver/storage/storage.ts';
import { createVirtualClock } from '../../harness/virtual-clock.ts';
import { keyOf, object, storageContract } from './contract.ts';

const clock = createVirtualClock();

/** A source whose watch shows everything a moment later, as one behind a wire does. */
const late = (memory: MemoryStore): Storage => ({
  ...memory,
  watchAll: (since, follower) =>
    memory.watchAll(since, { onWrite: (write) => void setImmediate(() => follower.onWrite(write)) }),
});

const unexpected = (error: unknown): never => {
  throw error;
};

storageContract('a cache in front of what shows later', () =>
  openCachedStore(late(createMemoryStore()), { clock, onLost: unexpected }),
);

const configMaps = keyOf('', '').resource;

/** A source whose watch is in the hands of the test. */
async function held() {
  let closed = 0;
  const memory = createMemoryStore();
  const make = (name: string) => memory.create(keyOf('ns', name), object('ns', name));
  const followers: Follower[] = [];
  let isAway = false;
  const source: Storage = {
    ...memory,
    readAll: (...asked) => (isAway ? Promise.reject(new Error('away')) : memory.readAll(...asked)),
    snapshot: () => (isAway ? Promise.reject(new Error('away')) : memory.snapshot()),
    watchAll: (_since, follower) => {
      followers.push(follower);
      return { outcome: 'watching', close: () => (closed += 1) };
    },
  };
  await make('first');
  await make('second');
  const troubles: unknown[] = [];
  const time = createVirtualClock();
  const store = await openCachedStore(source, { clock: time, onLost: (error) => troubles.push(error) });
  const names = () => store.cluster.list(configMaps).map(({ metadata }) => metadata?.name);
  return {
    ...store,
    closed: () => closed,
    memory,
    make,
    followers,
    time,
    names,
    troubles,
    away: (is: boolean) => (isAway = is),
  };
}

test('what is there at the beginning is read, and is no news', async () => {
  const { cluster, names } = await held();
  expect(names()).toEqual(['first', 'second']);
  expect(cluster.revision()).toBe(3);
  expect(cluster.watch(configMaps, 2, () => {})).toEqual({ outcome: 'expired', oldest: 3 });
});

test('a write is answered when the cache shows it, or when patience ends', async () => {
  const { storage, cluster, followers, time } = await held();
  let answered = 0;
  const wrote = (name: string) => storage.create(keyOf('ns', name), object('ns', name)).then(() => (answered += 1));
  const first = wrote('a');
  await time.advance(1000);
  expect(answered).toBe(0);
  followers[0]?.onWrite({ key: keyOf('ns', 'a'), revision: 4, object: object('ns', 'a') });
  await first;
  expect(cluster.get(configMaps, 'ns', 'a')).toBeDefined();
  const second = wrote('b');
  await time.advance(2999);
  expect(answered).toBe(1);
  await time.advance(1);
  await second;
});

test('a list at a revision of the cache does not read the source', async () => {
  const { storage, away } = await held();
  away(true);
  expect(await storage.readAll(configMaps)).toMatchObject({ outcome: 'read', revision: 3 });
});

test('a list is not older than the source was when it was asked: it waits, and asks the source itself in the end', async () => {
  const { storage, make, followers, time } = await held();
  await make('third');
  const waiting = storage.readAll(configMaps);
  await time.advance(1000);
  followers[0]?.onWrite({ key: keyOf('ns', 'third'), revision: 4, object: object('ns', 'third') });
  expect(await waiting).toMatchObject({ items: [{}, {}, { metadata: { name: 'third' } }], revision: 4 });
  await make('fourth');
  const impatient = storage.readAll(configMaps);
  await time.advance(3000);
  expect(await impatient).toMatchObject({ items: [{}, { metadata: { name: 'fourth' } }, {}, {}], revision: 5 });
});

test('a reader who arrives after the last waiter waits no longer than its timeout', async () => {
  const { storage, make, time } = await held();
  for (const name of ['third', 'fourth']) {
    await make(name);
    const impatient = storage.readAll(configMaps);
    await time.advance(3000);
    expect(await Promise.race([impatient, Promise.resolve('still waiting')])).toMatchObject({ outcome: 'read' });
  }
});

test('what was not missed is no news', async () => {
  const { cluster, followers, time } = await held();
  const seen: string[] = [];
  cluster.watchEach((_resource, { type }) => seen.push(type));
  followers[0]?.onCompacted?.();
  await time.advance(1);
  expect([seen, followers.length]).toEqual([[], 2]);
});

test('progress without a write counts', async () => {
  const { storage, make, followers, memory } = await held();
  await make('elsewhere');
  await memory.remove(keyOf('ns', 'elsewhere'), 4);
  const waiting = storage.readAll(configMaps);
  followers[0]?.onProgress?.(5);
  expect(await waiting).toMatchObject({ outcome: 'read', revision: 5 });
});

test('a repeated write is delivered once', async () => {
  const { cluster, followers } = await held();
  const seen: string[] = [];
  cluster.watch(configMaps, 3, ({ type, revision }) => seen.push(`${type} ${revision}`));
  const write = { key: keyOf('ns', 'a'), revision: 4, object: object('ns', 'a') };
  const removal = { key: keyOf('ns', 'a'), revision: 5 };
  for (const one of [write, write, removal, removal]) followers[0]?.onWrite(one);
  expect(seen).toEqual(['created 4', 'removed 5']);
});

test('after missed changes the differences are delivered by revision, and the watch continues', async () => {
  const { cluster, memory, make, followers, names, time, troubles, away } = await held();
  const seen: string[] = [];
  cluster.watch(configMaps, 3, ({ type, object: { metadata }, revision }) =>
    seen.push(`${type} ${metadata?.name} ${revision}`),
  );
  await memory.remove(keyOf('ns', 'second'), 3);
  await memory.update(keyOf('ns', 'first'), object('ns', 'first', 'new'), 2);
  await make('third');
  away(true);
  followers[0]?.onCompacted?.();
  await time.advance(1);
  expect([names(), troubles.length]).toEqual([['first', 'second'], 1]);
  away(false);
  await time.advance(998);
  expect(names()).toEqual(['first', 'second']);
  await time.advance(1);
  expect(names()).toEqual(['first', 'third']);
  expect(seen).toEqual(['updated first 5', 'created third 6', 'removed second 6']);
  expect(followers).toHaveLength(2);
});

test('missed writes are delivered in the order of revisions', async () => {
  const { cluster, memory, followers, time } = await held();
  const seen: string[] = [];
  cluster.watch(configMaps, 3, ({ object: { metadata }, revision }) => seen.push(`${metadata?.name} ${revision}`));
  await memory.update(keyOf('ns', 'second'), object('ns', 'second', 'new'), 3);
  await memory.update(keyOf('ns', 'first'), object('ns', 'first', 'new'), 2);
  followers[0]?.onCompacted?.();
  await time.advance(1);
  expect(seen).toEqual(['second 4', 'first 5']);
});

test('how it was before the cache began is asked of the source', async () => {
  const { storage } = await held();
  const names = async (revision: number): Promise<unknown> => {
    const read = await storage.readAll(configMaps, undefined, revision);
    return read.outcome === 'read' && read.items.map(({ metadata }) => metadata?.name);
  };
  expect(await names(2)).toEqual(['first']);
  expect(await names(3)).toEqual(['first', 'second']);
});

test('who follows a source lets it go once', async () => {
  const { close, closed } = await held();
  expect(closed()).toBe(0);
  close();
  expect(closed()).toBe(1);
});

test('a list that has waited is answered by the cache, which is as far as it must be', async () => {
  const { storage, make, followers, away } = await held();
  await make('third');
  const waiting = storage.readAll(configMaps);
  await new Promise((resolve) => void setImmediate(resolve));
  away(true);
  followers[0]?.onWrite({ key: keyOf('ns', 'third'), revision: 4, object: object('ns', 'third') });
  expect(await waiting).toMatchObject({ outcome: 'read', revision: 4 });
});

test('one timer serves all who wait', async () => {
  let timers = 0;
  const memory = createMemoryStore();
  const time = createVirtualClock();
  const sleep: typeof time.sleep = (...how) => {
    timers += 1;
    return time.sleep(...how);
  };
  const source = { ...memory, watchAll: () => ({ outcome: 'watching', close: () => {} }) as const };
  const { storage } = await openCachedStore(source, { clock: { ...time, sleep }, onLost: unexpected });
  await memory.create(keyOf('ns', 'a'), object('ns', 'a'));
  const lists = Array.from({ length: 20 }, () => storage.readAll(configMaps));
  await time.advance(2999);
  expect(timers).toBe(1);
  await time.advance(1);
  expect(await Promise.all(lists)).toHaveLength(20);
});

test('a closed store does not wait: it reads the source for what its cache lacks', async () => {
  const { storage, make, close } = await held();
  await make('third');
  const waiting = storage.readAll(configMaps);
  await new Promise((resolve) => void setImmediate(resolve));
  close();
  expect(await waiting).toMatchObject({ items: [{}, {}, {}], revision: 4 });
  expect(await storage.readAll(configMaps)).toMatchObject({ items: [{}, {}, {}], revision: 4 });
});

// Source: apiserver pkg/storage/cacher/watch_cache.go processEvent: one stored under a revision that is not later is none.
test('of two writes the later one stays in any order; a removal of a missing object changes nothing', async () => {
  const { cluster, followers } = await held();
  const seen: string[] = [];
  cluster.watch(configMaps, 3, ({ type, object: { metadata }, revision }) =>
    seen.push(`${type} ${metadata?.name} ${revision}`),
  );
  for (const revision of [6, 5]) {
    followers[0]?.onWrite({ key: keyOf('ns', 'a'), revision, object: object('ns', 'a', String(revision)) });
  }
  followers[0]?.onWrite({ key: keyOf('ns', 'absent'), revision: 7 });
  expect(seen).toEqual(['created a 6']);
  expect([cluster.get(configMaps, 'ns', 'a'), cluster.revision()]).toMatchObject([{ data: { value: '6' } }, 7]);
});
