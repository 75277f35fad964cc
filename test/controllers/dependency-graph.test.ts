import { expect, test } from 'vitest';
import type { JsonObject } from '../../src/machinery/json/json.ts';
import type { KubernetesObject } from '../../src/machinery/meta/object.ts';
import { createDependencyGraph } from '../../src/controllers/dependency-graph.ts';

const storage = { group: '', version: 'v1', resource: 'configmaps', kind: 'ConfigMap' };
const kind = { group: '', version: 'v1', kind: 'ConfigMap' };
const maps = { ...storage, subresource: '', namespaced: true, verbs: [], kind, storage };

const map = (name: string, metadata: JsonObject): KubernetesObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: 'default', uid: `uid-of-${name}`, ...metadata },
});
const ownedBy = (...owners: readonly string[]): KubernetesObject =>
  map('dependent', {
    ownerReferences: owners.map((name) => ({ apiVersion: 'v1', kind: 'ConfigMap', name, uid: `uid-of-${name}` })),
  });
const waiting = (name: string): KubernetesObject =>
  map(name, { deletionTimestamp: '2026-01-01T00:00:00Z', finalizers: ['foregroundDeletion'] });

// Source: kubernetes pkg/controller/garbagecollector/graph_builder.go addUnblockedOwnersToDeleteQueue.
test.each([
  { before: [], due: ['dependent'] },
  { before: ['one'], due: ['dependent', 'one'] },
  { before: ['one', 'two'], due: ['dependent', 'one', 'two'] },
  { before: ['one', 'idle'], due: ['dependent', 'one'] },
])('owners that wait for a dependent of $before are looked at when it changes', ({ before, due }) => {
  const graph = createDependencyGraph();
  for (const name of ['one', 'two']) graph.processChange(maps, { type: 'created', object: waiting(name), revision: 1 });
  const previous = ownedBy(...before);
  graph.processChange(maps, { type: 'created', object: previous, revision: 2 });
  const found = graph.processChange(maps, { type: 'updated', previous, object: ownedBy('another'), revision: 3 });
  expect(found.map(({ name }) => name)).toEqual(due);
});
