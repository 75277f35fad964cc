import type { Clock } from '../../machinery/clock.ts';
import { groupResourceText } from '../../machinery/meta/gvk.ts';
import type { ClusterCache } from './cluster-cache.ts';
import { createCache, type WritableCache } from './create-cache.ts';
import type {
  CreateOutcome,
  ListOutcome,
  StorageSnapshot,
  Storage,
  StoreKey,
  WatchOutcome,
  StorageWrite,
  WriteOutcome,
} from './storage.ts';

export interface CachedStore {
  readonly storage: Storage;
  readonly cluster: ClusterCache;
  readonly close: () => void;
}

/** How long a finished write waits for the cache, like upstream's consistent reads. */
const timeoutMs = 3000;

/**
 * Mirrors the source in a cache. Writes return when the cache has them; lists wait for the source's revision. Follows
 * apiserver pkg/storage/cacher (consistent reads from the cache). `onLost`: the watch of the source failed.
 */
export async function openCachedStore(
  source: Storage,
  { clock, onLost }: { readonly clock: Clock; readonly onLost: (error: unknown) => void },
): Promise<CachedStore> {
  const snapshot = await source.snapshot();
  const cache = createCache(snapshot);
  const feed = runReflector(source, cache, { clock, onLost });
  const { revision, resources, get, list, watch, watchEach } = cache;
  return {
    storage: createCachedStorage(source, cache, feed),
    cluster: { revision, resources, get, list, watch, watchEach },
    close: feed.close,
  };
}

function createCachedStorage(source: Storage, cache: WritableCache, { waitForRevision }: Reflector): Storage {
  const awaitShown = async <Outcome extends CreateOutcome | WriteOutcome>(
    writing: Promise<Outcome>,
  ): Promise<Outcome> => {
    const written = await writing;
    // Conflicting writes are awaited too, so that a retry sees them.
    if (written.outcome !== 'missing') await waitForRevision(written.stored.revision, timeoutMs);
    return written;
  };
  const listThroughCache = async (
    ...[resource, namespace, at]: Parameters<Storage['readAll']>
  ): Promise<ListOutcome> => {
    const wanted = at ?? (await source.latest());
    if (!(await waitForRevision(wanted, timeoutMs))) return source.readAll(resource, namespace, at);
    const known = cache.listed(resource, namespace, at);
    return known.outcome === 'expired' ? source.readAll(resource, namespace, at) : known;
  };
  return {
    latest: source.latest,
    read: source.read,
    readAll: listThroughCache,
    create: (key, object) => awaitShown(source.create(key, object)),
    update: (key, object, expected) => awaitShown(source.update(key, object, expected)),
    remove: (key, expected) => awaitShown(source.remove(key, expected)),
    snapshot: source.snapshot,
    watchAll: cache.follow,
  };
}

interface Reflector {
  /** Waits until the cache reaches the revision; false after `timeoutMs`. */
  readonly waitForRevision: (revision: number, timeoutMs: number) => Promise<boolean>;
  readonly close: () => void;
}

interface Ports {
  readonly clock: Clock;
  readonly onLost: (error: unknown) => void;
}

/** Retry interval for snapshots. */
const relistIntervalMs = 1000;

/** After a gap, a new snapshot is compared by revisions. */
function runReflector(source: Storage, cache: WritableCache, { clock, onLost }: Ports): Reflector {
  const { release, waitForRevision, end } = createRevisionWaiters(cache, clock);
  const ended = new AbortController();
  let watching: WatchOutcome | undefined;
  const begin = (): void => {
    watching = source.watchAll(cache.revision(), {
      onWrite: (write) => {
        applyWrite(cache, write);
        release();
      },
      onProgress: (revision) => {
        cache.reach(revision);
        release();
      },
      onCompacted: () => void relist(),
    });
    if (watching.outcome === 'expired') void relist();
  };
  const relist = async (): Promise<void> => {
    while (!ended.signal.aborted) {
      try {
        catchUp(cache, await source.snapshot());
        if (!ended.signal.aborted) begin();
        return release();
      } catch (error) {
        onLost(error);
        await clock.sleep(relistIntervalMs, ended.signal);
      }
    }
  };
  begin();
  return {
    waitForRevision,
    close: () => {
      ended.abort();
      end();
      if (watching?.outcome === 'watching') watching.close();
    },
  };
}

interface RevisionWaiters extends Pick<Reflector, 'waitForRevision'> {
  readonly release: () => void;
  readonly end: () => void;
}

/** Waiters for a revision share one timer, which hardly ever fires. */
function createRevisionWaiters(cache: WritableCache, clock: Clock): RevisionWaiters {
  const waiting = new Set<{ readonly revision: number; readonly go: () => void; readonly until: number }>();
  const ended = new AbortController();
  let hasTimer = false;
  const release = (now = -Infinity): void => {
    for (const one of waiting) {
      if (one.revision > cache.revision() && one.until > now) continue;
      waiting.delete(one);
      one.go();
    }
  };
  const releaseExpired = async (): Promise<void> => {
    hasTimer = true;
    for (let [first] = waiting; first && !ended.signal.aborted; [first] = waiting) {
      await clock.sleep(first.until - clock.now(), ended.signal);
      release(clock.now());
    }
    hasTimer = false;
  };
  return {
    release: () => release(),
    end: () => {
      ended.abort();
      release(Infinity);
    },
    waitForRevision: async (revision, timeoutMs) => {
      if (revision <= cache.revision()) return true;
      if (ended.signal.aborted) return false;
      await new Promise<void>((go) => {
        waiting.add({ revision, go, until: clock.now() + timeoutMs });
        if (!hasTimer) void releaseExpired();
      });
      return revision <= cache.revision();
    },
  };
}

/** Repeated writes, and removals of missing objects, change nothing. */
function applyWrite(cache: WritableCache, { key, revision, object }: StorageWrite): void {
  if (!isNewer(cache, key, revision)) return;
  if (object) cache.put(key, { object, revision });
  else cache.remove(key, revision);
}

function isNewer(cache: WritableCache, key: StoreKey, revision: number): boolean {
  const known = cache.stored(key);
  return !known || known.revision < revision;
}

/** Applies the differences to a snapshot in the order of revisions. */
function catchUp(cache: WritableCache, { entries, revision }: StorageSnapshot): void {
  const snapshotKeys = new Set(entries.map(({ key }) => keyText(key)));
  const newer = entries.filter(({ key, stored }) => isNewer(cache, key, stored.revision));
  const removed = cache.contents().entries.filter(({ key }) => !snapshotKeys.has(keyText(key)));
  for (const { key, stored } of newer.toSorted((a, b) => a.stored.revision - b.stored.revision)) cache.put(key, stored);
  for (const { key } of removed) cache.remove(key, revision);
  cache.reach(revision);
}

const keyText = ({ resource, namespace, name }: StoreKey): string =>
  `${groupResourceText(resource)}/${namespace}/${name}`;
