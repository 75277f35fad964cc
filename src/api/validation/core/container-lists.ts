import type { PodSpec } from '../../types/generated/core-v1.ts';

/** In upstream's order. */
export const containerLists = [
  'initContainers',
  'containers',
  'ephemeralContainers',
] as const satisfies readonly (keyof PodSpec)[];
