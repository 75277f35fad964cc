import type { Clock } from '../../apimachinery/clock.ts';
import type { GroupResource } from '../../apimachinery/gvk.ts';
import type { Snapshot, Storage } from '../../store/storage.ts';
import { Compacted, connect } from './connection.ts';
import type { Connection, EtcdAddress } from './connection.ts';
import { compactNowAndThen } from './compact.ts';
import { createEventLeases } from './event-leases.ts';
import { followEtcd } from './follow-etcd.ts';
import { createLayout, endOf } from './layout.ts';
import type { Layout } from './layout.ts';
import { decodeValue } from './value.ts';
import type { KeyValue } from './wire.ts';
import { createWrites } from './writes.ts';

export interface EtcdOptions extends EtcdAddress {
  readonly prefix: string;
  /** The storage resources of the built-in kinds: they lie under their plural alone. */
  readonly builtIn: readonly GroupResource[];
  readonly clock: Clock;
  readonly onLost: (error: unknown) => void;
}

/**
 * What kube-apiserver keeps in etcd, where it keeps it and as it does with --storage-media-type=application/json, so that either
 * reads what the other wrote. Revisions are etcd's. Follows apiserver pkg/storage/etcd3/store.go.
 */
export function openEtcd(options: EtcdOptions): { readonly storage: Storage; readonly close: () => void } {
  const connection = connect(options);
  const layout = createLayout(options.prefix, options.builtIn);
  const parts = { connection, layout };
  const following = followEtcd({ ...parts, ...options });
  const leaseFor = createEventLeases(connection, options.clock);
  const stopCompacting = compactNowAndThen(connection, options.clock);
  return {
    storage: {
      ...createWrites({ ...parts, leaseFor }),
      ...readsOf(parts),
      latest: async () => {
        const { header } = await connection.ask('RangeRequest', { key: layout.root, countOnly: true });
        const revision = Number(header.revision);
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

function readsOf({ connection, layout }: Parts): Pick<Storage, 'read' | 'readAll' | 'snapshot'> {
  return {
    read: async (key) => {
      const { kvs } = await connection.ask('RangeRequest', { key: Buffer.from(layout.pathOf(key)) });
      return kvs[0] && decodeValue(kvs[0]);
    },
    readAll: async (resource, namespace, revision) => {
      try {
        const read = await readFolder(connection, layout.folderOf(resource, namespace), revision);
        return { outcome: 'read', items: read.kvs.map((kv) => decodeValue(kv).object), revision: read.revision };
      } catch (error) {
        if (error instanceof Compacted) return { outcome: 'expired' };
        throw error;
      }
    },
    snapshot: async () => {
      const { kvs, revision } = await readFolder(connection, layout.root.toString());
      return { entries: kvs.flatMap((kv) => entryOf(layout, kv) ?? []), revision };
    },
  };
}

function entryOf(layout: Layout, kv: KeyValue): Snapshot['entries'][number] | undefined {
  const key = layout.keyOf(kv.key.toString());
  return key && { key, stored: decodeValue(kv) };
}

/** Everything below a path at one revision, in pages. */
async function readFolder(
  connection: Connection,
  folder: string,
  at?: number,
): Promise<{ readonly kvs: readonly KeyValue[]; readonly revision: number }> {
  const rangeEnd = endOf(folder);
  const kvs: KeyValue[] = [];
  let [key, revision]: [Buffer, number | undefined] = [Buffer.from(folder), at];
  for (;;) {
    const page = await connection.ask('RangeRequest', { key, rangeEnd, limit: pageSize, revision: revision ?? 0 });
    revision ??= Number(page.header.revision);
    kvs.push(...page.kvs);
    const last = page.kvs.at(-1);
    if (!page.more || !last) return { kvs, revision };
    key = Buffer.concat([last.key, Buffer.from([0])]);
  }
}
