import { describe, expect, test } from 'vitest';
import type { KubernetesObject } from '../../../src/machinery/meta/object.ts';
import type { CacheChange, ClusterCache } from '../../../src/apiserver/storage/cluster-cache.ts';
import type { Storage, StorageWrite } from '../../../src/apiserver/storage/storage.ts';

/** A storage and what reads of it at once; empty when it is opened. */
export interface OpenStore {
  readonly storage: Storage;
  readonly cluster: ClusterCache;
  readonly close: () => unknown;
}

const configMaps = { group: '', resource: 'configmaps' };
const deployments = { group: 'apps', resource: 'deployments' };
const widgets = { group: 'example.com', resource: 'widgets' };

export const keyOf = (namespace: string, name: string) => ({ resource: configMaps, namespace, name });

export const object = (namespace: string, name: string, value = ''): KubernetesObject => ({
  kind: 'ConfigMap',
  apiVersion: 'v1',
  metadata: namespace === '' ? { name } : { namespace, name },
  data: { value },
});

const namesOf = (objects: readonly KubernetesObject[]): readonly string[] =>
  objects.map(({ metadata }) => `${metadata?.namespace ?? ''}/${metadata?.name}`);

/**
 * What every storage promises, whatever it keeps objects in. Revisions count from the first one.
 * Source: apiserver pkg/storage/testing/store_tests.go and watcher_tests.go, restated for what the pipeline needs.
 */
