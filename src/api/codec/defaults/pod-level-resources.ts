import { asObject, isJsonObject } from '../../../machinery/json/json.ts';
import type { JsonObject } from '../../../machinery/json/json.ts';
import { podTotals } from './pod-totals.ts';
import { hasEntries, withMissing } from '../../../machinery/json/map-entries.ts';
import { structDefaults } from './struct-defaults.ts';
import type { ResourceList } from './resource-list.ts';
import type { Defaulter } from './struct-defaults.ts';
import type { PodSpec, ResourceRequirements } from '../../types/generated/core-v1.ts';

/**
 * The resources of a whole pod: huge page limits are those of its containers; with limits said, absent requests are
 * what the containers request (cpu and memory), else the limits.
 * Follows kubernetes pkg/apis/core/v1/defaults.go defaultHugePagePodLimits and defaultPodRequests.
 */
export const podLevelResources: Defaulter<PodSpec> = (spec) =>
  isJsonObject(spec.resources) ? defaultedResources(spec) : spec;

const defaultedResources = structDefaults<PodSpec>({
  resources: (value, spec) => defaultRequests(defaultHugePages(asObject(value), spec), spec),
});

function defaultHugePages(resources: ResourceRequirements, spec: PodSpec): ResourceRequirements {
  const { limits, requests } = resources;
  if (!hasEntries(limits) && !hasEntries(requests)) return resources;
  const pages = chosen(
    podTotals(spec, 'limits'),
    (name) => isHugePages(name) && !Object.hasOwn(asObject(requests), name),
  );
  return withLists(resources, { limits: withMissing(limits ?? {}, pages) });
}

function defaultRequests(resources: ResourceRequirements, spec: PodSpec): ResourceRequirements {
  const { limits, requests } = resources;
  if (!hasEntries(limits)) return resources;
  const fromContainers = chosen(podTotals(spec, 'requests'), (name) => name === 'cpu' || name === 'memory');
  const fromLimits = chosen(limits, (name) => name === 'cpu' || name === 'memory' || isHugePages(name));
  return withLists(resources, {
    requests: withMissing(withMissing(requests ?? {}, fromContainers), fromLimits),
  });
}

const isHugePages = (name: string): boolean => name.startsWith('hugepages-');

const chosen = (list: ResourceList, wanted: (name: string) => boolean): ResourceList =>
  Object.fromEntries(Object.entries(list).filter(([name]) => wanted(name)));

/** The resources with other lists; an empty one is not printed. */
function withLists(resources: ResourceRequirements, lists: ResourceRequirements): ResourceRequirements {
  const before: JsonObject = resources;
  const changed = Object.entries(lists).filter(([field, list]) => hasEntries(list) && list !== before[field]);
  if (changed.length === 0) return resources;
  return { ...resources, ...Object.fromEntries(changed) };
}
