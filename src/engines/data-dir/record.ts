import { crc32 } from 'node:zlib';
import { plainValue, readJson } from '../../apimachinery/json-reader.ts';
import { writeJson } from '../../apimachinery/json-writer.ts';
import { asKubernetesObject, withMetadata } from '../../apimachinery/object.ts';
import type { KubernetesObject } from '../../apimachinery/object.ts';
import { resourceVersionOf } from '../../store/storage.ts';
import type { StoreKey, Stored } from '../../store/storage.ts';

/** An object as it lies in the data directory: its path, and its revision in front of its JSON. */
export interface DataRecord {
  readonly path: string;
  readonly text: string;
}

export const pathOf = ({ resource, namespace, name }: StoreKey): string =>
  `${resource.group}/${resource.resource}/${namespace}/${name}`;

/** The resourceVersion is not stored: it is the revision. */
export const recordOf = (key: StoreKey, { object, revision }: Stored): DataRecord => ({
  path: pathOf(key),
  text: `${revision} ${writeJson(withMetadata(object, { resourceVersion: undefined }))}`,
});

/** The stored object, or undefined for what `recordOf` does not write. */
export function readRecord({
  path,
  text,
}: DataRecord): { readonly key: StoreKey; readonly stored: Stored } | undefined {
  const [group, resource, namespace, name, ...more] = path.split('/');
  const space = text.indexOf(' ');
  const revision = Number(text.slice(0, space));
  const object = readObject(text.slice(space + 1));
  if (!resource || name === undefined || more.length > 0 || !Number.isSafeInteger(revision) || !object)
    return undefined;
  return {
    key: { resource: { group: group ?? '', resource }, namespace: namespace ?? '', name },
    stored: { object: withMetadata(object, { resourceVersion: resourceVersionOf(revision) }), revision },
  };
}

function readObject(text: string): KubernetesObject | undefined {
  const reading = readJson(text);
  return reading.outcome === 'read' ? asKubernetesObject(plainValue(reading.json.value)) : undefined;
}

/** What a record adds to the sum over all of them; what is missing, twice or changed makes another sum. */
export const weightOf = ({ path, text }: DataRecord): number => crc32(`${path}\n${text}`);
