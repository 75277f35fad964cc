import { writeJson } from '../../../machinery/json/json-writer.ts';
import { asKubernetesObject, withMetadata } from '../../../machinery/meta/object.ts';
import { readStoredJson } from '../../../machinery/json/stored-json.ts';
import { resourceVersionOf } from '../../../apiserver/storage/storage.ts';
import type { StoreKey, Stored } from '../../../apiserver/storage/storage.ts';

/** A path, and `REVISION JSON`. */
export interface DataRecord {
  readonly path: string;
  readonly text: string;
}

/** `GROUP/RESOURCE/NAMESPACE/NAME`. */
export const pathOf = ({ resource, namespace, name }: StoreKey): string =>
  `${resource.group}/${resource.resource}/${namespace}/${name}`;

/** Without resourceVersion, which is the revision. */
export const toRecord = (key: StoreKey, { object, revision }: Stored): DataRecord => ({
  path: pathOf(key),
  text: `${revision} ${writeJson(withMetadata(object, { resourceVersion: undefined }))}`,
});

export function fromRecord({
  path,
  text,
}: DataRecord): { readonly key: StoreKey; readonly stored: Stored } | undefined {
  const [group = '', resource, namespace = '', name, ...more] = path.split('/');
  const end = text.indexOf(' ');
  const revision = Number(text.slice(0, end));
  if (!resource || name === undefined || more.length > 0 || !Number.isSafeInteger(revision)) return undefined;
  const object = asKubernetesObject(readStoredJson(text.slice(end + 1)));
  return (
    object && {
      key: { resource: { group, resource }, namespace, name },
      stored: { object: withMetadata(object, { resourceVersion: resourceVersionOf(revision) }), revision },
    }
  );
}
