import type { KubernetesObject } from '../../../machinery/meta/object.ts';

const readAgain = new WeakSet<KubernetesObject>();

/** An object that upstream has decoded on the way, and with it the times that this request stamped: whole seconds are left. */
export function withTimesRead(object: KubernetesObject): KubernetesObject {
  readAgain.add(object);
  return object;
}

export const hasTimesRead = (object: KubernetesObject): boolean => readAgain.has(object);
