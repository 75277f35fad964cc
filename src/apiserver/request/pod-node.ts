import { asString, valueAt } from '../../machinery/json/json.ts';
import type { KubernetesObject } from '../../machinery/meta/object.ts';
import { notFound } from '../../machinery/meta/status.ts';
import type { Status } from '../../machinery/meta/status.ts';
import type { Rooms } from './rooms.ts';

/**
 * The error names a Pod with the node's name. Follows kubernetes pkg/kubelet/client/kubelet_client.go
 * GetConnectionInfo, and a real kube-apiserver 1.36.2.
 */
export async function missingNode({ storage }: Rooms, pod: KubernetesObject): Promise<Status | undefined> {
  const name = asString(valueAt(pod, 'spec', 'nodeName'));
  const node = await storage.read({ resource: { group: '', resource: 'nodes' }, namespace: '', name });
  return node ? undefined : notFound({ group: '', resource: 'pods' }, name);
}
