import { compareTexts } from '../../machinery/go/compare-texts.ts';
import type { KubernetesObject } from '../../machinery/meta/object.ts';
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
type Lists = Map<string | undefined, readonly KubernetesObject[]>;

export function createObjectTable(shared: Map<string, Names> = new Map(), lists: Lists = new Map()): ObjectTable {
  // Forks hold the same maps, and find the lists that one of them made, until one writes.
  let namespaces = shared;
  let sorted = lists;
  /** Those whose maps no other table holds; undefined as long as nothing was written. */
  let own: Set<string> | undefined;

  const toWrite = (namespace: string): Names => {
    if (!own) {
      namespaces = new Map(namespaces);
      sorted = new Map(sorted);
      own = new Set();
    }
    sorted.delete(namespace);
    sorted.delete(undefined);
    const names = namespaces.get(namespace);
    if (names && own.has(namespace)) return names;
    const copy: Names = new Map(names);
    namespaces.set(namespace, copy);
    own.add(namespace);
    return copy;
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
    set: (namespace, name, stored) => void toWrite(namespace).set(name, stored),
    remove: (namespace, name) => {
      const names = toWrite(namespace);
      names.delete(name);
      if (names.size === 0) namespaces.delete(namespace);
    },
    fork: () => {
      own = undefined;
      return createObjectTable(namespaces, sorted);
    },
  };
}

/** A map's values in byte order of its keys, as etcd ranges over them; `end` follows a key there, and counts. */
function inOrder<T>(map: ReadonlyMap<string, T>, end = ''): readonly T[] {
  return [...map.entries()].toSorted(([a], [b]) => compareTexts(a + end, b + end)).map(([, value]) => value);
}
