import type { GroupResource, GroupVersionKind, GroupVersionResource } from '../machinery/meta/gvk.ts';
import type { BuiltinTypes } from '../api/types/builtin-types.ts';

/** What the controllers ask the catalogue. */
export interface ServedResources {
  readonly types: BuiltinTypes;
  /** In discovery order. */
  readonly all: () => readonly ServedResource[];
  readonly forKind: (kind: GroupVersionKind) => ServedResource | undefined;
  /** Has somebody told when resources came or went, until closed. */
  readonly follow: (listener: () => void) => () => void;
}

export interface ServedResource {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
  readonly kind: GroupVersionKind;
  /** The resource whose objects these are, and the version they are kept in. */
  readonly storage: GroupVersionResource;
}

/** The path of a collection, or of one object in it. `namespace` '' for a cluster-scoped resource. */
export function pathOf({ group, version, resource }: GroupVersionResource, namespace: string, name = ''): string {
  const root = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
  const place = namespace === '' ? '' : `/namespaces/${namespace}`;
  return `${root}${place}/${resource}${name === '' ? '' : `/${name}`}`;
}

/** The served resources whose objects are stored and can be deleted, each storage once, in its preferred version. */
export function deletableResources(
  served: Pick<ServedResources, 'all'>,
  verbs: readonly string[],
): readonly ServedResource[] {
  const found = new Map<string, ServedResource>();
  let last: ServedResource['storage'] | undefined;
  for (const row of served.all()) {
    // The versions of a definition stand one behind the other, and may be thousands.
    if (row.subresource !== '' || row.storage === last || !verbs.every((verb) => row.verbs.includes(verb))) continue;
    last = row.storage;
    const key = `${row.storage.resource}.${row.storage.group}`;
    if (!found.has(key)) found.set(key, row);
  }
  return [...found.values()];
}

export const namespaces: GroupResource = { group: '', resource: 'namespaces' };
export const coreV1 = (resource: string): GroupVersionResource => ({ group: '', version: 'v1', resource });
