import { intOf, nameOf, replicasOf } from '../fields.ts';
import type { Pod } from '../../../api/types/generated/core-v1.ts';
import type { StatefulSet } from '../../../api/types/generated/apps-v1.ts';

/** The set and the number that the name of a Pod says; undefined when it says none. Follows getParentNameAndOrdinal. */
export function parentAndOrdinal(pod: Pod): { readonly parent: string; readonly ordinal: number } | undefined {
  const [, parent = '', digits = ''] = /^(.*)-(\d+)$/s.exec(nameOf(pod)) ?? [];
  const ordinal = Number(digits);
  return digits === '' || ordinal > 0x7fffffff ? undefined : { parent, ordinal };
}

export const ordinalOf = (pod: Pod): number => parentAndOrdinal(pod)?.ordinal ?? -1;

export const startOrdinal = (set: StatefulSet): number => intOf(set.spec?.ordinals?.start);

export const isInRange = (set: StatefulSet, ordinal: number): boolean =>
  ordinal >= startOrdinal(set) && ordinal < startOrdinal(set) + replicasOf(set);

export const podName = (set: StatefulSet, ordinal: number): string => `${nameOf(set)}-${ordinal}`;

/** May Pods come and go at the same time, in any order? */
export const isParallel = (set: StatefulSet): boolean => set.spec?.podManagementPolicy === 'Parallel';
