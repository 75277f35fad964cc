import type { PodSpec } from '../../types/generated/core-v1.ts';

/** The fields of a pod that hold containers, in upstream's order. */
export const containerLists = [
  'initContainers',
  'containers',
  'ephemeralContainers',
] as const satisfies readonly (keyof PodSpec)[];
