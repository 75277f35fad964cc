import { newestFirst } from '../../../machinery/meta/version-order.ts';
import type { GroupVersionKind, GroupVersionResource } from '../../../machinery/meta/gvk.ts';
import type { ResourceInfo } from './catalogue.ts';

/** Some rows of a catalogue, found by what requests ask for. */
export interface CataloguePart {
  readonly find: (resource: GroupVersionResource, subresource: string) => ResourceInfo | undefined;
  /** Those whose objects are the same as this one's. */
  readonly sharing: (row: ResourceInfo) => readonly ResourceInfo[];
  readonly forKind: (kind: GroupVersionKind) => ResourceInfo | undefined;
  readonly hasVersion: (group: string, version: string) => boolean;
}

/** `registered`: in this order. */
export function createPart(registered: readonly ResourceInfo[]): CataloguePart {
  const byPath = new Map<string, ResourceInfo>();
  const byStorage = new Map<string, ResourceInfo[]>();
  const byKind = new Map<string, ResourceInfo>();
  const versions = new Set<string>();
  for (const row of registered) {
    byPath.set(pathKey(row, row.subresource), row);
    versions.add(`${row.group}/${row.version}`);
    const sharing = byStorage.get(storageKey(row));
    if (sharing === undefined) byStorage.set(storageKey(row), [row]);
    else sharing.push(row);
    if (row.subresource === '' && !byKind.has(kindKey(row.kind))) byKind.set(kindKey(row.kind), row);
  }
  return {
    find: (resource, subresource) => byPath.get(pathKey(resource, subresource)),
    sharing: (row) => byStorage.get(storageKey(row)) ?? [],
    forKind: (kind) => byKind.get(kindKey(kind)),
    hasVersion: (group, version) => versions.has(`${group}/${version}`),
  };
}

const pathKey = ({ group, version, resource }: GroupVersionResource, subresource: string): string =>
  `${group}/${version}/${resource}/${subresource}`;

const storageKey = ({ storage, subresource }: ResourceInfo): string =>
  `${storage.group}/${storage.resource}/${subresource}`;

const kindKey = ({ group, version, kind }: GroupVersionKind): string => `${group}/${version}/${kind}`;

/** Rows of one group as discovery lists them: versions the newest first, resources by name. */
export function inDiscoveryOrder(rows: readonly ResourceInfo[]): readonly ResourceInfo[] {
  const order = newestFirst(new Set(rows.map(({ version }) => version)));
  const rank = new Map(order.map((version, at) => [version, at]));
  return rows.toSorted(
    (a, b) => (rank.get(a.version) ?? 0) - (rank.get(b.version) ?? 0) || byName(a.resource, b.resource),
  );
}

const byName = (a: string, b: string): number => Number(a > b) - Number(a < b);
