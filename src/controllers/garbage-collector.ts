import { isDeleted } from './workloads/fields.ts';
import type { CacheChange } from '../apiserver/storage/cluster-cache.ts';
import type { JsonObject } from '../machinery/json/json.ts';
import { parseApiVersion } from '../machinery/meta/gvk.ts';
import { type KubernetesObject, metadataOf, type OwnerReference } from '../machinery/meta/object.ts';
import { ok, type Result } from '../machinery/meta/result.ts';
import { ignoreNotFound } from './write-object.ts';
import { type ApiClient, controllerUser } from './client.ts';
import { type Controller, type ControllerContext, followResources } from './controller.ts';
import {
  createDependencyGraph,
  type DependencyGraph,
  hasFinalizer,
  isDeletingDependents,
  type Node,
  ownerReferencesOf,
} from './dependency-graph.ts';
import { resourcePath } from './served-resources.ts';
import { createWorkQueue, combineProgress } from './work-queue.ts';
import { createEventRecorder, type EventRecorder } from './workloads/event-recorder.ts';

/**
 * Deletes objects without owners, and completes foreground and orphan deletions. Ignores Events. Follows
 * pkg/controller/garbagecollector/garbagecollector.go.
 */
export const garbageCollector: Controller = (context) => {
  const { store } = context;
  const graph = createDependencyGraph();
  const client = context.clientFor(controllerUser('generic-garbage-collector'));
  const act = createCollectorActions(client);
  const live = ({ resource, namespace, name, uid }: Node): KubernetesObject | undefined => {
    const object = store.get(resource.storage, namespace, name);
    return object && metadataOf(object).uid === uid ? object : undefined;
  };
  const collector: Collector = { graph, act, live, ownerOf: createOwnerLookup(context) };
  const sync = async (node: Node): Promise<Result<unknown>> => {
    const object = live(node);
    if (!object) return ok(undefined);
    if (isDeleted(object)) return processDeletingOwner(collector, node, object);
    return ownerReferencesOf(object).length === 0 ? ok(undefined) : attemptToDelete(collector, node, object);
  };
  const queue = createWorkQueue(({ uid }) => uid, sync, context);
  const recorder = createEventRecorder('garbage-collector-controller', client, context);
  followResources(context, ['delete', 'list', 'watch'], (resource, change) => {
    if (resource.storage.resource === 'events') return;
    graph.processChange(resource, change).forEach(queue.add);
    if (!resource.namespaced) warnOfInvalidNamespaces(change, { served: context.served, recorder });
  });
  return combineProgress([queue.progress, recorder.progress]);
};

/** Reports cluster-scoped objects with namespaced owners. Follows reportInvalidNamespaceOwnerRef. */
function warnOfInvalidNamespaces(
  change: CacheChange,
  { served, recorder }: Pick<ControllerContext, 'served'> & { readonly recorder: EventRecorder },
): void {
  const { object } = change;
  const known = new Set(change.type === 'updated' ? ownerReferencesOf(change.previous).map(({ uid }) => uid) : []);
  if (change.type === 'removed') return;
  for (const { apiVersion, kind, name, uid } of ownerReferencesOf(object)) {
    if (known.has(uid) || served.forKind({ ...parseApiVersion(apiVersion), kind })?.namespaced !== true) continue;
    const about = withoutResourceVersion(object);
    const message = `ownerRef [${apiVersion}/${kind}, namespace: , name: ${name}, uid: ${uid}] does not exist in namespace ""`;
    recorder.event(about, 'Warning', 'OwnerRefInvalidNamespace', message);
  }
}

/** Such an Event has no resourceVersion. */
const withoutResourceVersion = ({ kind, apiVersion, metadata }: KubernetesObject): KubernetesObject => {
  const { name = '', uid = '' } = metadata ?? {};
  return { kind, apiVersion, metadata: { name, uid } };
};

interface Collector {
  readonly graph: DependencyGraph;
  readonly act: CollectorActions;
  readonly live: (node: Node) => KubernetesObject | undefined;
  readonly ownerOf: (node: Node, reference: OwnerReference) => Owner;
}

type Owner =
  | { readonly outcome: 'solid' }
  | { readonly outcome: 'dangling' }
  /** It is being deleted in the foreground. */
  | { readonly outcome: 'waiting' }
  /** Its kind is not served, or it cannot own this object. */
  | { readonly outcome: 'unknown' };

const createOwnerLookup =
  ({ store, served }: ControllerContext): Collector['ownerOf'] =>
  ({ namespace }, { apiVersion, kind, name, uid }) => {
    const resource = served.forKind({ ...parseApiVersion(apiVersion), kind });
    if (!resource || (resource.namespaced && namespace === '')) return { outcome: 'unknown' };
    const owner = store.get(resource.storage, resource.namespaced ? namespace : '', name);
    if (!owner || metadataOf(owner).uid !== uid) return { outcome: 'dangling' };
    return { outcome: isDeletingDependents(owner) ? 'waiting' : 'solid' };
  };

/** Completes a deletion with a propagation policy. */
async function processDeletingOwner(
  collector: Collector,
  node: Node,
  object: KubernetesObject,
): Promise<Result<unknown>> {
  if (hasFinalizer(object, 'orphan')) return orphanDependents(collector, node, object);
  if (!hasFinalizer(object, 'foregroundDeletion')) return ok(undefined);
  const isBlocked = collector.graph.dependentsOf(node.uid).some((dependent) => {
    const live = collector.live(dependent);
    return (
      live && ownerReferencesOf(live).some(({ uid, blockOwnerDeletion }) => uid === node.uid && blockOwnerDeletion)
    );
  });
  // The removal of each dependent triggers another sync.
  return isBlocked ? ok(undefined) : collector.act.removeFinalizer(node, object, 'foregroundDeletion');
}

