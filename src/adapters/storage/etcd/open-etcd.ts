import type { Clock } from '../../../machinery/clock.ts';
import type { GroupResource } from '../../../machinery/meta/gvk.ts';
import type { KubernetesObject } from '../../../machinery/meta/object.ts';
import type { Snapshot, Storage } from '../../../apiserver/storage/storage.ts';
import { Compacted, connect } from './connection.ts';
import type { Connection, EtcdAddress } from './connection.ts';
import { compactNowAndThen } from './compact.ts';
import { createEventLeases } from './event-leases.ts';
import { followEtcd } from './follow-etcd.ts';
import { createOwnWrites } from './own-writes.ts';
import { createLayout, endOf } from './layout.ts';
import type { Layout } from './layout.ts';
import { decodeValue } from './value.ts';
import type { KeyValue, RangeResponse } from './wire.ts';
import { createWrites } from './writes.ts';

export interface EtcdOptions extends EtcdAddress {
  readonly prefix: string;
  /** The storage resources of the built-in kinds: they lie under their plural alone. */
  readonly builtIn: readonly GroupResource[];
  /** For how long Events are kept, in milliseconds; 0: for good. */
  readonly eventTtl: number;
  readonly clock: Clock;
  readonly onLost: (error: unknown) => void;
  /** Told of an object that was written and cannot be read; who follows does not hear of it. */
  readonly onUnreadable: (path: string, error: unknown) => void;
}

/**
 * What kube-apiserver keeps in etcd, where it keeps it and as it does with --storage-media-type=application/json, so that either
 * reads what the other wrote. Revisions are etcd's. Follows apiserver pkg/storage/etcd3/store.go.
 */
export function openEtcd(options: EtcdOptions): { readonly storage: Storage; readonly close: () => void } {
  const connection = connect(options);
  const layout = createLayout(options.prefix, options.builtIn);
  const parts = { connection, layout, own: createOwnWrites() };
  const following = followEtcd({ ...parts, ...options });
  const leaseFor = createEventLeases(connection, options);
  const stopCompacting = compactNowAndThen(connection, options.clock);
  return {
    storage: {
      ...createWrites({ ...parts, leaseFor }),
      ...readsOf(parts),
      latest: async () => {
        const { header } = await connection.call('RangeRequest', { key: layout.root, countOnly: true });
        const revision = header.revision;
        following.expect(revision);
        return revision;
      },
      watchAll: following.watchAll,
    },
    close: () => {
      stopCompacting();
      following.close();
      connection.close();
    },
  };
}

interface Parts {
  readonly connection: Connection;
  readonly layout: Layout;
}

/** So many objects are asked for at a time. */
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
        const read = await readFolder(parts, folder, (kv) => items.push(decodeValue(kv).object), revision);
        return { outcome: 'read', items, revision: read };
      } catch (error) {
        if (error instanceof Compacted) return { outcome: 'expired' };
        throw error;
      }
    },
    snapshot: async () => {
      const entries: Snapshot['entries'][number][] = [];
      const revision = await readFolder(parts, layout.root.toString(), (kv) => {
        const entry = entryOf(parts, kv);
        if (entry) entries.push(entry);
      });
      return { entries, revision };
    },
  };
}

function entryOf({ layout }: Parts, kv: KeyValue): Snapshot['entries'][number] | undefined {
  const key = layout.keyOf(kv.key.toString());
  return key && { key, stored: decodeValue(kv) };
}

/** Reads everything below a path at one revision, in pages; the next one is on its way while this one is decoded. Its revision. */
async function readFolder(
  { connection }: Parts,
  folder: string,
  each: (kv: KeyValue) => void,
  at = 0,
): Promise<number> {
  const rangeEnd = endOf(folder);
  const ask = (key: Buffer, revision: number): Promise<RangeResponse> => {
    const asked = connection.call('RangeRequest', { key, rangeEnd, limit: pageSize, revision });
    // Whoever waits for it hears of it; until then nobody does.
    asked.catch(() => {});
    return asked;
  };
  let page = await ask(Buffer.from(folder), at);
  const revision = at === 0 ? page.header.revision : at;
  for (;;) {
    const last = page.more ? page.kvs.at(-1) : undefined;
    const next = last && ask(Buffer.concat([last.key, Buffer.from([0])]), revision);
    for (const kv of page.kvs) each(kv);
    if (!next) return revision;
    page = await next;
  }
}
