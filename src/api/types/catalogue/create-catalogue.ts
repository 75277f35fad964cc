import { type GroupVersionKind, type GroupVersionResource, newestFirst } from '../../../machinery/meta/gvk.ts';
import { once } from '../../../machinery/once.ts';
import type { BuiltinTypes } from '../builtin-types.ts';
import type { Catalogue, ResourceInfo } from './catalogue.ts';

export interface LiveCatalogue extends Catalogue {
  /** Replaces the rows of one owner (the name of a CRD), all of one group. */
  readonly put: (owner: string, rows: readonly ResourceInfo[]) => void;
  readonly remove: (owner: string) => void;
  /** Calls the listener after every change; returns the unsubscribe function. */
  readonly follow: (listener: () => void) => () => void;
  readonly fork: () => LiveCatalogue;
}

type Rows = readonly ResourceInfo[];
type Owners = ReadonlyMap<string, Rows>;

/** Built-in rows first, then those of owners by group and version. */
export const createCatalogue = (types: BuiltinTypes, builtin: Rows): LiveCatalogue =>
  createFromState(types, { rows: builtin, part: createPart(builtin) }, { owners: new Map() });

interface Builtin {
  readonly rows: Rows;
  readonly part: CataloguePart;
}

/** Groups are derived lazily: many definitions may change at once. */
interface State {
  readonly owners: Owners;
  groups?: ReadonlyMap<string, Group>;
  all?: Rows;
}

function createFromState(types: BuiltinTypes, builtin: Builtin, first: State): LiveCatalogue {
  let state = first;
  const builtinPart = builtin.part;
  const listeners = new Set<() => void>();
  const groups = (): ReadonlyMap<string, Group> => (state.groups ??= groupByOwner(state.owners));
  const partOf = (group: string): CataloguePart | undefined => groups().get(group)?.part();
  const change = (act: (owners: Map<string, Rows>) => void): void => {
    const owners = new Map(state.owners);
    act(owners);
    state = { owners };
    for (const listener of listeners) listener();
  };
  const find: Catalogue['find'] = (resource, subresource) =>
    builtinPart.find(resource, subresource) ?? partOf(resource.group)?.find(resource, subresource);
  const isCustom: Catalogue['isCustom'] = (group, version) =>
    !builtinPart.hasVersion(group, version) && partOf(group)?.hasVersion(group, version) === true;
  return {
    types,
    find,
    isCustom,
    hasVersion: (group, version) => builtinPart.hasVersion(group, version) || isCustom(group, version),
    all: () => (state.all ??= concatRows(builtin.rows, groups())),
    equivalents: (resource, subresource) => {
      const row = find(resource, subresource);
      if (row === undefined) return [];
      const custom = partOf(row.storage.group)?.sharing(row) ?? [];
      return custom.length === 0 ? builtinPart.sharing(row) : [...builtinPart.sharing(row), ...custom];
    },
    forKind: (kind) => builtinPart.forKind(kind) ?? partOf(kind.group)?.forKind(kind),
    put: (owner, rows) => change((next) => next.set(owner, rows)),
    remove: (owner) => {
      if (state.owners.has(owner)) change((next) => next.delete(owner));
    },
    follow: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    fork: () => createFromState(types, builtin, state),
  };
}

interface Group {
  readonly owners: readonly Rows[];
  readonly part: () => CataloguePart;
  /** In discovery order. */
  readonly rows: () => Rows;
}

function groupByOwner(owners: Owners): ReadonlyMap<string, Group> {
  const groups = new Map<string, Rows[]>();
  for (const rows of owners.values()) {
    const [row] = rows;
    if (row === undefined) continue;
    const ofGroup = groups.get(row.group);
    if (ofGroup === undefined) groups.set(row.group, [rows]);
    else ofGroup.push(rows);
  }
  return new Map(Array.from(groups, ([name, of]) => [name, getGroup(of)]));
}

/** By the rows of the first owner. Each of hundreds of definitions that are installed would index all groups again. */
const groupByFirstRows = new WeakMap<Rows, Group>();

function getGroup(owners: readonly Rows[]): Group {
  const [first = []] = owners;
  const before = groupByFirstRows.get(first);
  if (before?.owners.length === owners.length && before.owners.every((rows, at) => rows === owners[at])) return before;
  const group: Group = {
    owners,
    part: once(() => createPart(owners.flat())),
    rows: once(() => sortForDiscovery(owners.flat())),
  };
  groupByFirstRows.set(first, group);
  return group;
}

const concatRows = (builtin: Rows, groups: ReadonlyMap<string, Group>): Rows => [
  ...builtin,
  ...[...groups].toSorted(([a], [b]) => Number(a > b) - Number(a < b)).flatMap(([, { rows }]) => rows()),
];

interface CataloguePart {
  readonly find: (resource: GroupVersionResource, subresource: string) => ResourceInfo | undefined;
  /** Rows with the same storage. */
  readonly sharing: (row: ResourceInfo) => readonly ResourceInfo[];
  readonly forKind: (kind: GroupVersionKind) => ResourceInfo | undefined;
  readonly hasVersion: (group: string, version: string) => boolean;
}

function createPart(registered: readonly ResourceInfo[]): CataloguePart {
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

/** Newest version first, resources by name. */
function sortForDiscovery(rows: readonly ResourceInfo[]): readonly ResourceInfo[] {
  const order = newestFirst(new Set(rows.map(({ version }) => version)));
  const rank = new Map(order.map((version, at) => [version, at]));
  return rows.toSorted(
    (a, b) => (rank.get(a.version) ?? 0) - (rank.get(b.version) ?? 0) || compareNames(a.resource, b.resource),
  );
}

const compareNames = (a: string, b: string): number => Number(a > b) - Number(a < b);
