import { compareVersionNames } from '../../apimachinery/version-order.ts';
import type { GroupVersionKind } from '../../apimachinery/gvk.ts';
import type { BuiltinTypes } from '../types/builtin-types.ts';
import type { Catalogue, ResourceInfo } from './catalogue.ts';

/** A catalogue that custom resources join and leave. */
export interface LiveCatalogue extends Catalogue {
  /** The rows of one owner (a CRD's name), in place of those it had. */
  readonly put: (owner: string, rows: readonly ResourceInfo[]) => void;
  readonly remove: (owner: string) => void;
  /** Has somebody told after every change, until closed. */
  readonly follow: (listener: () => void) => () => void;
  /** A catalogue of its own with the same rows. */
  readonly fork: () => LiveCatalogue;
}

type Owners = ReadonlyMap<string, readonly ResourceInfo[]>;

/** A catalogue of `builtin` rows, in this order, before those of other owners, ordered by group and version. */
export const createCatalogue = (types: BuiltinTypes, builtin: readonly ResourceInfo[]): LiveCatalogue =>
  catalogueOf(types, builtin, new Map(), indexOf(builtin, builtin, builtin.length));

function catalogueOf(
  types: BuiltinTypes,
  builtin: readonly ResourceInfo[],
  first: Owners,
  made?: Index,
): LiveCatalogue {
  let owners = first;
  let known = made;
  const listeners = new Set<() => void>();
  // Made when somebody asks: many definitions may come at once.
  const index = (): Index => {
    if (known) return known;
    const custom = [...owners.values()].flat();
    known = indexOf([...builtin, ...custom.toSorted(inDiscoveryOrder)], [...builtin, ...custom], builtin.length);
    return known;
  };
  const change = (act: (owners: Map<string, readonly ResourceInfo[]>) => void): void => {
    const next = new Map(owners);
    act(next);
    owners = next;
    known = undefined;
    for (const listener of listeners) listener();
  };
  return {
    types,
    find: ({ group, version, resource }, subresource) =>
      index().byPath.get(`${group}/${version}/${resource}/${subresource}`),
    hasVersion: (group, version) => index().versions.has(`${group}/${version}`),
    isCustom: (group, version) => index().versions.get(`${group}/${version}`) === 'custom',
    all: () => index().rows,
    equivalents: ({ group, version, resource }, subresource) => {
      const row = index().byPath.get(`${group}/${version}/${resource}/${subresource}`);
      return row === undefined ? [] : (index().byStorage.get(storageKey(row)) ?? []);
    },
    forKind: (kind) => index().byKind.get(kindKey(kind)),
    put: (owner, rows) => change((next) => next.set(owner, rows)),
    remove: (owner) => {
      if (owners.has(owner)) change((next) => next.delete(owner));
    },
    follow: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    fork: () => catalogueOf(types, builtin, owners, known),
  };
}

interface Index {
  readonly rows: readonly ResourceInfo[];
  readonly byPath: ReadonlyMap<string, ResourceInfo>;
  readonly byStorage: ReadonlyMap<string, readonly ResourceInfo[]>;
  readonly byKind: ReadonlyMap<string, ResourceInfo>;
  readonly versions: ReadonlyMap<string, 'builtin' | 'custom'>;
}

/** The same rows in discovery order, and as they were registered, so many built-in ones first. */
function indexOf(rows: readonly ResourceInfo[], registered: readonly ResourceInfo[], builtin: number): Index {
  const byPath = new Map<string, ResourceInfo>();
  const byStorage = new Map<string, ResourceInfo[]>();
  const byKind = new Map<string, ResourceInfo>();
  const versions = new Map<string, 'builtin' | 'custom'>();
  for (const [at, row] of registered.entries()) {
    byPath.set(`${row.group}/${row.version}/${row.resource}/${row.subresource}`, row);
    const version = `${row.group}/${row.version}`;
    if (!versions.has(version)) versions.set(version, at < builtin ? 'builtin' : 'custom');
    const sharing = byStorage.get(storageKey(row));
    if (sharing === undefined) byStorage.set(storageKey(row), [row]);
    else sharing.push(row);
    if (row.subresource === '' && !byKind.has(kindKey(row.kind))) byKind.set(kindKey(row.kind), row);
  }
  return { rows, byPath, byStorage, byKind, versions };
}

const storageKey = ({ storage, subresource }: ResourceInfo): string =>
  `${storage.group}/${storage.resource}/${subresource}`;

const kindKey = ({ group, version, kind }: GroupVersionKind): string => `${group}/${version}/${kind}`;

/** Groups by name, their versions the newest first, resources by name. */
const inDiscoveryOrder = (a: ResourceInfo, b: ResourceInfo): number =>
  byName(a.group, b.group) || compareVersionNames(b.version, a.version) || byName(a.resource, b.resource);

const byName = (a: string, b: string): number => Number(a > b) - Number(a < b);
