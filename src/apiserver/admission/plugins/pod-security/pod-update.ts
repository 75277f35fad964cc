import { asList, asObject, asString } from '../../../../machinery/json/json.ts';
import { metadataOf } from '../../../../machinery/meta/object.ts';
import type { KubernetesObject } from '../../../../machinery/meta/object.ts';
import { containerSeccomp, podSeccomp } from './seccomp.ts';
import type { Container, EphemeralContainer, Pod } from '../../../../api/types/generated/core-v1.ts';

/**
 * Does the update touch what the Pod Security Standards look at: the containers, their images, seccomp annotations?
 * Follows pod-security-admission admission/admission.go isSignificantPodUpdate.
 */
export function isSignificantUpdate(pod: Pod, old: KubernetesObject): boolean {
  if (annotation(pod, podSeccomp) !== annotation(old, podSeccomp)) return true;
  const isOtherContainer = (['containers', 'initContainers'] as const).some((field) => {
    const before = containersIn(old, field);
    const now = containersIn(pod, field);
    return before.length !== now.length || now.some((container, index) => differs(container, before[index]));
  });
  if (isOtherContainer) return true;
  const before = new Map(containersIn(old, 'ephemeralContainers').map((container) => [container.name, container]));
  return containersIn(pod, 'ephemeralContainers').some((container) => differs(container, before.get(container.name)));

  function differs(container: AnyContainer, before: AnyContainer = {}): boolean {
    const key = `${containerSeccomp}${asString(container.name)}`;
    return container.image !== before.image || annotation(pod, key) !== annotation(old, key);
  }
}

const annotation = (pod: Pod, key: string): string | undefined => metadataOf(pod).annotations?.[key];

type AnyContainer = Container | EphemeralContainer;

const containersIn = (
  pod: Pod,
  field: 'containers' | 'initContainers' | 'ephemeralContainers',
): readonly AnyContainer[] => asList(asObject(pod.spec)[field]);
