import { withMetadata } from '../apimachinery/object.ts';
import type { KubernetesObject } from '../apimachinery/object.ts';
import type { ClusterCache } from './cluster-cache.ts';
import { createCache } from './create-cache.ts';
import type { WritableCache } from './create-cache.ts';
import { resourceVersionOf } from './storage.ts';
import type { Forkable, Storage, StoreKey, Stored, WriteOutcome } from './storage.ts';

/** Objects in memory alone: storage, cache of itself, and forkable. */
export interface MemoryStore extends Storage, ClusterCache, Forkable<MemoryStore> {}

/** An empty store in memory. Its first write gets revision 2: a revision of 1 would read as "from the beginning" to watches. */
export const createMemoryStore = (): MemoryStore => storeOver(createCache({ entries: [], revision: 1 }, 0));

const storeOver = (cache: WritableCache): MemoryStore => ({
  ...pick(cache),
  ...readsOf(cache),
  ...writesOf(cache),
  watchAll: cache.follow,
  fork: () => storeOver(cache.fork()),
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
  /** Stores the object under the next revision. */
  const put = (key: StoreKey, object: KubernetesObject): Stored => {
    const revision = cache.revision() + 1;
    const stored = { object: withMetadata(object, { resourceVersion: resourceVersionOf(revision) }), revision };
    cache.put(key, stored);
    return stored;
  };
  /** Runs `act` if the object is there and still at the expected revision. */
  const guarded = (key: StoreKey, expected: number, act: () => Stored | undefined): WriteOutcome => {
    const stored = cache.stored(key);
    if (!stored) return { outcome: 'missing' };
    if (stored.revision !== expected) return { outcome: 'conflict', stored };
    return { outcome: 'stored', stored: act() ?? stored };
  };
  return {
    create: async (key, object) => {
      const existing = cache.stored(key);
      return existing ? { outcome: 'exists', stored: existing } : { outcome: 'stored', stored: put(key, object) };
    },
    update: async (key, object, expected) => guarded(key, expected, () => put(key, object)),
    remove: async (key, expected) => guarded(key, expected, () => cache.remove(key, cache.revision() + 1)),
  };
}
