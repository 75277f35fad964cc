import type { StorageSnapshot, Storage, StoreKey } from '../../../apiserver/storage/storage.ts';
import type { Clock } from '../../../machinery/clock.ts';
import type { GroupResource } from '../../../machinery/meta/gvk.ts';
import type { KubernetesObject } from '../../../machinery/meta/object.ts';
import { Compacted, connectToEtcd, type EtcdConnection, type EtcdAddress } from './connection.ts';
import { watchEtcd } from './watch-etcd.ts';
import { createLayout, decodeValue, prefixRangeEnd, type Layout } from './layout.ts';
import { createOwnWrites, createWrites } from './writes.ts';
import type { KeyValue, RangeResponse } from './wire.ts';

export interface EtcdOptions extends EtcdAddress {
  readonly prefix: string;
  readonly builtIn: readonly GroupResource[];
  /** Milliseconds; 0: forever. */
  readonly eventTtl: number;
  readonly clock: Clock;
  readonly onLost: (error: unknown) => void;
  /** Called for an unreadable object; watches skip it. */
  readonly onUnreadable: (path: string, error: unknown) => void;
}

/**
 * Reads and writes what kube-apiserver stores with --storage-media-type=application/json, at the same keys and with
 * etcd's revisions. Follows apiserver pkg/storage/etcd3/store.go.
 */
export function openEtcd(options: EtcdOptions): { readonly storage: Storage; readonly close: () => void } {
  const connection = connectToEtcd(options);
  const layout = createLayout(options.prefix, options.builtIn);
  const parts = { connection, layout, own: createOwnWrites() };
  const watching = watchEtcd({ ...parts, ...options });
  const leaseFor = createEventLeases(connection, options);
  const stopCompacting = startCompactor(connection, options.clock);
  return {
    storage: {
      ...createWrites({ ...parts, leaseFor }),
      ...readsOf(parts),
      latest: async () => {
        const { header } = await connection.call('RangeRequest', { key: layout.root, countOnly: true });
        const revision = header.revision;
        // Callers wait until the watch has this revision.
        watching.expect(revision);
        return revision;
      },
      watchAll: watching.watchAll,
    },
    close: () => {
      stopCompacting();
      watching.close();
      connection.close();
    },
  };
}

interface Parts {
  readonly connection: EtcdConnection;
  readonly layout: Layout;
}

/** Objects per request. */
const pageSize = 1000;

function readsOf(parts: Parts): Pick<Storage, 'read' | 'readAll' | 'snapshot'> {
  const { connection, layout } = parts;
  return {
    read: async (key) => {
      const { kvs } = await connection.call('RangeRequest', { key: Buffer.from(layout.pathOf(key)) });
      return kvs[0] && decodeValue(kvs[0]);
    },
    readAll: async (resource, namespace, revision) => {
      try {
        const items: KubernetesObject[] = [];
        const folder = layout.folderOf(resource, namespace);
        const read = await rangePrefix(parts, folder, (kv) => items.push(decodeValue(kv).object), revision);
        return { outcome: 'read', items, revision: read };
      } catch (error) {
        if (error instanceof Compacted) return { outcome: 'expired' };
        throw error;
      }
    },
    snapshot: async () => {
      const entries: StorageSnapshot['entries'][number][] = [];
      const revision = await rangePrefix(parts, layout.root.toString(), (kv) => {
        const entry = entryOf(parts, kv);
        if (entry) entries.push(entry);
      });
      return { entries, revision };
    },
  };
}

function entryOf({ layout }: Parts, kv: KeyValue): StorageSnapshot['entries'][number] | undefined {
  const key = layout.keyOf(kv.key.toString());
  return key && { key, stored: decodeValue(kv) };
}

/** Reads a folder at one revision, prefetching the next page; returns the revision. */
async function rangePrefix(
  { connection }: Parts,
  folder: string,
  each: (kv: KeyValue) => void,
  at = 0,
): Promise<number> {
  const rangeEnd = prefixRangeEnd(folder);
  const readRange = (key: Buffer, revision: number): Promise<RangeResponse> => {
    const response = connection.call('RangeRequest', { key, rangeEnd, limit: pageSize, revision });
    // The rejection is handled when the page is awaited.
    response.catch(() => {});
    return response;
  };
  let page = await readRange(Buffer.from(folder), at);
  const revision = at === 0 ? page.header.revision : at;
  for (;;) {
    const last = page.more ? page.kvs.at(-1) : undefined;
    const next = last && readRange(Buffer.concat([last.key, Buffer.from([0])]), revision);
    for (const kv of page.kvs) each(kv);
    if (!next) return revision;
    page = await next;
  }
}

/** --etcd-compaction-interval's default. */
const compactionIntervalMs = 5 * 60_000;

/**
 * Compacts revisions older than the interval; the first of several servers does it for all. Returns the stop
 * function. Follows apiserver pkg/storage/etcd3/compact.go.
 */
function startCompactor(connection: EtcdConnection, clock: Clock): () => void {
  const ended = new AbortController();
  let revisionOneIntervalAgo = 0;
  const compact = async (): Promise<void> => {
    // Any key: only the revision of the response is read. Of two compactions the later one fails, which is ignored.
    const { header } = await connection.call('RangeRequest', { key: Buffer.from('compact_rev_key') });
    const revision = revisionOneIntervalAgo;
    revisionOneIntervalAgo = header.revision;
    if (revision > 0) await connection.call('CompactionRequest', { revision });
  };
  const run = async (): Promise<void> => {
    while (!ended.signal.aborted) {
      // Retried after the next interval.
      await compact().catch(() => undefined);
      await clock.sleep(compactionIntervalMs, ended.signal);
    }
  };
  void run();
  return () => ended.abort();
}

interface LeaseOptions {
  readonly clock: Clock;
  /** Milliseconds; 0: forever. */
  readonly eventTtl: number;
}

/** A lease is reused for this share of its time, at most a minute, and for a limited number of objects. */
const leaseReuseShare = 0.05;
const leaseReuseSeconds = 60;
const leaseObjects = 1000;

/** The lease of an Event; '0' for other objects. Follows apiserver pkg/storage/etcd3/lease_manager.go. */
export function createEventLeases(
  connection: Pick<EtcdConnection, 'call'>,
  { clock: { now }, eventTtl }: LeaseOptions,
): (key: StoreKey) => Promise<string> {
  const ttl = Math.floor(eventTtl / 1000);
  const shared = Math.min(Math.floor(leaseReuseShare * ttl), leaseReuseSeconds);
  let current: { readonly id: Promise<string>; readonly until: number; left: number } | undefined;
  return async ({ resource }) => {
    if (resource.resource !== 'events' || ttl === 0) return '0';
    if (!current || current.left === 0 || current.until <= now()) {
      const granted = connection.call('LeaseGrantRequest', { TTL: ttl + shared });
      current = { id: granted.then(({ ID }) => ID), until: now() + shared * 1000, left: leaseObjects };
      current.id.catch(() => (current = undefined));
    }
    current.left -= 1;
    return current.id;
  };
}
