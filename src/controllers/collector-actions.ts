import type { JsonObject } from '../apimachinery/json.ts';
import { metadataOf } from '../apimachinery/object.ts';
import type { KubernetesObject } from '../apimachinery/object.ts';
import { ok } from '../apimachinery/result.ts';
import type { Result } from '../apimachinery/result.ts';
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
  readonly removeReferences: (node: Node, owners: readonly string[]) => Promise<Result<unknown>>;
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
  return {
    delete: (node, object, propagationPolicy) => {
      const { resourceVersion = '' } = metadataOf(object);
      const preconditions = { uid: node.uid, resourceVersion };
      return send('DELETE', node, { kind: 'DeleteOptions', apiVersion: 'v1', preconditions, propagationPolicy });
    },
    removeReferences: (node, owners) => {
      const ownerReferences = owners.map((uid) => ({ $patch: 'delete', uid }));
      return send('PATCH', node, { metadata: { ownerReferences, uid: node.uid } }, strategic);
    },
    unblock: (node, object) => {
      const ownerReferences = referencesOf(object).map(({ uid }) => ({ uid, blockOwnerDeletion: false }));
      return send('PATCH', node, { metadata: { ownerReferences, uid: node.uid } }, strategic);
    },
    removeFinalizer: (node, object, finalizer) => {
      const { resourceVersion = '', finalizers = [] } = metadataOf(object);
      const kept = finalizers.filter((one) => one !== finalizer);
      return send('PATCH', node, { metadata: { resourceVersion, finalizers: kept } }, merge);
    },
  };
}
