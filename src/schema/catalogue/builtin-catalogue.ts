import groups from '../builtin/resources.json' with { type: 'json' };
import type { ResourceInfo } from './catalogue.ts';
import { createCatalogue } from './create-catalogue.ts';
import type { LiveCatalogue } from './create-catalogue.ts';
import type { IsServed } from './served-apis.ts';

/**
 * Every built-in resource that is served, with its subresources, in discovery order; custom resources may be added.
 * Unless told otherwise those of stable versions, as a server without flags has them.
 */
export const createBuiltinCatalogue = (isServed: IsServed = isStable): LiveCatalogue =>
  createCatalogue(builtinRows().filter(isServed));

const isStable: IsServed = ({ version }) => /^v\d+$/.test(version);

/** Resources kept under another group or version than the first of their own (rule SEL-31; pkg/controlplane/instance.go). */
const storedElsewhere: Readonly<Record<string, ResourceInfo['storage']>> = {
  'events.k8s.io/events': { group: '', version: 'v1', resource: 'events', kind: 'Event' },
};

interface CompactGroup {
  readonly group: string;
  readonly versions: readonly { readonly version: string; readonly resources: readonly CompactResource[] }[];
}

/** A row of builtin/resources.json; test/tools/make-builtin.mjs describes it. */
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

function builtinRows(): readonly ResourceInfo[] {
  const all: readonly CompactGroup[] = groups;
  return all.flatMap((group) =>
    group.versions.flatMap(({ version, resources }) =>
      resources.flatMap((resource) => rowsOf(resource, group.group, version, storageOf(group, resource))),
    ),
  );
}

/** A resource that several versions serve is stored in the first, preferred one. */
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
