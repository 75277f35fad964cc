import type { GroupResource } from './gvk.ts';
import type { KubernetesObject } from './object.ts';
import type { JsonObject } from '../json/json.ts';
import type { Result } from './result.ts';

/**
 * The stored objects as upstream's informers show them: read without I/O, in the storage version. Objects are immutable, so a
 * WeakMap may cache what is computed from one; only the resourceVersion says whether two reads are equal.
 */
export interface ClusterView {
  /** `namespace` is '' for a cluster-scoped resource. */
  readonly get: (resource: GroupResource, namespace: string, name: string) => KubernetesObject | undefined;
  /** In order of namespace and name; without a namespace, those of all namespaces. */
  readonly list: (resource: GroupResource, namespace?: string) => readonly KubernetesObject[];
}

/** Requests of the API server to itself, as system:apiserver. They pass all admission, webhooks included. */
export type LoopbackClient = (request: {
  readonly method: 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly body?: JsonObject;
}) => Promise<Result<JsonObject>>;
