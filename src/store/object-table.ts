import type { KubernetesObject } from '../apimachinery/object.ts';
import type { Stored } from './storage.ts';

/** The objects of one resource by namespace and name. Forks share it until one of them writes. */
export interface ObjectTable {
  readonly get: (namespace: string, name: string) => Stored | undefined;
  /** In order of namespace and name. The list is kept until the next write. */
  readonly list: (namespace: string | undefined) => readonly KubernetesObject[];
  /** All of them, in the same order. */
  readonly entries: () => readonly Stored[];
  readonly set: (namespace: string, name: string, stored: Stored) => void;
  readonly remove: (namespace: string, name: string) => void;
  readonly fork: () => ObjectTable;
}

type Names = Map<string, Stored>;

export function createObjectTable(
  shared: ReadonlyMap<string, Names> = new Map(),
  lists: ReadonlyMap<string | undefined, readonly KubernetesObject[]> = new Map(),
): ObjectTable {
  let namespaces: Map<string, Names> = new Map(shared);
  // Namespaces whose map another table may hold too: copied before the first write.
  let borrowed = new Set(namespaces.keys());
  const sorted = new Map(lists);

  const own = (namespace: string): Names => {
    const names = namespaces.get(namespace);
    if (names && !borrowed.has(namespace)) return names;
    const mine: Names = new Map(names);
    namespaces.set(namespace, mine);
    borrowed.delete(namespace);
    return mine;
  };
  const changed = (namespace: string): void => {
    if (sorted.size === 0) return;
    sorted.delete(namespace);
    sorted.delete(undefined);
  };
  const collect = (namespace: string | undefined): readonly Stored[] => {
    if (namespace !== undefined) return inOrder(namespaces.get(namespace) ?? new Map());
    return inOrder(namespaces, '/').flatMap((names) => inOrder(names));
  };

  return {
    get: (namespace, name) => namespaces.get(namespace)?.get(name),
    list: (namespace) => {
      const known = sorted.get(namespace);
      if (known) return known;
      const fresh = collect(namespace).map(({ object }) => object);
      sorted.set(namespace, fresh);
      return fresh;
    },
    entries: () => collect(undefined),
    set: (namespace, name, stored) => {
      own(namespace).set(name, stored);
      changed(namespace);
    },
    remove: (namespace, name) => {
      const names = own(namespace);
      names.delete(name);
      if (names.size === 0) namespaces.delete(namespace);
      changed(namespace);
    },
    fork: () => {
      borrowed = new Set(namespaces.keys());
      return createObjectTable(namespaces, sorted);
    },
  };
}

/** A map's values in byte order of its keys, as etcd ranges over them; `end` follows a key there, and counts. */
function inOrder<T>(map: ReadonlyMap<string, T>, end = ''): readonly T[] {
  return [...map.entries()].toSorted(([a], [b]) => (a + end < b + end ? -1 : 1)).map(([, value]) => value);
}
