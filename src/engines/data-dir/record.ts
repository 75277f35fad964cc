import { crc32 } from 'node:zlib';
import { writeJson } from '../../apimachinery/json-writer.ts';
import { asKubernetesObject, withMetadata } from '../../apimachinery/object.ts';
import { readStoredJson } from '../../apimachinery/stored-json.ts';
import { resourceVersionOf } from '../../store/storage.ts';
import type { StoreKey, Stored } from '../../store/storage.ts';
import { unsealed } from '../encryption/sealing.ts';
import type { Sealing } from '../encryption/sealing.ts';

/** An object as it lies in the data directory: its path, and its revision in front of its JSON. */
export interface DataRecord {
  readonly path: string;
  readonly text: string;
}

export const pathOf = ({ resource, namespace, name }: StoreKey): string =>
  `${resource.group}/${resource.resource}/${namespace}/${name}`;

/** Objects as records, encrypted as `sealing` says. Both throw an Error that says why a record cannot be made or opened. */
export interface Records {
  readonly write: (key: StoreKey, stored: Stored) => DataRecord;
  /** The stored object, or undefined for what `write` does not make. */
  readonly read: (record: DataRecord) => { readonly key: StoreKey; readonly stored: Stored } | undefined;
  /** Has to be waited for before this record can be read. */
  readonly unlock: (record: DataRecord) => Promise<void> | undefined;
  /** Would the record be written in another way today? */
  readonly isStale: (key: StoreKey, record: DataRecord) => boolean;
  /** Can a record be stale at all? */
  readonly areSealed: boolean;
}

export function recordsBy(sealing: Sealing): Records {
  const openedIn = ({ path, text }: DataRecord, resource: StoreKey['resource']): ReturnType<Sealing['open']> =>
    sealing.open(resource, bytesOf(text), path);
  return {
    areSealed: sealing !== unsealed,
    // The resourceVersion is not stored: it is the revision.
    write: (key, { object, revision }) => {
      const path = pathOf(key);
      const json = writeJson(withMetadata(object, { resourceVersion: undefined }));
      if (sealing === unsealed) return { path, text: `${revision} ${json}` };
      const sealed = sealing.seal(key.resource, Buffer.from(json), path);
      return { path, text: `${revision} ${sealed[0] === brace ? json : sealed.toString('base64')}` };
    },
    read: (record) => {
      const { path, text } = record;
      const [group, resource, namespace, name, ...more] = path.split('/');
      const revision = Number(text.slice(0, text.indexOf(' ')));
      if (!resource || name === undefined || more.length > 0 || !Number.isSafeInteger(revision)) return undefined;
      const key = { resource: { group: group ?? '', resource }, namespace: namespace ?? '', name };
      const { data, stale } = openedIn(record, key.resource);
      const object = asKubernetesObject(readStoredJson(data.toString()));
      if (!object) return undefined;
      const stored = { object: withMetadata(object, { resourceVersion: resourceVersionOf(revision) }), revision };
      return { key, stored: stale ? { ...stored, stale } : stored };
    },
    unlock: ({ text }) => sealing.unlock([bytesOf(text)]),
    isStale: (key, record) => openedIn(record, key.resource).stale,
  };
}

const brace = '{'.charCodeAt(0);

/** What stands behind the revision: JSON as it is, anything else in base64. */
function bytesOf(text: string): Buffer {
  const value = text.slice(text.indexOf(' ') + 1);
  return value.startsWith('{') ? Buffer.from(value) : Buffer.from(value, 'base64');
}

/** What a record adds to the sum over all of them; what is missing, twice or changed makes another sum. */
export const weightOf = ({ path, text }: DataRecord): number => crc32(`${path}\n${text}`);