export function storageContract(title: string, open: () => Promise<OpenStore>): void {
  const opened = async () => {
    const store = await open();
    const { storage, cluster } = store;
    const begun = await storage.latest();
    return {
      ...store,
      create: (namespace: string, name: string, value = '') =>
        storage.create(keyOf(namespace, name), object(namespace, name, value)),
      update: (namespace: string, name: string, value: string, expected: number) =>
        storage.update(keyOf(namespace, name), object(namespace, name, value), begun + expected),
      remove: (namespace: string, name: string, expected: number) =>
        storage.remove(keyOf(namespace, name), begun + expected),
      latest: async () => (await storage.latest()) - begun,
      listed: async (namespace?: string, at?: number) =>
        storage.readAll(configMaps, namespace, at === undefined ? undefined : begun + at),
      begun,
      watched: (since: number) => {
        const seen: string[] = [];
        const watching = cluster.watch(configMaps, begun + since, ({ type, object: { metadata }, revision }) => {
          const same = metadata?.resourceVersion === String(revision) ? '' : ` not ${metadata?.resourceVersion}`;
          seen.push(`${type} ${metadata?.name} ${revision - begun}${same}`);
        });
        return { seen, watching };
      },
    };
  };
  /** Runs a case on a storage of its own. */
  const on = (act: (store: Awaited<ReturnType<typeof opened>>) => Promise<void>) => async () => {
    const store = await opened();
    try {
      await act(store);
    } finally {
      await store.close();
    }
  };

  describe(`${title}, one write after the other`, () => {
    test(
      'each write has the next revision, whatever its resource',
      on(async ({ storage, create, latest, begun, cluster }) => {
        await create('ns', 'a');
        const key = { resource: deployments, namespace: 'ns', name: 'd' };
        await storage.create(key, object('ns', 'd'));
        expect(await create('ns', 'b')).toMatchObject({
          outcome: 'stored',
          stored: { revision: begun + 3, object: { metadata: { resourceVersion: String(begun + 3) } } },
        });
        expect([await latest(), cluster.revision() - begun]).toEqual([3, 3]);
      }),
    );

    test(
      'creating what is there changes nothing and shows it',
      on(async ({ create, latest }) => {
        await create('ns', 'a', 'first');
        expect(await create('ns', 'a', 'second')).toMatchObject({
          outcome: 'exists',
          stored: { object: { data: { value: 'first' } } },
        });
        expect(await latest()).toBe(1);
      }),
    );

    test.each(['update', 'remove'] as const)('%s needs the expected revision', (act) =>
      on(async ({ create, update, remove, latest, begun }) => {
        const write = (name: string, expected: number) =>
          act === 'update' ? update('ns', name, 'new', expected) : remove('ns', name, expected);
        await create('ns', 'a');
        expect(await write('absent', 1)).toEqual({ outcome: 'missing' });
        expect(await write('a', 0)).toMatchObject({ outcome: 'conflict', stored: { revision: begun + 1 } });
        expect(await latest()).toBe(1);
        expect(await write('a', 1)).toMatchObject({ outcome: 'stored', stored: { revision: begun + 2 } });
      })(),
    );

    test(
      'of writes that expect the same revision one is stored, and the others conflict',
      on(async ({ create, update, storage, begun }) => {
        await create('ns', 'a', '0');
        const written = await Promise.all(['1', '2', '3', '4'].map((value) => update('ns', 'a', value, 1)));
        expect(written.map(({ outcome }) => outcome).sort()).toEqual(['conflict', 'conflict', 'conflict', 'stored']);
        const winner = written.findIndex(({ outcome }) => outcome === 'stored');
        expect(await storage.read(keyOf('ns', 'a'))).toMatchObject({
          revision: begun + 2,
          object: { data: { value: String(winner + 1) } },
        });
        const made = await Promise.all(['1', '2'].map((value) => create('ns', 'b', value)));
        expect(made.map(({ outcome }) => outcome).sort()).toEqual(['exists', 'stored']);
      }),
    );

    test(
      'what was removed is gone, and can be made again',
      on(async ({ create, remove, storage, cluster, latest }) => {
        await create('ns', 'a');
        await remove('ns', 'a', 1);
        expect(await storage.read(keyOf('ns', 'a'))).toBeUndefined();
        expect(cluster.get(configMaps, 'ns', 'a')).toBeUndefined();
        expect(await create('ns', 'a', 'again')).toMatchObject({ outcome: 'stored' });
        expect(await latest()).toBe(3);
      }),
    );

    test.each(['__proto__', 'constructor', 'toString', 'a.b', 'a-b'])('an object may be called %j', (name) =>
      on(async ({ create, storage, listed, begun }) => {
        expect(await storage.read(keyOf(name, name))).toBeUndefined();
        await create(name, name);
        expect(await storage.read(keyOf(name, name))).toMatchObject({ revision: begun + 1 });
        expect(await listed(name)).toMatchObject({ items: [{ metadata: { name } }] });
      })(),
    );
  });

  describe(`${title}, read`, () => {
    test(
      'a write that was answered is seen at once by who reads synchronously',
      on(async ({ create, update, cluster }) => {
        await create('ns', 'a', 'old');
        expect(cluster.get(configMaps, 'ns', 'a')).toMatchObject({ data: { value: 'old' } });
        await update('ns', 'a', 'new', 1);
        expect(cluster.list(configMaps)).toMatchObject([{ data: { value: 'new' } }]);
      }),
    );

    test(
      'lists are in the byte order of namespace/name, as etcd keys are',
      on(async ({ create, cluster, listed }) => {
        for (const [namespace, name] of [
          ['b', 'x'],
          ['a', 'b'],
          ['a-b', 'x'],
          ['a', 'B'],
          ['a', 'a.b'],
          ['a', 'a-b'],
        ]) {
          await create(namespace ?? '', name ?? '');
        }
        expect(namesOf(cluster.list(configMaps))).toEqual(['a-b/x', 'a/B', 'a/a-b', 'a/a.b', 'a/b', 'b/x']);
        expect(namesOf(cluster.list(configMaps, 'a'))).toEqual(['a/B', 'a/a-b', 'a/a.b', 'a/b']);
        expect(cluster.list(configMaps, 'none')).toEqual([]);
        expect(await listed()).toMatchObject({ outcome: 'read', items: cluster.list(configMaps) });
      }),
    );

    test(
      'a list is a snapshot: later writes do not reach into it',
      on(async ({ create, remove, cluster }) => {
        await create('ns', 'a');
        const before = cluster.list(configMaps);
        await create('ns', 'b');
        await remove('ns', 'a', 1);
        expect(namesOf(before)).toEqual(['ns/a']);
        expect(namesOf(cluster.list(configMaps))).toEqual(['ns/b']);
      }),
    );

    test(
      'the state of an earlier revision can be read',
      on(async ({ create, update, remove, listed }) => {
        await create('ns', 'a', 'old');
        await create('ns', 'b');
        await create('other', 'z');
        await update('ns', 'a', 'new', 1);
        await remove('ns', 'b', 2);
        await create('ns', 'c');
        expect(await listed('ns', 3)).toMatchObject({
          outcome: 'read',
          items: [{ data: { value: 'old' } }, { metadata: { name: 'b' } }],
        });
        expect(await listed(undefined, 2)).toMatchObject({
          items: [{ metadata: { name: 'a' } }, { metadata: { name: 'b' } }],
        });
        expect(await listed(undefined, 0)).toMatchObject({ outcome: 'read', items: [] });
        expect(await listed(undefined, 6)).toEqual(await listed());
      }),
    );

    test(
      'a snapshot is everything, with keys and revisions',
      on(async ({ storage, create, remove, begun }) => {
        await create('ns', 'a', 'kept');
        await storage.create({ resource: widgets, namespace: '', name: 'w' }, object('', 'w'));
        await create('ns', 'b');
        await remove('ns', 'b', 3);
        const { entries, revision } = await storage.snapshot();
        expect(revision).toBe(begun + 4);
        const reported = entries.map(({ key, stored }) => ({ key, revision: stored.revision - begun }));
        expect(reported.toSorted((a, b) => a.revision - b.revision)).toEqual([
          { key: keyOf('ns', 'a'), revision: 1 },
          { key: { resource: widgets, namespace: '', name: 'w' }, revision: 2 },
        ]);
      }),
    );
  });

  describe(`${title}, watched`, () => {
    test.each([
      [0, ['created a 1', 'created b 2', 'updated a 3', 'removed b 4', 'created c 5']],
      [2, ['updated a 3', 'removed b 4', 'created c 5']],
      [4, ['created c 5']],
      [6, []],
    ])('a watch since %i sees what came after it, in order', (since, expected) =>
      on(async ({ create, update, remove, watched }) => {
        await create('ns', 'a');
        await create('ns', 'b');
        await update('ns', 'a', 'new', 1);
        await remove('ns', 'b', 2);
        const { seen } = watched(since);
        await create('ns', 'c');
        expect(seen).toEqual(expected);
      })(),
    );

    // Source: apiserver pkg/storage/watch_cache.go: a watch shows what is after its resourceVersion
    test(
      'a watch of a revision that is yet to come begins after it',
      on(async ({ create, watched }) => {
        await create('ns', 'a');
        const { seen } = watched(3);
        for (const name of ['b', 'c', 'd']) await create('ns', name);
        expect(seen).toEqual(['created d 4']);
      }),
    );

    test(
      'a change shows what was there before',
      on(async ({ create, update, remove, cluster, begun }) => {
        const changes: CacheChange[] = [];
        cluster.watch(configMaps, begun, (change) => changes.push(change));
        await create('ns', 'a', 'old');
        await update('ns', 'a', 'new', 1);
        await remove('ns', 'a', 2);
        expect(changes).toMatchObject([
          { type: 'created', object: { data: { value: 'old' } } },
          { type: 'updated', object: { data: { value: 'new' } }, previous: { data: { value: 'old' } } },
          {
            type: 'removed',
            object: { data: { value: 'new' } },
            previous: { metadata: { resourceVersion: String(begun + 2) } },
          },
        ]);
      }),
    );

    test(
      'a closed watch sees no more',
      on(async ({ create, watched }) => {
        const { seen, watching } = watched(0);
        await create('ns', 'a');
        if (watching.outcome === 'watching') watching.close();
        await create('ns', 'b');
        expect(seen).toHaveLength(1);
      }),
    );

    test(
      'a listener that writes does not disturb the order',
      on(async ({ create, watched, cluster, begun }) => {
        const { seen } = watched(0);
        const writing: Promise<unknown>[] = [];
        cluster.watch(configMaps, begun, () => {
          if (writing.length === 0) writing.push(create('ns', 'second'));
        });
        await create('ns', 'first');
        await Promise.all(writing);
        await create('ns', 'third');
        expect(seen.map((line) => line.split(' ')[1])).toEqual(['first', 'second', 'third']);
      }),
    );

    test(
      'a follower of everything receives each write once, in order, earlier ones included',
      on(async ({ storage, create, update, remove, cluster, begun }) => {
        await create('ns', 'a');
        await storage.create({ resource: deployments, namespace: 'ns', name: 'd' }, object('ns', 'd'));
        await update('ns', 'a', 'new', 1);
        const writes: StorageWrite[] = [];
        const watching = storage.watchAll(begun + 1, { onWrite: (write) => writes.push(write) });
        await remove('ns', 'a', 3);
        await until(() => writes.length >= 3);
        if (watching.outcome === 'watching') watching.close();
        expect(writes).toMatchObject([
          { key: { resource: deployments, name: 'd' }, revision: begun + 2, object: { kind: 'ConfigMap' } },
          { key: keyOf('ns', 'a'), revision: begun + 3, object: { data: { value: 'new' } } },
          { key: keyOf('ns', 'a'), revision: begun + 4 },
        ]);
        expect(writes[2]).not.toHaveProperty('object');
        expect(cluster.revision()).toBe(begun + 4);
      }),
    );
  });
}

/** Waits for what comes by itself; the test's own time limit ends it. */
async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 5));
}
