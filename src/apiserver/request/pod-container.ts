import { asList, asObject, asString, valueAt } from '../../machinery/json/json.ts';
import { type KubernetesObject, metadataOf } from '../../machinery/meta/object.ts';
import { notFound, type Status } from '../../machinery/meta/status.ts';
import type { HandlerDeps } from './handler-deps.ts';

/** '' is the only container. Follows kubernetes pkg/registry/core/pod/strategy.go validateContainer. */
export function containerProblem(pod: KubernetesObject, container: string): string | undefined {
  const spec = asObject(pod['spec']);
  const containers = asList(spec['containers']);
  const all = [...asList(spec['initContainers']), ...containers, ...asList(spec['ephemeralContainers'])];
  const names = all.map((one) => asString(asObject(one)['name']));
  const name = metadataOf(pod).name ?? '';
  if (container !== '') {
    return names.includes(container) ? undefined : `container ${container} is not valid for pod ${name}`;
  }
  return containers.length === 1
    ? undefined
    : `a container name must be specified for pod ${name}, choose one of: [${names.join(' ')}]`;
}

/**
 * The error names a Pod with the node's name. Follows kubernetes pkg/kubelet/client/kubelet_client.go
 * GetConnectionInfo, and a real kube-apiserver v1.36.2.
 */
export async function missingNode({ storage }: HandlerDeps, pod: KubernetesObject): Promise<Status | undefined> {
  const name = asString(valueAt(pod, 'spec', 'nodeName'));
  const node = await storage.read({ resource: { group: '', resource: 'nodes' }, namespace: '', name });
  return node ? undefined : notFound({ group: '', resource: 'pods' }, name);
}
