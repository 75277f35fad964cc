import { asObject } from '../../machinery/json/json.ts';
import { podTotals } from '../../api/codec/defaults/pod-totals.ts';
import type { PodSpec } from '../../api/types/generated/core-v1.ts';
import { addUsage, readUsage } from './usage.ts';
import type { Usage } from './usage.ts';

export interface PodResources {
  readonly requests: Usage;
  readonly limits: Usage;
}

/** What a Pod asks for: its containers, or the Pod as a whole where it says so, and the overhead of its runtime class. */
export function podResources(spec: PodSpec): PodResources {
  const whole = asObject(spec.resources);
  const totals = (field: 'requests' | 'limits'): Usage => {
    const said = Object.entries(asObject(whole[field])).filter(([name]) => isPodLevel(name));
    return readUsage({ ...podTotals(spec, field), ...Object.fromEntries(said) });
  };
  const overhead = readUsage(asObject(spec.overhead));
  const limits = totals('limits');
  const overLimits = new Map([...overhead].filter(([name]) => limits.has(name)));
  return { requests: addUsage(totals('requests'), overhead), limits: addUsage(limits, overLimits) };
}

/** Does the Pod as a whole say what it needs? Follows component-helpers resource/helpers.go IsPodLevelResourcesSet. */
export function hasResourcesOfItsOwn({ resources }: PodSpec): boolean {
  const { requests, limits } = asObject(resources);
  return [requests, limits].some((list) => Object.keys(asObject(list)).some(isPodLevel));
}

const isPodLevel = (name: string): boolean => name === 'cpu' || name === 'memory' || name.startsWith('hugepages-');
