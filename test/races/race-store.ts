import { AsyncLocalStorage } from 'node:async_hooks';
import type { KubernetesObject } from '../../src/machinery/meta/object.ts';
import type { Random } from '../../src/machinery/clock.ts';
import type { Storage, StoreKey, StoredObject } from '../../src/apiserver/storage/storage.ts';

/** Planted faults of the storage that a race reveals. */
export const plantedFaults = ['no-re-read', 'swallowed-conflict', 'stale-finalizers'] as const;
export type PlantedFault = (typeof plantedFaults)[number];

/** One write of a key; without an object a deletion. */
export interface Entry {
  readonly object: KubernetesObject | undefined;
  readonly revision: number;
  /** The request that wrote it. */
  readonly author: number;
  /** Writes of all keys, in order. */
  readonly sequence: number;
}

/** The request that reads and writes. */
interface Author {
  readonly id: number;
  readonly isDelete: boolean;
}

const server: Author = { id: 0, isDelete: false };

export interface RaceStore {
  readonly wrap: (store: Storage) => Storage;
  readonly entries: (path: string) => readonly Entry[];
  /** The number of writes so far. */
  readonly sequence: () => number;
  /** Runs a request whose writes have this author. */
  readonly as: <T>(author: Author, run: () => Promise<T>) => Promise<T>;
  readonly author: () => number;
  /** Yields to other requests for some iterations of the microtask queue. */
  readonly yields: () => Promise<void>;
}

export const pathOf = ({ resource, namespace, name }: StoreKey): string => `${resource.resource}/${namespace}/${name}`;

/** Records each write with its request. */
export function createRaceStore(random: Random, fault?: PlantedFault): RaceStore {
  const authors = new AsyncLocalStorage<Author>();
  const author = (): Author => authors.getStore() ?? server;
  const history = new Map<string, Entry[]>();
  let sequence = 0;
  const record = (key: StoreKey, { revision }: StoredObject, object?: KubernetesObject): void => {
    sequence += 1;
    const entry = { object, revision, author: author().id, sequence };
    history.set(pathOf(key), [...(history.get(pathOf(key)) ?? []), entry]);
  };
  const yieldRandomly = async (): Promise<void> => {
    for (let turns = Math.floor(random() * 4); turns > 0; turns -= 1) await Promise.resolve();
  };
  const recording = (store: Storage): Storage => ({
    ...store,
    read: async (key) => {
      await yieldRandomly();
      return store.read(key);
    },
    create: async (key, object) => {
      await yieldRandomly();
      const created = await store.create(key, object);
      if (created.outcome === 'stored') record(key, created.stored, created.stored.object);
      return created;
    },
    update: async (key, object, expected) => {
      await yieldRandomly();
      const updated = await store.update(key, object, expected);
      if (updated.outcome === 'stored') record(key, updated.stored, updated.stored.object);
      return updated;
    },
    remove: async (key, expected) => {
      await yieldRandomly();
      const removed = await store.remove(key, expected);
      if (removed.outcome === 'stored') record(key, removed.stored);
      return removed;
    },
  });
  return {
    wrap: (store) => withFault(recording(store), author, fault),
    entries: (path) => history.get(path) ?? [],
    sequence: () => sequence,
    as: (one, run) => authors.run(one, run),
    author: () => author().id,
    yields: yieldRandomly,
  };
}

function withFault(store: Storage, author: () => Author, fault: PlantedFault | undefined): Storage {
  const firsts = new Map<string, StoredObject | undefined>();
  const placeOf = (key: StoreKey): string => `${author().id} ${pathOf(key)}`;
  switch (fault) {
    case undefined:
      return store;
    case 'no-re-read': {
      // A request reads each object once unless its write fails.
      const forget = async <T extends { readonly outcome: string }>(key: StoreKey, write: Promise<T>): Promise<T> => {
        const written = await write;
        firsts.delete(placeOf(key));
        return written;
      };
      return {
        ...store,
        read: async (key) => {
          const place = placeOf(key);
          if (!firsts.has(place)) firsts.set(place, await store.read(key));
          return firsts.get(place);
        },
        create: (key, object) => forget(key, store.create(key, object)),
        update: (key, object, expected) => forget(key, store.update(key, object, expected)),
        remove: (key, expected) => forget(key, store.remove(key, expected)),
      };
    }
    case 'swallowed-conflict':
      return {
        ...store,
        update: async (key, object, expected) => {
          const updated = await store.update(key, object, expected);
          return updated.outcome === 'conflict' ? store.update(key, object, updated.stored.revision) : updated;
        },
      };
    case 'stale-finalizers':
      // A repeated read of a DELETE returns the finalizers of the first one.
      return {
        ...store,
        read: async (key) => {
          const place = placeOf(key);
          const stored = await store.read(key);
          if (!firsts.has(place)) firsts.set(place, stored);
          const first = firsts.get(place);
          if (!stored || !first || !author().isDelete) return stored;
          const { finalizers = [] } = first.object.metadata ?? {};
          const metadata = { ...stored.object.metadata, finalizers };
          return finalizers.length === 0 ? stored : { ...stored, object: { ...stored.object, metadata } };
        },
      };
  }
}