async function orphanDependents(
  { graph, act, live }: Collector,
  owner: Node,
  object: KubernetesObject,
): Promise<Result<unknown>> {
  for (const dependent of graph.dependentsOf(owner.uid)) {
    const held = live(dependent);
    const freed = held ? await act.removeReferences(dependent, held, [owner.uid]) : ok(undefined);
    if (!freed.ok) return freed;
  }
  return act.removeFinalizer(owner, object, 'orphan');
}

/** Follows attemptToDeleteItem. */
async function attemptToDelete(
  { graph, act, live, ownerOf }: Collector,
  node: Node,
  object: KubernetesObject,
): Promise<Result<unknown>> {
  const owners = ownerReferencesOf(object).map((reference) => ({ ...reference, ...ownerOf(node, reference) }));
  const hasOutcome = (outcome: Owner['outcome']): boolean => owners.some((owner) => owner.outcome === outcome);
  if (hasOutcome('unknown')) return ok(undefined);
  if (hasOutcome('solid')) {
    const absentOwners = owners.filter(({ outcome }) => outcome !== 'solid');
    return absentOwners.length === 0
      ? ok(undefined)
      : act.removeReferences(
          node,
          object,
          absentOwners.map(({ uid }) => uid),
        );
  }
  const dependents = graph
    .dependentsOf(node.uid)
    .map(live)
    .filter((dependent) => dependent !== undefined);
  if (!hasOutcome('waiting') || dependents.length === 0) return act.delete(node, object, propagationPolicyOf(object));
  if (dependents.some(isDeletingDependents)) {
    // They may wait for each other.
    const unblocked = await act.unblock(node, object);
    if (!unblocked.ok) return unblocked;
  }
  return act.delete(node, live(node) ?? object, 'Foreground');
}

/** Respects an existing finalizer. */
function propagationPolicyOf(object: KubernetesObject): 'Orphan' | 'Foreground' | 'Background' {
  if (hasFinalizer(object, 'orphan')) return 'Orphan';
  return hasFinalizer(object, 'foregroundDeletion') ? 'Foreground' : 'Background';
}

/** The requests of the garbage collector; 404 counts as success. */
interface CollectorActions {
  readonly delete: (
    node: Node,
    object: KubernetesObject,
    propagationPolicy: 'Orphan' | 'Foreground' | 'Background',
  ) => Promise<Result<unknown>>;
  readonly removeReferences: (
    node: Node,
    object: KubernetesObject,
    owners: readonly string[],
  ) => Promise<Result<unknown>>;
  /** Removes blockOwnerDeletion. */
  readonly unblock: (node: Node, object: KubernetesObject) => Promise<Result<unknown>>;
  readonly removeFinalizer: (node: Node, object: KubernetesObject, finalizer: string) => Promise<Result<unknown>>;
}

const strategic = 'application/strategic-merge-patch+json';
const merge = 'application/merge-patch+json';

/** Follows pkg/controller/garbagecollector/operations.go and patch.go. */
function createCollectorActions(client: ApiClient): CollectorActions {
  const send = async (
    method: 'DELETE' | 'PATCH',
    { resource, namespace, name }: Node,
    body: JsonObject,
    contentType?: string,
  ): Promise<Result<unknown>> => {
    const path = resourcePath(resource, namespace, name);
    return ignoreNotFound(await client({ method, path, body, ...(contentType === undefined ? {} : { contentType }) }));
  };
  /** Custom resources do not support strategic patches: all references are written then. */
  const setReferences = async (
    node: Node,
    object: KubernetesObject,
    changed: readonly JsonObject[],
    all: readonly OwnerReference[],
  ): Promise<Result<unknown>> => {
    const tried = await send('PATCH', node, { metadata: { ownerReferences: changed, uid: node.uid } }, strategic);
    if (tried.ok || tried.status.code !== 415) return tried;
    const { resourceVersion = '' } = metadataOf(object);
    const ownerReferences = all.length > 0 ? all.map((owner) => ({ ...owner })) : null;
    return send('PATCH', node, { metadata: { resourceVersion, ownerReferences } }, merge);
  };
  return {
    delete: (node, object, propagationPolicy) => {
      const { resourceVersion = '' } = metadataOf(object);
      const preconditions = { uid: node.uid, resourceVersion };
      return send('DELETE', node, { kind: 'DeleteOptions', apiVersion: 'v1', preconditions, propagationPolicy });
    },
    removeReferences: (node, object, owners) => {
      const removed = owners.map((uid) => ({ $patch: 'delete', uid }));
      const remaining = ownerReferencesOf(object).filter(({ uid }) => !owners.includes(uid));
      return setReferences(node, object, removed, remaining);
    },
    unblock: (node, object) => {
      const owners = ownerReferencesOf(object);
      const unblocked = owners.map(({ uid }) => ({ uid, blockOwnerDeletion: false }));
      const all = owners.map((owner) => ({ ...owner, blockOwnerDeletion: false }));
      return setReferences(node, object, unblocked, all);
    },
    removeFinalizer: (node, object, finalizer) => {
      const { resourceVersion = '', finalizers = [] } = metadataOf(object);
      const remaining = finalizers.filter((one) => one !== finalizer);
      return send('PATCH', node, { metadata: { resourceVersion, finalizers: remaining } }, merge);
    },
  };
}
