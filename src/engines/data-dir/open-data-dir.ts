import { errorText } from '../../apimachinery/error-text.ts';
import { createCache } from '../../store/create-cache.ts';
import type { WritableCache } from '../../store/create-cache.ts';
import { decidedWrites } from '../../store/decided-writes.ts';
import type { Follower, Storage, StoreKey, Write } from '../../store/storage.ts';
import { StorageUnavailable } from '../../store/storage-unavailable.ts';
import { openDataFile } from './data-file.ts';
export { DataDirError } from './data-file.ts';
import type { DataFile } from './data-file.ts';
import { pathOf, recordsBy } from './record.ts';
import type { Records } from './record.ts';
import { unsealed } from '../encryption/sealing.ts';
import type { Sealing } from '../encryption/sealing.ts';

export interface DataDir {
  readonly storage: Storage;
  readonly close: () => Promise<void>;
}

/**
 * A storage that is this process' alone, in a directory. Writes are decided in memory and wait for the disk together: nobody
 * is told of a write, of what stood in its way, or of an object, before it is there. Throws DataDirError for a directory that
 * cannot be used.
 */
export async function openDataDir(
  directory: string,
  { sync, sealing = unsealed }: { readonly sync: boolean; readonly sealing?: Sealing },
): Promise<DataDir> {
  const records = recordsBy(sealing);
  const { file, contents } = await openDataFile(directory, { sync, records });
  const ahead = createCache(contents);
  const disk = createDisk(file, records, contents.revision);
  const isStale = async (key: StoreKey): Promise<boolean> => {
    const record = await file.read(pathOf(key));
    if (!record) return false;
    await records.unlock(record);
    return records.isStale(key, record);
  };
  return {
    storage: {
      ...writesOf(ahead, disk),
      ...readsOf(ahead, disk, records.areSealed ? isStale : undefined),
      watchAll: followOf(ahead, disk),
    },
    close: async () => {
      await disk.flushed().catch(() => {});
      await file.close();
    },
  };
}

/** What is on its way to the disk. */
interface Disk {
  readonly enter: (write: Write) => void;
  /** Resolves when everything that was entered is on the disk; rejects with StorageUnavailable when it cannot be. */
  readonly flushed: () => Promise<void>;
  /** What the disk has. */
  readonly revision: () => number;
  readonly followers: Set<Follower>;
}

function createDisk(file: DataFile, records: Records, begun: number): Disk {
  const followers = new Set<Follower>();
  let [revision, entered]: [number, Write[]] = [begun, []];
  let turn = Promise.resolve();
  let next: Promise<void> | undefined;
  const flush = async (): Promise<void> => {
    const [writes, last] = [entered, entered.at(-1)];
    [entered, next] = [[], undefined];
    if (!last) return;
    // Of several writes of one object the last one counts.
    const changes = new Map(writes.map((write) => [pathOf(write.key), write]));
    try {
      await file.write(
        [...changes].map(([path, { key, object, revision: at }]) =>
          object ? records.write(key, { object, revision: at }) : path,
        ),
        last.revision,
      );
    } catch (error) {
      throw new StorageUnavailable(`the data directory cannot be written: ${errorText(error)}; restart when it can`);
    }
    revision = last.revision;
    for (const write of writes) for (const follower of followers) follower.wrote(write);
  };
  return {
    followers,
    revision: () => revision,
    enter: (write) => {
      entered.push(write);
      // One batch is under way, the next takes all that is entered meanwhile. After one that failed none succeeds.
      next ??= turn = turn.then(flush);
      next.catch(() => {});
    },
    flushed: () => turn,
  };
}

function readsOf(
  ahead: WritableCache,
  disk: Disk,
  isStale: ((key: StoreKey) => Promise<boolean>) | undefined,
): Pick<Storage, 'latest' | 'read' | 'readAll' | 'snapshot'> {
  const known = async <T>(read: () => T): Promise<T> => {
    const found = read();
    await disk.flushed();
    return found;
  };
  return {
    latest: async () => disk.revision(),
    read: async (key) => {
      const stored = await known(() => ahead.stored(key));
      // How it lies on the disk is not known in memory, and what it should be may have changed since.
      return stored && isStale ? { ...stored, stale: await isStale(key) } : stored;
    },
    readAll: (resource, namespace, revision) => known(() => ahead.listed(resource, namespace, revision)),
    snapshot: () => known(ahead.contents),
  };
}

function writesOf(ahead: WritableCache, disk: Disk): Pick<Storage, 'create' | 'update' | 'remove'> {
  const { create, update, remove } = decidedWrites(ahead, disk.enter);
  const flushed = async <T>(outcome: T): Promise<T> => {
    await disk.flushed();
    return outcome;
  };
  return {
    create: (key, object) => flushed(create(key, object)),
    update: (key, object, expected) => flushed(update(key, object, expected)),
    remove: (key, expected) => flushed(remove(key, expected)),
  };
}

/** Tells what the disk has, as it gets there. */
const followOf =
  (ahead: WritableCache, { followers, revision }: Disk): Storage['watchAll'] =>
  (since, follower) => {
    const past: Write[] = [];
    const watching = ahead.follow(since, { wrote: (write) => past.push(write) });
    if (watching.outcome === 'expired') return watching;
    watching.close();
    for (const write of past) if (write.revision <= revision()) follower.wrote(write);
    const later: Follower = {
      ...follower,
      wrote: (write) => (write.revision > since ? follower.wrote(write) : undefined),
    };
    followers.add(later);
    return { outcome: 'watching', close: () => followers.delete(later) };
  };
