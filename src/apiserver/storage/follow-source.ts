import type { Clock } from '../../machinery/clock.ts';
import type { WritableCache } from './create-cache.ts';
import { groupResourceText } from '../../machinery/meta/gvk.ts';
import type { Snapshot, Storage, StoreKey, WatchOutcome, Write } from './storage.ts';

/** What keeps a cache up to date. */
export interface Feed {
  /** Waits, so long at most, until the cache has come to this revision; whether it has. */
  readonly caughtUp: (revision: number, patienceMs: number) => Promise<boolean>;
  readonly close: () => void;
}

interface Ports {
  readonly clock: Clock;
  readonly onLost: (error: unknown) => void;
}

/** After what was missed could not be read, it is tried again. */
const againAfterMs = 1000;

/** Tells the cache of every write of the source; what it missed is found by comparing revisions with a new snapshot. */
export function followSource(source: Storage, cache: WritableCache, { clock, onLost }: Ports): Feed {
  const { release, caughtUp, end } = createWaiting(cache, clock);
  const ended = new AbortController();
  let watching: WatchOutcome | undefined;
  const begin = (): void => {
    watching = source.watchAll(cache.revision(), {
      wrote: (write) => {
        applyWrite(cache, write);
        release();
      },
      reached: (revision) => {
        cache.reach(revision);
        release();
      },
      lost: () => void relist(),
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
        await clock.sleep(againAfterMs, ended.signal);
      }
    }
  };
  begin();
  return {
    caughtUp,
    close: () => {
      ended.abort();
      end();
      if (watching?.outcome === 'watching') watching.close();
    },
  };
}

interface Waiting extends Pick<Feed, 'caughtUp'> {
  /** Lets go whom the cache has reached. */
  readonly release: () => void;
  /** Lets go everybody. */
  readonly end: () => void;
}

/** Who waits for the cache to come to a revision. One timer serves all: nearly everybody is let go long before it rings. */
function createWaiting(cache: WritableCache, clock: Clock): Waiting {
  const waiting = new Set<{ readonly revision: number; readonly go: () => void; readonly until: number }>();
  const ended = new AbortController();
  let isLooking = false;
  const release = (now = -Infinity): void => {
    for (const one of waiting) {
      if (one.revision > cache.revision() && one.until > now) continue;
      waiting.delete(one);
      one.go();
    }
  };
  const look = async (): Promise<void> => {
    isLooking = true;
    for (let [first] = waiting; first && !ended.signal.aborted; [first] = waiting) {
      await clock.sleep(first.until - clock.now(), ended.signal);
      release(clock.now());
    }
    isLooking = false;
  };
  return {
    release: () => release(),
    end: () => {
      ended.abort();
      release(Infinity);
    },
    caughtUp: async (revision, patienceMs) => {
      if (revision <= cache.revision()) return true;
      if (ended.signal.aborted) return false;
      await new Promise<void>((go) => {
        waiting.add({ revision, go, until: clock.now() + patienceMs });
        if (!isLooking) void look();
      });
      return revision <= cache.revision();
    },
  };
}

/** What is told twice, or of what is not there, changes nothing. */
function applyWrite(cache: WritableCache, { key, revision, object }: Write): void {
  if (!isNews(cache, key, revision)) return;
  if (object) cache.put(key, { object, revision });
  else cache.remove(key, revision);
}

function isNews(cache: WritableCache, key: StoreKey, revision: number): boolean {
  const known = cache.stored(key);
  return !known || known.revision < revision;
}

/** Brings the cache to a snapshot as if each difference had been told, in the order of revisions. */
function catchUp(cache: WritableCache, { entries, revision }: Snapshot): void {
  const there = new Set(entries.map(({ key }) => textOf(key)));
  const news = entries.filter(({ key, stored }) => isNews(cache, key, stored.revision));
  const gone = cache.contents().entries.filter(({ key }) => !there.has(textOf(key)));
  for (const { key, stored } of news.toSorted((a, b) => a.stored.revision - b.stored.revision)) cache.put(key, stored);
  for (const { key } of gone) cache.remove(key, revision);
  cache.reach(revision);
}

const textOf = ({ resource, namespace, name }: StoreKey): string =>
  `${groupResourceText(resource)}/${namespace}/${name}`;
