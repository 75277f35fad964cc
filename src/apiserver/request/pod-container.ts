import { asList, asObject, asString } from '../../machinery/json/json.ts';
import { metadataOf } from '../../machinery/meta/object.ts';
import type { KubernetesObject } from '../../machinery/meta/object.ts';

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
