import { asString, valueAt } from '../../machinery/json/json.ts';
import type { KubernetesObject } from '../../machinery/meta/object.ts';
import { notFound } from '../../machinery/meta/status.ts';
import type { Status } from '../../machinery/meta/status.ts';
import type { Rooms } from './rooms.ts';

/**
 * Where a Pod's node is gone its kubelet cannot be asked; the words are those of a Pod of the node's name.
 * Follows kubernetes pkg/kubelet/client/kubelet_client.go GetConnectionInfo, in the words of a real kube-apiserver 1.36.2.
 */
export async function missingNode({ storage }: Rooms, pod: KubernetesObject): Promise<Status | undefined> {
  const name = asString(valueAt(pod, 'spec', 'nodeName'));
  const node = await storage.read({ resource: { group: '', resource: 'nodes' }, namespace: '', name });
  return node ? undefined : notFound({ group: '', resource: 'pods' }, name);
}
