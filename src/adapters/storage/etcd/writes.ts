import { type KubernetesObject, withMetadata } from '../../../machinery/meta/object.ts';
import {
  resourceVersionOf,
  type Storage,
  type StoredObject,
  type StoreKey,
  type WriteOutcome,
} from '../../../apiserver/storage/storage.ts';
import type { EtcdConnection } from './connection.ts';
import { decodeValue, encodeValue, type Layout } from './layout.ts';

interface Parts {
  readonly connection: EtcdConnection;
  readonly layout: Layout;
  readonly own: OwnWrites;
  /** '0' for an object without expiry. */
  readonly leaseFor: (key: StoreKey) => Promise<string>;
}

/** Compares with the revision of the last write; 0 for an absent key. */
const byModRevision = 2;

type TxnResult =
  | { readonly done: true; readonly revision: number }
  | { readonly done: false; readonly there?: StoredObject };

/** Runs `act` if the key has the expected revision, otherwise reads the key. */
const conditionalTxn =
  ({ connection, layout }: Parts) =>
  async (where: StoreKey, expected: number, act: object): Promise<TxnResult> => {
    const key = Buffer.from(layout.pathOf(where));
    const { succeeded, header, responses } = await connection.call('TxnRequest', {
      compare: [{ target: byModRevision, key, modRevision: expected }],
      success: [act],
      failure: [{ range: { key } }],
    });
    if (succeeded) return { done: true, revision: header.revision };
    const found = responses[0]?.range?.kvs[0];
    return { done: false, ...(found ? { there: decodeValue(found) } : {}) };
  };

/** Writes with a precondition on the revision. Follows apiserver pkg/storage/etcd3/store.go. */
export function createWrites(parts: Parts): Pick<Storage, 'create' | 'update' | 'remove'> {
  const { connection, layout, own, leaseFor } = parts;
  const guarded = conditionalTxn(parts);
  const put = async (key: StoreKey, object: KubernetesObject, expected: number) => {
    const path = layout.pathOf(key);
    const value = encodeValue(object);
    const act = { put: { key: Buffer.from(path), value, lease: await leaseFor(key) } };
    own.begun(path, value, object);
    const written = await guarded(key, expected, act);
    if (!written.done) own.refused(path);
    return written.done ? { ...written, stored: at(object, written.revision) } : written;
  };
  return {
    create: async (key, object) => {
      const written = await put(key, object, 0);
      if (written.done) return { outcome: 'stored', stored: written.stored };
      if (!written.there) throw new Error('etcd refused to create what is not there');
      return { outcome: 'exists', stored: written.there };
    },
    update: async (key, object, expected) => {
      const written = await put(key, object, expected);
      return written.done ? { outcome: 'stored', stored: written.stored } : refused(written.there);
    },
    remove: async (key, expected) => {
      const path = layout.pathOf(key);
      const { kvs } = await connection.call('RangeRequest', { key: Buffer.from(path) });
      const [there] = kvs;
      if (!there || there.modRevision !== expected) return refused(there && decodeValue(there));
      const written = await guarded(key, expected, { deleteRange: { key: Buffer.from(path) } });
      return written.done
        ? { outcome: 'stored', stored: at(decodeValue(there).object, written.revision) }
        : refused(written.there);
    },
  };
}

const refused = (there: StoredObject | undefined): WriteOutcome =>
  there ? { outcome: 'conflict', stored: there } : { outcome: 'missing' };

const at = (object: KubernetesObject, revision: number): StoredObject => ({
  object: withMetadata(object, { resourceVersion: resourceVersionOf(revision) }),
  revision,
});

/** Recognizes this process's writes in its watch by their bytes, so that they are not decoded again. */
export interface OwnWrites {
  readonly begun: (path: string, value: Buffer, object: KubernetesObject) => void;
  readonly refused: (path: string) => void;
  /** Returns the object once; undefined for another client's write. */
  readonly take: (path: string, value: Buffer) => KubernetesObject | undefined;
}

/** Older ones are decoded when the watch returns them. */
const remembered = 1000;

export function createOwnWrites(): OwnWrites {
  const underway = new Map<string, { readonly value: Buffer; readonly object: KubernetesObject }>();
  return {
    begun: (path, value, object) => {
      underway.delete(path);
      underway.set(path, { value, object });
      const [oldest] = underway.keys();
      if (underway.size > remembered && oldest !== undefined) underway.delete(oldest);
    },
    refused: (path) => underway.delete(path),
    take: (path, value) => {
      const own = underway.get(path);
      if (!own?.value.equals(value)) return undefined;
      underway.delete(path);
      return own.object;
    },
  };
}
