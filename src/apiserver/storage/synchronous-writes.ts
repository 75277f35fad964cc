import { type KubernetesObject, withMetadata } from '../../machinery/meta/object.ts';
import type { WritableCache } from './create-cache.ts';
import {
  type CreateOutcome,
  resourceVersionOf,
  type Storage,
  type StoredObject,
  type StoreKey,
  type StorageWrite,
  type WriteOutcome,
} from './storage.ts';

export interface SynchronousWrites {
  readonly create: (...write: Parameters<Storage['create']>) => CreateOutcome;
  readonly update: (...write: Parameters<Storage['update']>) => WriteOutcome;
  readonly remove: (...write: Parameters<Storage['remove']>) => WriteOutcome;
}

/** For the owner of the cache; `wrote` is called after each write. */
export function createSynchronousWrites(
  cache: WritableCache,
  wrote: (write: StorageWrite) => void = () => {},
): SynchronousWrites {
  const put = (
    key: StoreKey,
    object: KubernetesObject,
  ): { readonly outcome: 'stored'; readonly stored: StoredObject } => {
    const revision = cache.revision() + 1;
    const stored = { object: withMetadata(object, { resourceVersion: resourceVersionOf(revision) }), revision };
    cache.put(key, stored);
    wrote({ key, ...stored });
    return { outcome: 'stored', stored };
  };
  const remove = (key: StoreKey, stored: StoredObject): WriteOutcome => {
    const revision = cache.revision() + 1;
    const removed = cache.remove(key, revision) ?? stored;
    wrote({ key, revision });
    return { outcome: 'stored', stored: removed };
  };
  const guarded = (key: StoreKey, expected: number, act: (stored: StoredObject) => WriteOutcome): WriteOutcome => {
    const stored = cache.stored(key);
    if (!stored) return { outcome: 'missing' };
    return stored.revision === expected ? act(stored) : { outcome: 'conflict', stored };
  };
  return {
    create: (key, object) => {
      const stored = cache.stored(key);
      return stored ? { outcome: 'exists', stored } : put(key, object);
    },
    update: (key, object, expected) => guarded(key, expected, () => put(key, object)),
    remove: (key, expected) => guarded(key, expected, (stored) => remove(key, stored)),
  };
}
