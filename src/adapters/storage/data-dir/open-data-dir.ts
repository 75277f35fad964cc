import { errorText } from '../../../machinery/errors.ts';
import { createCache, type WritableCache } from '../../../apiserver/storage/create-cache.ts';
import { createSynchronousWrites } from '../../../apiserver/storage/memory-store.ts';
import {
  type Follower,
  type Storage,
  StorageUnavailable,
  type StorageWrite,
} from '../../../apiserver/storage/storage.ts';
import { type DataFile, openDataFile, dataPath, toRecord } from './data-file.ts';

export { DataDirError } from './data-file.ts';

export interface DataDir {
  readonly storage: Storage;
  readonly close: () => Promise<void>;
}

/**
 * Storage in a directory of one process. A cache in memory decides writes; the disk receives them in batches, and a
 * response waits until the disk has what it depends on. Throws DataDirError.
 */
export async function openDataDir(directory: string, options: { readonly sync: boolean }): Promise<DataDir> {
  const { file, contents } = await openDataFile(directory, options);
  const cache = createCache(contents);
  const disk = createDisk(file, contents.revision);
  return {
    storage: { ...createWrites(cache, disk), ...createReads(cache, disk), watchAll: createWatch(cache, disk) },
    close: async () => {
      await disk.flushed().catch(() => {});
      await file.close();
    },
  };
}

interface Disk {
  readonly enqueue: (write: StorageWrite) => void;
  /** Resolves when all enqueued writes are on disk; rejects with StorageUnavailable. */
  readonly flushed: () => Promise<void>;
  /** Of the last write on disk. */
  readonly revision: () => number;
  readonly followers: Set<Follower>;
}

function createDisk(file: DataFile, firstRevision: number): Disk {
  const followers = new Set<Follower>();
  let revision = firstRevision;
  let queue: StorageWrite[] = [];
  let running = Promise.resolve();
  let next: Promise<void> | undefined;
  const flush = async (): Promise<void> => {
    const writes = queue;
    [queue, next] = [[], undefined];
    const last = writes.at(-1);
    if (!last) return;
    // The last of several writes of an object counts.
    const lastWrites = new Map(writes.map((write) => [dataPath(write.key), write]));
    const changes = Array.from(lastWrites, ([path, { key, object, revision: at }]) =>
      object ? toRecord(key, { object, revision: at }) : path,
    );
    try {
      await file.write(changes, last.revision);
    } catch (error) {
      throw new StorageUnavailable(`the data directory cannot be written: ${errorText(error)}; restart when it can`);
    }
    revision = last.revision;
    for (const write of writes) for (const follower of followers) follower.onWrite(write);
  };
  return {
    followers,
    revision: () => revision,
    enqueue: (write) => {
      queue.push(write);
      // While a batch runs the next one collects writes. After a failed batch all fail.
      next ??= running = running.then(flush);
      next.catch(() => {});
    },
    flushed: () => running,
  };
}

function createReads(cache: WritableCache, disk: Disk): Pick<Storage, 'latest' | 'read' | 'readAll' | 'snapshot'> {
  const whenFlushed = async <T>(read: () => T): Promise<T> => {
    const result = read();
    await disk.flushed();
    return result;
  };
  return {
    latest: async () => disk.revision(),
    read: (key) => whenFlushed(() => cache.stored(key)),
    readAll: (resource, namespace, revision) => whenFlushed(() => cache.listed(resource, namespace, revision)),
    snapshot: () => whenFlushed(cache.contents),
  };
}

function createWrites(cache: WritableCache, disk: Disk): Pick<Storage, 'create' | 'update' | 'remove'> {
  const { create, update, remove } = createSynchronousWrites(cache, disk.enqueue);
  const whenFlushed = async <T>(outcome: T): Promise<T> => {
    await disk.flushed();
    return outcome;
  };
  return {
    create: (key, object) => whenFlushed(create(key, object)),
    update: (key, object, expected) => whenFlushed(update(key, object, expected)),
    remove: (key, expected) => whenFlushed(remove(key, expected)),
  };
}

/** Watches receive a write when the disk has it. */
const createWatch =
  (cache: WritableCache, { followers, revision }: Disk): Storage['watchAll'] =>
  (since, follower) => {
    const past: StorageWrite[] = [];
    const watching = cache.follow(since, { onWrite: (write) => past.push(write) });
    if (watching.outcome === 'expired') return watching;
    watching.close();
    for (const write of past) if (write.revision <= revision()) follower.onWrite(write);
    const later: Follower = {
      ...follower,
      onWrite: (write) => (write.revision > since ? follower.onWrite(write) : undefined),
    };
    followers.add(later);
    return { outcome: 'watching', close: () => followers.delete(later) };
  };
