import type { GroupResource } from './gvk.ts';
import type { KubernetesObject } from './object.ts';

/**
 * The stored objects as upstream's informers show them: read at once, without I/O, in the storage version. What is read of
 * an object may be kept as long as the object (a WeakMap), since nobody changes one in place; whether two reads show the
 * same is said by the resourceVersion alone.
 */
export interface ClusterView {
  /** `namespace` is '' for a cluster-scoped resource. */
  readonly get: (resource: GroupResource, namespace: string, name: string) => KubernetesObject | undefined;
  /** In order of namespace and name; without a namespace, those of all namespaces. */
  readonly list: (resource: GroupResource, namespace?: string) => readonly KubernetesObject[];
}
