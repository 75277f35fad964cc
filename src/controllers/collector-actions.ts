import type { JsonObject } from '../machinery/json/json.ts';
import { metadataOf } from '../machinery/meta/object.ts';
import type { KubernetesObject, OwnerReference } from '../machinery/meta/object.ts';
import { ok } from '../machinery/meta/result.ts';
import type { Result } from '../machinery/meta/result.ts';
import type { Client } from './client.ts';
import { referencesOf } from './dependency-graph.ts';
import type { Node } from './dependency-graph.ts';
import { pathOf } from './served-resources.ts';

/** What the garbage collector asks of the server; an object that is gone is fine with all of it. */
export interface CollectorActions {
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
  /** No owner waits for this object any longer. */
  readonly unblock: (node: Node, object: KubernetesObject) => Promise<Result<unknown>>;
  readonly removeFinalizer: (node: Node, object: KubernetesObject, finalizer: string) => Promise<Result<unknown>>;
}

const strategic = 'application/strategic-merge-patch+json';
const merge = 'application/merge-patch+json';

/** Follows pkg/controller/garbagecollector/operations.go and patch.go. */
export function collectorActions(client: Client): CollectorActions {
  const send = async (
    method: 'DELETE' | 'PATCH',
    { resource, namespace, name }: Node,
    body: JsonObject,
    contentType?: string,
  ): Promise<Result<unknown>> => {
    const path = pathOf(resource, namespace, name);
    const result = await client({ method, path, body, ...(contentType === undefined ? {} : { contentType }) });
    return !result.ok && result.status.code === 404 ? ok(undefined) : result;
  };
  /** Custom resources know no strategic patch: all references are written then. */
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
      const kept = referencesOf(object).filter(({ uid }) => !owners.includes(uid));
      return setReferences(node, object, removed, kept);
    },
    unblock: (node, object) => {
      const owners = referencesOf(object);
      const unblocked = owners.map(({ uid }) => ({ uid, blockOwnerDeletion: false }));
      const all = owners.map((owner) => ({ ...owner, blockOwnerDeletion: false }));
      return setReferences(node, object, unblocked, all);
    },
    removeFinalizer: (node, object, finalizer) => {
      const { resourceVersion = '', finalizers = [] } = metadataOf(object);
      const kept = finalizers.filter((one) => one !== finalizer);
      return send('PATCH', node, { metadata: { resourceVersion, finalizers: kept } }, merge);
    },
  };
}
