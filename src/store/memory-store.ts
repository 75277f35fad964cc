import { groupResourceText } from '../apimachinery/gvk.ts';
import type { GroupResource } from '../apimachinery/gvk.ts';
import { metadataOf, withMetadata } from '../apimachinery/object.ts';
import type { KubernetesObject } from '../apimachinery/object.ts';
import { createChangeLog } from './change-log.ts';
import type { ChangeLog } from './change-log.ts';
import { createMemoryTable } from './memory-table.ts';
import type { MemoryTable } from './memory-table.ts';
import { resourceVersionOf } from './store.ts';
import type { Change, Store, StoreKey, Stored, WriteOutcome } from './store.ts';

interface MemoryState {
  readonly tables: Map<string, MemoryTable>;
  readonly log: ChangeLog;
  revision: number;
}

/** An empty store in memory. Its first write gets revision 2: a revision of 1 would read as "from the beginning" to watches. */
export const createMemoryStore = (): Store => storeOver({ tables: new Map(), log: createChangeLog(), revision: 1 });

function storeOver(state: MemoryState): Store {
  return {
    ...readsOf(state),
    ...writesOf(state),
    watch: (resource, since, listener) => state.log.follow(groupResourceText(resource), since, listener),
    fork: () =>
      storeOver({
        tables: new Map([...state.tables].map(([key, table]) => [key, table.fork()])),
        log: state.log.fork(),
        revision: state.revision,
      }),
  };
}

function tableOf({ tables }: MemoryState, resource: GroupResource): MemoryTable {
  const key = groupResourceText(resource);
  const known = tables.get(key);
  if (known) return known;
  const table = createMemoryTable();
  tables.set(key, table);
  return table;
}

function readsOf(state: MemoryState): Pick<Store, 'revision' | 'get' | 'list' | 'read' | 'readAll' | 'readAllAt'> {
  const list: Store['list'] = (resource, namespace) =>
    tableOf(state, resource)
      .list(namespace)
      .map(({ object }) => object);
  return {
    revision: () => state.revision,
    get: (resource, namespace, name) => tableOf(state, resource).get(namespace, name)?.object,
    list,
    read: async (key) => tableOf(state, key.resource).get(key.namespace, key.name),
    readAll: async (resource, namespace) => ({ items: list(resource, namespace), revision: state.revision }),
    readAllAt: (resource, namespace, revision) => {
      const since = state.log.after(groupResourceText(resource), revision);
      if (!since) return { outcome: 'expired' };
      return { outcome: 'read', items: undone(list(resource, namespace), since, namespace) };
    },
  };
}

/** The list as it was before these changes. */
function undone(
  items: readonly KubernetesObject[],
  changes: readonly Change[],
  namespace: string | undefined,
): readonly KubernetesObject[] {
  const inside = changes.filter(({ object }) => namespace === undefined || namespaceOf(object) === namespace);
  if (inside.length === 0) return items;
  const past = createMemoryTable();
  const put = (object: KubernetesObject): void =>
    past.set(namespaceOf(object), metadataOf(object).name ?? '', { object, revision: 0 });
  items.forEach(put);
  for (const change of inside.toReversed()) {
    if (change.type === 'created') past.remove(namespaceOf(change.object), metadataOf(change.object).name ?? '');
    else put(change.previous);
  }
  return past.list(namespace).map(({ object }) => object);
}

const namespaceOf = (object: KubernetesObject): string => metadataOf(object).namespace ?? '';

function writesOf(state: MemoryState): Pick<Store, 'create' | 'update' | 'remove'> {
  /** The object under the next revision. */
  const stamp = (object: KubernetesObject): Stored => {
    state.revision += 1;
    const { revision } = state;
    return { object: withMetadata(object, { resourceVersion: resourceVersionOf(revision) }), revision };
  };
  const publish = (key: StoreKey, change: Change): void => state.log.append(groupResourceText(key.resource), change);
  /** Runs `act` if the object is there and still at the expected revision. */
  const guarded = (
    key: StoreKey,
    expected: number,
    act: (stored: Stored, table: MemoryTable) => Stored,
  ): WriteOutcome => {
    const table = tableOf(state, key.resource);
    const stored = table.get(key.namespace, key.name);
    if (!stored) return { outcome: 'missing' };
    if (stored.revision !== expected) return { outcome: 'conflict', stored };
    return { outcome: 'stored', stored: act(stored, table) };
  };
  return {
    create: async (key, object) => {
      const table = tableOf(state, key.resource);
      const existing = table.get(key.namespace, key.name);
      if (existing) return { outcome: 'exists', stored: existing };
      const stored = stamp(object);
      table.set(key.namespace, key.name, stored);
      publish(key, { type: 'created', ...stored });
      return { outcome: 'stored', stored };
    },
    update: async (key, object, expected) =>
      guarded(key, expected, (previous, table) => {
        const stored = stamp(object);
        table.set(key.namespace, key.name, stored);
        publish(key, { type: 'updated', ...stored, previous: previous.object });
        return stored;
      }),
    remove: async (key, expected) =>
      guarded(key, expected, (previous, table) => {
        const stored = stamp(previous.object);
        table.remove(key.namespace, key.name);
        publish(key, { type: 'removed', ...stored, previous: previous.object });
        return stored;
      }),
  };
}
