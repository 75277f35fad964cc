import type { ClusterCache } from './cluster-cache.ts';
import { createCache, type WritableCache } from './create-cache.ts';
import {
  type Forkable,
  type Storage,
  type CreateOutcome,
  resourceVersionOf,
  type StoredObject,
  type StoreKey,
  type StorageWrite,
  type WriteOutcome,
} from './storage.ts';
import { type KubernetesObject, withMetadata } from '../../machinery/meta/object.ts';

export interface MemoryStore extends Storage, ClusterCache, Forkable<MemoryStore> {}

/** The first write gets revision 2: watches treat 1 as "from the beginning". */
export const createMemoryStore = (): MemoryStore => wrapCache(createCache({ entries: [], revision: 1 }, 0));

const wrapCache = (cache: WritableCache): MemoryStore => ({
  ...pick(cache),
  ...readsOf(cache),
  ...writesOf(cache),
  watchAll: cache.follow,
  fork: () => wrapCache(cache.fork()),
});

const pick = ({ revision, resources, get, list, watch, watchEach }: ClusterCache): ClusterCache => ({
  revision,
  resources,
  get,
  list,
  watch,
  watchEach,
});

const readsOf = (cache: WritableCache): Pick<Storage, 'latest' | 'read' | 'readAll' | 'snapshot'> => ({
  latest: async () => cache.revision(),
  read: async (key) => cache.stored(key),
  readAll: async (resource, namespace, revision) => cache.listed(resource, namespace, revision),
  snapshot: async () => cache.contents(),
});

function writesOf(cache: WritableCache): Pick<Storage, 'create' | 'update' | 'remove'> {
  const { create, update, remove } = createSynchronousWrites(cache);
  return {
    create: async (key, object) => create(key, object),
    update: async (key, object, expected) => update(key, object, expected),
    remove: async (key, expected) => remove(key, expected),
  };
}

export interface SynchronousWrites {
  readonly create: (...write: Parameters<Storage['create']>) => CreateOutcome;
  readonly update: (...write: Parameters<Storage['update']>) => WriteOutcome;
  readonly remove: (...write: Parameters<Storage['remove']>) => WriteOutcome;
}

/** For the owner of the cache; `wrote` is called after each write. */
export function createSynchronousWrites(
  cache: WritableCache,
  onWrite: (write: StorageWrite) => void = () => {},
): SynchronousWrites {
  const put = (
    key: StoreKey,
    object: KubernetesObject,
  ): { readonly outcome: 'stored'; readonly stored: StoredObject } => {
    const revision = cache.revision() + 1;
    const stored = { object: withMetadata(object, { resourceVersion: resourceVersionOf(revision) }), revision };
    cache.put(key, stored);
    onWrite({ key, ...stored });
    return { outcome: 'stored', stored };
  };
  const remove = (key: StoreKey, stored: StoredObject): WriteOutcome => {
    const revision = cache.revision() + 1;
    const removed = cache.remove(key, revision) ?? stored;
    onWrite({ key, revision });
    return { outcome: 'stored', stored: removed };
  };
  const checkRevision = (
    key: StoreKey,
    expected: number,
    act: (stored: StoredObject) => WriteOutcome,
  ): WriteOutcome => {
    const stored = cache.stored(key);
    if (!stored) return { outcome: 'missing' };
    return stored.revision === expected ? act(stored) : { outcome: 'conflict', stored };
  };
  return {
    create: (key, object) => {
      const stored = cache.stored(key);
      return stored ? { outcome: 'exists', stored } : put(key, object);
    },
    update: (key, object, expected) => checkRevision(key, expected, () => put(key, object)),
    remove: (key, expected) => checkRevision(key, expected, (stored) => remove(key, stored)),
  };
}
