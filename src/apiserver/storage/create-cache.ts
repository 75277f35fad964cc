import { compareTexts } from '../../machinery/go/strings.ts';
import { type GroupResource, groupResourceText } from '../../machinery/meta/gvk.ts';
import { type KubernetesObject, metadataOf, withMetadata } from '../../machinery/meta/object.ts';
import { type ChangeLog, createChangeLog } from './change-log.ts';
import type { CacheChange, ClusterCache } from './cluster-cache.ts';
import {
  type Follower,
  type Forkable,
  type ListOutcome,
  resourceVersionOf,
  type StorageSnapshot,
  type Storage,
  type StoredObject,
  type StoredList,
  type StoreKey,
  type WatchOutcome,
} from './storage.ts';

/** By namespace and name; forks share it until a write. */
interface ObjectTable {
  readonly get: (namespace: string, name: string) => StoredObject | undefined;
  /** Sorted by namespace and name; cached until the next write. */
  readonly list: (namespace: string | undefined) => readonly KubernetesObject[];
  readonly entries: () => readonly StoredObject[];
  readonly set: (namespace: string, name: string, stored: StoredObject) => void;
  readonly remove: (namespace: string, name: string) => void;
  readonly fork: () => ObjectTable;
}

type Names = Map<string, StoredObject>;
type Lists = Map<string | undefined, readonly KubernetesObject[]>;

function createObjectTable(shared: Map<string, Names> = new Map(), lists: Lists = new Map()): ObjectTable {
  // Forks share maps and cached lists until a write.
  let namespaces = shared;
  let sorted = lists;
  /** The maps that no fork shares; undefined before the first write. */
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
  const collect = (namespace: string | undefined): readonly StoredObject[] => {
    if (namespace !== undefined) return sortByKey(namespaces.get(namespace) ?? new Map());
    return sortByKey(namespaces, '/').flatMap((names) => sortByKey(names));
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

/** Sorted by bytes of the keys, as etcd does; `end` is appended to a key. */
function sortByKey<T>(map: ReadonlyMap<string, T>, end = ''): readonly T[] {
  return [...map.entries()].toSorted(([a], [b]) => compareTexts(a + end, b + end)).map(([, value]) => value);
}

/** A cache that its owner updates in the order of revisions. */
export interface WritableCache extends ClusterCache, Forkable<WritableCache> {
  readonly stored: (key: StoreKey) => StoredObject | undefined;
  /** Now, or at a revision. */
  readonly listed: (...query: Parameters<Storage['readAll']>) => ListOutcome;
  readonly contents: () => StorageSnapshot;
  readonly follow: (since: number, follower: Follower) => WatchOutcome;
  /** Inserts or replaces. */
  readonly put: (key: StoreKey, stored: StoredObject) => void;
  /** `revision` is that of the removal; undefined when nothing was there. */
  readonly remove: (key: StoreKey, revision: number) => StoredObject | undefined;
  /** Everything up to this revision is applied. */
  readonly reach: (revision: number) => void;
}

interface CacheState {
  readonly tables: Map<string, { readonly resource: GroupResource; readonly table: ObjectTable }>;
  readonly log: ChangeLog;
  revision: number;
}

/** Watches may start at `since`. */
export function createCache({ entries, revision }: StorageSnapshot, since = revision): WritableCache {
  const state: CacheState = { tables: new Map(), log: createChangeLog(since), revision };
  for (const { key, stored } of entries) tableOf(state, key.resource).set(key.namespace, key.name, stored);
  return wrapState(state);
}

function wrapState(state: CacheState): WritableCache {
  return {
    ...createReads(state),
    ...createWrites(state),
    watch: state.log.follow,
    watchEach: state.log.followEach,
    follow: state.log.followAll,
    fork: () =>
      wrapState({
        tables: new Map(
          [...state.tables].map(([key, { resource, table }]) => [key, { resource, table: table.fork() }]),
        ),
        log: state.log.fork(),
        revision: state.revision,
      }),
  };
}

const emptyTable = createObjectTable();

const tableIn = ({ tables }: CacheState, resource: GroupResource): ObjectTable =>
  tables.get(groupResourceText(resource))?.table ?? emptyTable;

function tableOf({ tables }: CacheState, resource: GroupResource): ObjectTable {
  const key = groupResourceText(resource);
  const known = tables.get(key);
  if (known) return known.table;
  const table = createObjectTable();
  tables.set(key, { resource, table });
  return table;
}

type Reads = Pick<WritableCache, 'revision' | 'resources' | 'get' | 'list' | 'stored' | 'listed' | 'contents'>;

function createReads(state: CacheState): Reads {
  const list: Reads['list'] = (resource, namespace) => tableIn(state, resource).list(namespace);
  return {
    revision: () => state.revision,
    resources: () => state.tables.keys(),
    get: (resource, namespace, name) => tableIn(state, resource).get(namespace, name)?.object,
    list,
    stored: (key) => tableIn(state, key.resource).get(key.namespace, key.name),
    listed: (resource, namespace, revision = state.revision) => {
      const items = list(resource, namespace);
      if (revision === state.revision) return { outcome: 'read', items, revision };
      const since = state.log.after(resource, revision);
      return since
        ? { outcome: 'read', items: revertChanges({ items, revision }, since, namespace), revision }
        : { outcome: 'expired' };
    },
    contents: () => ({
      entries: [...state.tables.values()].flatMap(({ resource, table }) =>
        table.entries().map((stored) => ({ key: storeKey(resource, stored.object), stored })),
      ),
      revision: state.revision,
    }),
  };
}

const storeKey = (resource: GroupResource, object: KubernetesObject): StoreKey => ({
  resource,
  namespace: namespaceOf(object),
  name: metadataOf(object).name ?? '',
});

/** Reverts these changes of a list. */
function revertChanges(
  { items, revision }: StoredList,
  changes: readonly CacheChange[],
  namespace: string | undefined,
): readonly KubernetesObject[] {
  const inside = changes.filter(({ object }) => namespace === undefined || namespaceOf(object) === namespace);
  if (inside.length === 0) return items;
  const past = createObjectTable();
  const put = (object: KubernetesObject): void =>
    past.set(namespaceOf(object), metadataOf(object).name ?? '', { object, revision });
  items.forEach(put);
  for (const change of inside.toReversed()) {
    if (change.type === 'created') past.remove(namespaceOf(change.object), metadataOf(change.object).name ?? '');
    else put(change.previous);
  }
  return past.list(namespace);
}

const namespaceOf = (object: KubernetesObject): string => metadataOf(object).namespace ?? '';

function createWrites(state: CacheState): Pick<WritableCache, 'put' | 'remove' | 'reach'> {
  const reach = (revision: number): void => {
    state.revision = Math.max(state.revision, revision);
  };
  return {
    reach,
    put: ({ resource, namespace, name }, stored) => {
      const table = tableOf(state, resource);
      const previous = table.get(namespace, name)?.object;
      table.set(namespace, name, stored);
      reach(stored.revision);
      state.log.append(resource, previous ? { type: 'updated', ...stored, previous } : { type: 'created', ...stored });
    },
    remove: ({ resource, namespace, name }, revision) => {
      const table = tableIn(state, resource);
      const previous = table.get(namespace, name)?.object;
      reach(revision);
      if (!previous) return undefined;
      const object = withMetadata(previous, { resourceVersion: resourceVersionOf(revision) });
      table.remove(namespace, name);
      state.log.append(resource, { type: 'removed', object, revision, previous });
      return { object, revision };
    },
  };
}
