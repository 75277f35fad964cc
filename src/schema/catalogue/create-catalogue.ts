import type { GroupVersionKind } from '../../apimachinery/gvk.ts';
import type { Catalogue, ResourceInfo } from './catalogue.ts';

/** A catalogue that custom resources join and leave. */
export interface LiveCatalogue extends Catalogue {
  /** The rows of one owner (a CRD's name), in place of those it had. */
  readonly put: (owner: string, rows: readonly ResourceInfo[]) => void;
  readonly remove: (owner: string) => void;
}

/** A catalogue of `builtin` rows, in this order, before those of other owners, ordered by group. */
export function createCatalogue(builtin: readonly ResourceInfo[]): LiveCatalogue {
  const owners = new Map<string, readonly ResourceInfo[]>();
  let index = indexOf(builtin);
  const rebuild = (): void => {
    const custom = [...owners.values()].flat();
    index = indexOf([...builtin, ...custom.toSorted((a, b) => byName(a.group, b.group))]);
  };
  return {
    find: ({ group, version, resource }, subresource) =>
      index.byPath.get(`${group}/${version}/${resource}/${subresource}`),
    hasVersion: (group, version) => index.versions.has(`${group}/${version}`),
    all: () => index.rows,
    equivalents: ({ group, version, resource }, subresource) => {
      const row = index.byPath.get(`${group}/${version}/${resource}/${subresource}`);
      return row === undefined ? [] : (index.byStorage.get(storageKey(row)) ?? []);
    },
    forKind: (kind) => index.byKind.get(kindKey(kind)),
    put: (owner, rows) => {
      owners.set(owner, rows);
      rebuild();
    },
    remove: (owner) => {
      owners.delete(owner);
      rebuild();
    },
  };
}

interface Index {
  readonly rows: readonly ResourceInfo[];
  readonly byPath: ReadonlyMap<string, ResourceInfo>;
  readonly byStorage: ReadonlyMap<string, readonly ResourceInfo[]>;
  readonly byKind: ReadonlyMap<string, ResourceInfo>;
  readonly versions: ReadonlySet<string>;
}

function indexOf(rows: readonly ResourceInfo[]): Index {
  const byPath = new Map<string, ResourceInfo>();
  const byStorage = new Map<string, ResourceInfo[]>();
  const byKind = new Map<string, ResourceInfo>();
  const versions = new Set<string>();
  for (const row of rows) {
    byPath.set(`${row.group}/${row.version}/${row.resource}/${row.subresource}`, row);
    versions.add(`${row.group}/${row.version}`);
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

const byName = (a: string, b: string): number => Number(a > b) - Number(a < b);
