import { isDeleted } from './workloads/fields.ts';
import { append } from '../machinery/json/json.ts';
import { type KubernetesObject, metadataOf, type OwnerReference } from '../machinery/meta/object.ts';
import type { CacheChange } from '../apiserver/storage/cluster-cache.ts';
import type { ServedResource } from './served-resources.ts';

export interface Node {
  readonly resource: ServedResource;
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
}

/** Owner references between objects. Contains only objects with owners, and objects that wait for their dependents. */
export interface DependencyGraph {
  /** Applies a change; returns the nodes to sync. */
  readonly processChange: (resource: ServedResource, change: CacheChange) => readonly Node[];
  readonly dependentsOf: (uid: string) => readonly Node[];
}

/** Follows pkg/controller/garbagecollector/graph_builder.go processGraphChanges. */
export function createDependencyGraph(): DependencyGraph {
  /** By the uid of the owner, then by the uid of the dependent. */
  const dependents = new Map<string, Map<string, Node>>();
  const waitingOwners = new Map<string, Node>();
  const dependentsOf = (uid: string): readonly Node[] => [...(dependents.get(uid)?.values() ?? [])];

  const link = (node: Node, owners: ReadonlySet<string>): void => {
    for (const owner of owners) {
      const known = dependents.get(owner) ?? new Map<string, Node>();
      dependents.set(owner, known.set(node.uid, node));
    }
  };
  const unlink = (node: Node, owners: ReadonlySet<string>): void => {
    for (const owner of owners) {
      const known = dependents.get(owner);
      known?.delete(node.uid);
      if (known?.size === 0) dependents.delete(owner);
    }
  };
  const waitingAmong = (owners: Iterable<string>): readonly Node[] =>
    [...owners].map((owner) => waitingOwners.get(owner)).filter((node) => node !== undefined);

  const processRemoval = (node: Node, object: KubernetesObject): readonly Node[] => {
    const owners = ownerUids(object);
    unlink(node, owners);
    waitingOwners.delete(node.uid);
    return [...dependentsOf(node.uid), ...waitingAmong(owners)];
  };
  const processWrite = (node: Node, object: KubernetesObject, previous?: KubernetesObject): readonly Node[] => {
    const owners = ownerUids(object);
    const before = previous ? ownerUids(previous) : noOwners;
    if (owners.size + before.size > 0) {
      unlink(node, before);
      link(node, owners);
    }
    const due: Node[] = owners.size > 0 || waitsForCollector(object) ? [node] : [];
    if (isDeletingDependents(object) && !waitingOwners.has(node.uid)) {
      waitingOwners.set(node.uid, node);
      append(due, dependentsOf(node.uid));
    }
    return before.size === 0 ? due : [...due, ...waitingAmong(before)];
  };
  return {
    dependentsOf,
    processChange: (resource, change) => {
      const node = toNode(resource, change.object);
      if (change.type === 'removed') return processRemoval(node, change.object);
      return processWrite(node, change.object, change.type === 'updated' ? change.previous : undefined);
    },
  };
}

function toNode(resource: ServedResource, object: KubernetesObject): Node {
  const { namespace = '', name = '', uid = '' } = metadataOf(object);
  return { resource, namespace, name, uid };
}

export const ownerReferencesOf = (object: KubernetesObject): readonly OwnerReference[] =>
  metadataOf(object).ownerReferences ?? [];

const noOwners: ReadonlySet<string> = new Set();

function ownerUids(object: KubernetesObject): ReadonlySet<string> {
  const references = ownerReferencesOf(object);
  return references.length === 0 ? noOwners : new Set(references.map(({ uid }) => uid));
}

export const hasFinalizer = (object: KubernetesObject, finalizer: string): boolean =>
  metadataOf(object).finalizers?.includes(finalizer) === true;

/** It stays until its blocking dependents are removed. */
export const isDeletingDependents = (object: KubernetesObject): boolean =>
  isDeleted(object) && hasFinalizer(object, 'foregroundDeletion');

const waitsForCollector = (object: KubernetesObject): boolean =>
  isDeletingDependents(object) || (isDeleted(object) && hasFinalizer(object, 'orphan'));
