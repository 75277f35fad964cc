import { valueAt } from '../../../apimachinery/json.ts';
import type { KubernetesObject } from '../../../apimachinery/object.ts';
import { intAt, nameOf, replicasOf } from '../fields.ts';

/** The set and the number that the name of a Pod says; undefined when it says none. Follows getParentNameAndOrdinal. */
export function parentAndOrdinal(
  pod: KubernetesObject,
): { readonly parent: string; readonly ordinal: number } | undefined {
  const [, parent = '', digits = ''] = /^(.*)-(\d+)$/s.exec(nameOf(pod)) ?? [];
  const ordinal = Number(digits);
  return digits === '' || ordinal > 0x7fffffff ? undefined : { parent, ordinal };
}

export const ordinalOf = (pod: KubernetesObject): number => parentAndOrdinal(pod)?.ordinal ?? -1;

export const startOrdinal = (set: KubernetesObject): number => intAt(set, 'spec', 'ordinals', 'start');

export const isInRange = (set: KubernetesObject, ordinal: number): boolean =>
  ordinal >= startOrdinal(set) && ordinal < startOrdinal(set) + replicasOf(set);

export const podName = (set: KubernetesObject, ordinal: number): string => `${nameOf(set)}-${ordinal}`;

/** May Pods come and go at the same time, in any order? */
export const isParallel = (set: KubernetesObject): boolean =>
  valueAt(set, 'spec', 'podManagementPolicy') === 'Parallel';
