import { asObject, isJsonObject } from '../../apimachinery/json.ts';
import type { JsonObject } from '../../apimachinery/json.ts';
import { podTotals } from '../validate/pod-totals.ts';
import { hasEntries, withMissing } from './map-entries.ts';
import { structDefaults } from './struct-defaults.ts';
import type { Defaulter } from './struct-defaults.ts';

/**
 * The resources of a whole pod: huge page limits are those of its containers; with limits said, absent requests are
 * what the containers request (cpu and memory), else the limits.
 * Follows kubernetes pkg/apis/core/v1/defaults.go defaultHugePagePodLimits and defaultPodRequests.
 */
export const podLevelResources: Defaulter = (spec) =>
  isJsonObject(spec['resources']) ? defaultedResources(spec) : spec;

const defaultedResources: Defaulter = structDefaults({
  resources: (value, spec) => defaultRequests(defaultHugePages(asObject(value), spec), spec),
});

function defaultHugePages(resources: JsonObject, spec: JsonObject): JsonObject {
  const { limits, requests } = resources;
  if (!hasEntries(limits) && !hasEntries(requests)) return resources;
  const pages = chosen(
    podTotals(spec, 'limits'),
    (name) => isHugePages(name) && !Object.hasOwn(asObject(requests), name),
  );
  return withLists(resources, { limits: withMissing(asObject(limits), pages) });
}

function defaultRequests(resources: JsonObject, spec: JsonObject): JsonObject {
  const { limits, requests } = resources;
  if (!hasEntries(limits)) return resources;
  const fromContainers = chosen(podTotals(spec, 'requests'), (name) => name === 'cpu' || name === 'memory');
  const fromLimits = chosen(limits, (name) => name === 'cpu' || name === 'memory' || isHugePages(name));
  return withLists(resources, {
    requests: withMissing(withMissing(asObject(requests), fromContainers), fromLimits),
  });
}

const isHugePages = (name: string): boolean => name.startsWith('hugepages-');

const chosen = (list: JsonObject, wanted: (name: string) => boolean): JsonObject =>
  Object.fromEntries(Object.entries(list).filter(([name]) => wanted(name)));

/** The resources with other lists; an empty one is not printed. */
function withLists(resources: JsonObject, lists: JsonObject): JsonObject {
  const changed = Object.entries(lists).filter(([field, list]) => hasEntries(list) && list !== resources[field]);
  if (changed.length === 0) return resources;
  return { ...resources, ...Object.fromEntries(changed) };
}
