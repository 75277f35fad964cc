import type { GroupResource, GroupVersionKind, GroupVersionResource } from '../machinery/meta/gvk.ts';
import type { BuiltinTypes } from '../api/types/builtin-types.ts';
import type { ResourceInfo } from '../api/types/catalogue/catalogue.ts';

/** The catalogue as controllers use it. */
export interface ServedResources {
  readonly types: BuiltinTypes;
  /** In discovery order. */
  readonly all: () => readonly ServedResource[];
  readonly forKind: (kind: GroupVersionKind) => ServedResource | undefined;
  /** Calls `listener` when the served resources change, until closed. */
  readonly follow: (listener: () => void) => () => void;
}

export type ServedResource = Pick<
  ResourceInfo,
  'group' | 'version' | 'resource' | 'subresource' | 'namespaced' | 'verbs' | 'kind' | 'storage'
>;

/** Of a collection, or of one object. `namespace` is '' for a cluster-scoped resource. */
export function resourcePath({ group, version, resource }: GroupVersionResource, namespace: string, name = ''): string {
  const root = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
  const place = namespace === '' ? '' : `/namespaces/${namespace}`;
  return `${root}${place}/${resource}${name === '' ? '' : `/${name}`}`;
}

/** The stored and deletable resources, each storage once, in its preferred version. */
export function deletableResources(
  served: Pick<ServedResources, 'all'>,
  verbs: readonly string[],
): readonly ServedResource[] {
  const resources = new Map<string, ServedResource>();
  let last: ServedResource['storage'] | undefined;
  for (const row of served.all()) {
    // The versions of a definition are adjacent; there may be thousands.
    if (row.subresource !== '' || row.storage === last || !verbs.every((verb) => row.verbs.includes(verb))) continue;
    last = row.storage;
    const key = `${row.storage.resource}.${row.storage.group}`;
    if (!resources.has(key)) resources.set(key, row);
  }
  return [...resources.values()];
}

export const namespaces: GroupResource = { group: '', resource: 'namespaces' };
export const coreV1 = (resource: string): GroupVersionResource => ({ group: '', version: 'v1', resource });
