import { asList, asObject, asString, isJsonObject } from '../../apimachinery/json.ts';
import type { JsonObject } from '../../apimachinery/json.ts';
import { addQuantities, compareQuantities, parseQuantity, quantityText } from '../../apimachinery/quantity.ts';
import type { Quantity } from '../../apimachinery/quantity.ts';
import { withFields } from '../with-fields.ts';
import { hasEntries, withMissing } from './sorted-map.ts';
import { structDefaults } from './struct-defaults.ts';
import type { Defaulter } from './struct-defaults.ts';

/**
 * The resources of a whole pod: huge page limits are those of its containers; with limits said, absent requests are
 * what the containers request (cpu and memory), else the limits.
 * Follows kubernetes pkg/apis/core/v1/defaults.go defaultHugePagePodLimits and defaultPodRequests.
 */
export const podLevelResources: Defaulter = (spec) =>
  isJsonObject(spec['resources']) ? defaultedResources(spec) : spec;

const defaultedResources: Defaulter = structDefaults('core.v1.PodSpec', {
  resources: (value, spec) => defaultRequests(defaultHugePages(asObject(value), spec), spec),
});

function defaultHugePages(resources: JsonObject, spec: JsonObject): JsonObject {
  const { limits, requests } = resources;
  if (!hasEntries(limits) && !hasEntries(requests)) return resources;
  const pages = chosen(totals(spec, 'limits'), (name) => isHugePages(name) && !Object.hasOwn(asObject(requests), name));
  return withLists(resources, { limits: withMissing(asObject(limits), pages) });
}

function defaultRequests(resources: JsonObject, spec: JsonObject): JsonObject {
  const { limits, requests } = resources;
  if (!hasEntries(limits)) return resources;
  const fromContainers = chosen(totals(spec, 'requests'), (name) => name === 'cpu' || name === 'memory');
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
  return withFields('core.v1.ResourceRequirements', resources, Object.fromEntries(changed));
}

type Amounts = ReadonlyMap<string, Quantity>;

/**
 * What all containers together ask for: containers and sidecars side by side, or the init container that needs most.
 * Follows component-helpers resource/helpers.go AggregateContainerRequests.
 */
function totals(spec: JsonObject, field: 'limits' | 'requests'): JsonObject {
  const amountsOf = (container: JsonObject): Amounts => amounts(asObject(asObject(container['resources'])[field]));
  let running = asList(spec['containers']).map(asObject).map(amountsOf).reduce(sum, new Map());
  let sidecars: Amounts = new Map();
  let starting: Amounts = new Map();
  for (const container of asList(spec['initContainers']).map(asObject)) {
    const own = amountsOf(container);
    const isSidecar = container['restartPolicy'] === 'Always';
    if (isSidecar) running = sum(running, own);
    const needed = sum(sidecars, own);
    if (isSidecar) sidecars = needed;
    starting = largest(starting, needed);
  }
  return Object.fromEntries([...largest(running, starting)].map(([name, amount]) => [name, quantityText(amount)]));
}

function amounts(list: JsonObject): Amounts {
  const read = Object.entries(list).map(([name, text]) => ({ name, reading: parseQuantity(asString(text)) }));
  return new Map(
    read.flatMap(({ name, reading }) => (reading.outcome === 'parsed' ? [[name, reading.quantity] as const] : [])),
  );
}

const sum = (a: Amounts, b: Amounts): Amounts => combined(a, b, addQuantities);

const largest = (a: Amounts, b: Amounts): Amounts =>
  combined(a, b, (one, other) => (compareQuantities(other, one) > 0 ? other : one));

function combined(a: Amounts, b: Amounts, combine: (one: Quantity, other: Quantity) => Quantity): Amounts {
  const result = new Map(a);
  for (const [name, amount] of b) {
    const present = a.get(name);
    result.set(name, present === undefined ? amount : combine(present, amount));
  }
  return result;
}
