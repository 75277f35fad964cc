import type { ClusterCache } from './cluster-cache.ts';
import { createCache, type WritableCache } from './create-cache.ts';
import { createSynchronousWrites } from './synchronous-writes.ts';
import type { Forkable, Storage } from './storage.ts';

export interface MemoryStore extends Storage, ClusterCache, Forkable<MemoryStore> {}

/** The first write gets revision 2: watches treat 1 as "from the beginning". */
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
  const { create, update, remove } = createSynchronousWrites(cache);
  return {
    create: async (key, object) => create(key, object),
    update: async (key, object, expected) => update(key, object, expected),
    remove: async (key, expected) => remove(key, expected),
  };
}
