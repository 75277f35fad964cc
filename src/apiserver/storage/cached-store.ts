import type { Clock } from '../../machinery/clock.ts';
import type { ClusterCache } from './cluster-cache.ts';
import { createCache } from './create-cache.ts';
import type { WritableCache } from './create-cache.ts';
import { followSource } from './follow-source.ts';
import type { Feed } from './follow-source.ts';
import type { CreateOutcome, ListOutcome, Storage, WriteOutcome } from './storage.ts';

/** A storage that is read through a cache of its own. */
export interface CachedStore {
  readonly storage: Storage;
  readonly cluster: ClusterCache;
  /** Follows the source no longer. */
  readonly close: () => void;
}

/** How long an answer waits for the cache to show it; the write itself is done. Upstream waits as long for a consistent read. */
const patienceMs = 3000;

/**
 * Reads everything that the source keeps, and follows it from there on. A write is answered when the cache shows it, so that
 * the next request is admitted by what this one stored; a list waits until the cache is as far as the source was when it was
 * asked. Follows apiserver pkg/storage/cacher (consistent reads from the cache). `onLost` is told why the source could not
 * be followed for a while.
 */
export async function openCachedStore(
  source: Storage,
  { clock, onLost }: { readonly clock: Clock; readonly onLost: (error: unknown) => void },
): Promise<CachedStore> {
  const snapshot = await source.snapshot();
  const cache = createCache(snapshot);
  const feed = followSource(source, cache, { clock, onLost });
  const { revision, resources, get, list, watch, watchEach } = cache;
  return {
    storage: throughCache(source, cache, feed),
    cluster: { revision, resources, get, list, watch, watchEach },
    close: feed.close,
  };
}

function throughCache(source: Storage, cache: WritableCache, { caughtUp }: Feed): Storage {
  const shown = async <Outcome extends CreateOutcome | WriteOutcome>(writing: Promise<Outcome>): Promise<Outcome> => {
    const written = await writing;
    // What stood in the way is shown too, for whoever tries again.
    if (written.outcome !== 'missing') await caughtUp(written.stored.revision, patienceMs);
    return written;
  };
  const listed = async (...[resource, namespace, at]: Parameters<Storage['readAll']>): Promise<ListOutcome> => {
    const wanted = at ?? (await source.latest());
    if (!(await caughtUp(wanted, patienceMs))) return source.readAll(resource, namespace, at);
    const known = cache.listed(resource, namespace, at);
    return known.outcome === 'expired' ? source.readAll(resource, namespace, at) : known;
  };
  return {
    latest: source.latest,
    read: source.read,
    readAll: listed,
    create: (key, object) => shown(source.create(key, object)),
    update: (key, object, expected) => shown(source.update(key, object, expected)),
    remove: (key, expected) => shown(source.remove(key, expected)),
    snapshot: source.snapshot,
    watchAll: cache.follow,
  };
}
