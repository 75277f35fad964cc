import type { ResourceInfo } from './catalogue.ts';

/** Resources not stored in their first group version (rule SEL-31; pkg/controlplane/instance.go). */
const storedElsewhere: Readonly<Record<string, ResourceInfo['storage']>> = {
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

export const builtinRows = (groups: readonly CompactGroup[]): readonly ResourceInfo[] =>
  groups.flatMap((group) =>
    group.versions.flatMap(({ version, resources }) =>
      resources.flatMap((resource) => rowsOf(resource, group.group, version, storageOf(group, resource))),
    ),
  );

/** The first, preferred version is the storage version. */
function storageOf({ group, versions }: CompactGroup, { name, kind }: CompactResource): ResourceInfo['storage'] {
  const first = versions.find(({ resources }) => resources.some((resource) => resource.name === name));
  return storedElsewhere[`${group}/${name}`] ?? { group, version: first?.version ?? '', resource: name, kind };
}

function rowsOf(
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
