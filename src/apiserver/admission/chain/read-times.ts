import type { KubernetesObject } from '../../../machinery/meta/object.ts';

/** A mark, which no field of the object may carry. */
const readAgain = new WeakSet<KubernetesObject>();

/** Upstream decodes the object here, which cuts the times of this request to whole seconds. */
export function truncateManagedFieldsTimes(object: KubernetesObject): KubernetesObject {
  readAgain.add(object);
  return object;
}

export const hasTimesRead = (object: KubernetesObject): boolean => readAgain.has(object);
