import type { GroupVersionKind, GroupVersionResource } from '../../../machinery/meta/gvk.ts';
import type { BuiltinTypes } from '../builtin-types.ts';
import type { ForeignOpenapi } from '../openapi/own-openapi.ts';

export interface ResourceInfo {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  /** '' for the resource itself. */
  readonly subresource: string;
  readonly namespaced: boolean;
  /** The kind of the body: autoscaling `Scale` for deployments/scale. */
  readonly kind: GroupVersionKind;
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly verbs: readonly string[];
  readonly storageVersionHash?: string;
  /** Only when it differs from the kind plus `List`. */
  readonly listKind?: string;
  /** Besides name and namespace; absent for built-in resources. */
  readonly selectableFields?: readonly string[];
  /** Absent for built-in resources. */
  readonly openapi?: ForeignOpenapi;
  /** Served, but not in discovery. */
  readonly unlisted?: true;
  /** The resource that stores these objects (rule SEL-31), and their storage kind. */
  readonly storage: GroupVersionResource & { readonly kind: string };
}

/** The served resources. Custom resources change, so do not cache results. */
export interface Catalogue {
  readonly types: BuiltinTypes;
  readonly find: (resource: GroupVersionResource, subresource: string) => ResourceInfo | undefined;
  readonly hasVersion: (group: string, version: string) => boolean;
  /** Whether the group version has custom resources only. */
  readonly isCustom: (group: string, version: string) => boolean;
  /** In discovery order: groups by priority, parents before subresources. */
  readonly all: () => readonly ResourceInfo[];
  /** The resource in all its versions and groups, in registration order. */
  readonly equivalents: (resource: GroupVersionResource, subresource: string) => readonly ResourceInfo[];
  /** The main resource of a kind. */
  readonly forKind: (kind: GroupVersionKind) => ResourceInfo | undefined;
}

/** The resource of a kind in upstream's REST mapper. */
export interface RestMapping extends GroupVersionResource {
  readonly namespaced: boolean;
  /** undefined for a list kind, which no resource serves. */
  readonly row: ResourceInfo | undefined;
}

export type KnownKinds = Pick<Catalogue, 'all' | 'forKind' | 'hasVersion'>;

/** The kind may be in lower case. Follows client-go restmapper/discovery.go NewDiscoveryRESTMapper. */
export function findRestMapping(
  { group, version, kind }: GroupVersionKind,
  catalogue: KnownKinds,
): RestMapping | undefined {
  const isMatch = (row: ResourceInfo): boolean =>
    row.group === group && row.version === version && row.subresource === '' && row.kind.kind.toLowerCase() === kind;
  const row = catalogue.forKind({ group, version, kind }) ?? catalogue.all().find(isMatch);
  if (row) return { ...toMapping(row), row };
  const list = { group, version, resource: `${kind.toLowerCase()}s`, row: undefined };
  if (kind === 'List') return catalogue.hasVersion(group, version) ? { ...list, namespaced: false } : undefined;
  const item = kind.endsWith('List') ? catalogue.forKind({ group, version, kind: kind.slice(0, -4) }) : undefined;
  return item && { ...list, namespaced: item.namespaced };
}

const toMapping = ({ group, version, resource, namespaced }: ResourceInfo): Omit<RestMapping, 'row'> => ({
  group,
  version,
  resource,
  namespaced,
});

/** Resources not stored in their first group version (rule SEL-31; pkg/controlplane/instance.go). */
const storageOverrides: Readonly<Record<string, ResourceInfo['storage']>> = {
  'events.k8s.io/events': { group: '', version: 'v1', resource: 'events', kind: 'Event' },
};

/** In discovery order; test/tools/make-builtin.mjs describes it. */
export interface CompactGroup {
  readonly group: string;
  readonly versions: readonly { readonly version: string; readonly resources: readonly CompactResource[] }[];
}

interface CompactResource {
  readonly name: string;
  readonly kind: string;
  readonly singular: string;
  readonly verbs: string;
  readonly namespaced?: boolean | undefined;
  readonly shortNames?: readonly string[] | undefined;
  readonly categories?: readonly string[] | undefined;
  readonly hash?: string | undefined;
  readonly subresources?: readonly CompactSubresource[] | undefined;
}

interface CompactSubresource {
  readonly name: string;
  readonly kind: string;
  readonly group?: string | undefined;
  readonly version?: string | undefined;
  readonly verbs: string;
}

export const createBuiltinRows = (groups: readonly CompactGroup[]): readonly ResourceInfo[] =>
  groups.flatMap((group) =>
    group.versions.flatMap(({ version, resources }) =>
      resources.flatMap((resource) => createRows(resource, group.group, version, resolveStorage(group, resource))),
    ),
  );

/** The first, preferred version is the storage version. */
function resolveStorage({ group, versions }: CompactGroup, { name, kind }: CompactResource): ResourceInfo['storage'] {
  const first = versions.find(({ resources }) => resources.some((resource) => resource.name === name));
  return storageOverrides[`${group}/${name}`] ?? { group, version: first?.version ?? '', resource: name, kind };
}

function createRows(
  { name, kind, subresources, ...resource }: CompactResource,
  group: string,
  version: string,
  storage: ResourceInfo['storage'],
): readonly ResourceInfo[] {
  const namespaced = resource.namespaced ?? false;
  const common = { group, version, resource: name, namespaced, storage };
  const main: ResourceInfo = {
    ...common,
    subresource: '',
    kind: { group, version, kind },
    singular: resource.singular,
    shortNames: resource.shortNames ?? [],
    categories: resource.categories ?? [],
    verbs: resource.verbs.split(' '),
    ...(resource.hash === undefined ? {} : { storageVersionHash: resource.hash }),
  };
  const rows = (subresources ?? []).map((sub) => ({
    ...common,
    subresource: sub.name,
    kind: { group: sub.group ?? group, version: sub.version ?? version, kind: sub.kind },
    singular: '',
    shortNames: [],
    categories: [],
    verbs: sub.verbs.split(' '),
  }));
  return [main, ...rows];
}
