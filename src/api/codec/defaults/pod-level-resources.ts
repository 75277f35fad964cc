import {
  type JsonObject,
  asList,
  asObject,
  asString,
  hasEntries,
  isJsonObject,
  withDefaultEntries,
} from '../../../machinery/json/json.ts';
import type { StringMap } from '../../../machinery/meta/object.ts';
import {
  type Quantity,
  addQuantities,
  compareQuantities,
  parseQuantity,
  quantityText,
} from '../../../machinery/meta/quantity.ts';
import type { Container, PodSpec, ResourceRequirements } from '../../types/generated/core-v1.ts';
import { type Defaulter, type ResourceList, structDefaults } from './struct-defaults.ts';

/**
 * The sum of containers and sidecars, or the largest init container. Follows component-helpers resource/helpers.go
 * AggregateContainerRequests.
 */
export function aggregateContainers(spec: PodSpec, field: 'limits' | 'requests'): StringMap {
  const amountsOf = (container: Container): Amounts => parseAmounts(asObject(asObject(container.resources)[field]));
  let running = asList(spec.containers).map(amountsOf).reduce(addAmounts, new Map());
  let sidecars: Amounts = new Map();
  let starting: Amounts = new Map();
  for (const container of asList(spec.initContainers)) {
    const own = amountsOf(container);
    const isSidecar = container.restartPolicy === 'Always';
    if (isSidecar) running = addAmounts(running, own);
    const needed = addAmounts(sidecars, own);
    if (isSidecar) sidecars = needed;
    starting = maxAmounts(starting, needed);
  }
  return Object.fromEntries([...maxAmounts(running, starting)].map(([name, amount]) => [name, quantityText(amount)]));
}

type Amounts = ReadonlyMap<string, Quantity>;

function parseAmounts(list: StringMap): Amounts {
  const read = Object.entries(list).map(([name, text]) => ({ name, reading: parseQuantity(asString(text)) }));
  return new Map(
    read.flatMap(({ name, reading }) => (reading.outcome === 'parsed' ? [[name, reading.quantity] as const] : [])),
  );
}

const addAmounts = (a: Amounts, b: Amounts): Amounts => combineAmounts(a, b, addQuantities);

const maxQuantity = (one: Quantity, other: Quantity): Quantity => (compareQuantities(other, one) > 0 ? other : one);

const maxAmounts = (a: Amounts, b: Amounts): Amounts => combineAmounts(a, b, maxQuantity);

function combineAmounts(a: Amounts, b: Amounts, combine: (one: Quantity, other: Quantity) => Quantity): Amounts {
  const result = new Map(a);
  for (const [name, amount] of b) {
    const existing = a.get(name);
    result.set(name, existing === undefined ? amount : combine(existing, amount));
  }
  return result;
}

/**
 * After admission: huge page limits default to those of the containers, requests to those of the containers (cpu and
 * memory), then to the limits, and limits to those of the containers where each container has one. Follows kubernetes
 * pkg/api/pod/util.go DefaultPodLevelResources (since 1.37).
 */
export const defaultPodLevelResources: Defaulter<PodSpec> = (spec) =>
  isJsonObject(spec.resources) && (hasEntries(spec.resources.limits) || hasEntries(spec.resources.requests))
    ? defaultedAfterAdmission(spec)
    : spec;

const defaultedAfterAdmission = structDefaults<PodSpec>({
  resources: (value, spec) => defaultLimits(defaultRequests(defaultHugePages(asObject(value), spec), spec), spec),
});

/**
 * While the Pod is decoded, before 1.37. Without limits nothing defaults. Follows kubernetes
 * pkg/apis/core/v1/defaults.go defaultHugePagePodLimits and defaultPodRequests.
 */
export const defaultPodLevelResourcesOfBody: Defaulter<PodSpec> = (spec) =>
  isJsonObject(spec.resources) ? defaultedOnDecoding(spec) : spec;

const defaultedOnDecoding = structDefaults<PodSpec>({
  resources: (value, spec) => {
    const resources = defaultHugePages(asObject(value), spec);
    return hasEntries(resources.limits) ? defaultRequests(resources, spec) : resources;
  },
});

function defaultHugePages(resources: ResourceRequirements, spec: PodSpec): ResourceRequirements {
  const { limits, requests } = resources;
  if (!hasEntries(limits) && !hasEntries(requests)) return resources;
  const pages = selectResources(
    aggregateContainers(spec, 'limits'),
    (name) => isHugePages(name) && !Object.hasOwn(asObject(requests), name),
  );
  return setLists(resources, { limits: withDefaultEntries(limits ?? {}, pages) });
}

function defaultRequests(resources: ResourceRequirements, spec: PodSpec): ResourceRequirements {
  const { limits, requests } = resources;
  const fromContainers = selectResources(
    aggregateContainers(spec, 'requests'),
    (name) => name === 'cpu' || name === 'memory',
  );
  const fromLimits = selectResources(asObject(limits), isPodLevel);
  return setLists(resources, {
    requests: withDefaultEntries(withDefaultEntries(requests ?? {}, fromContainers), fromLimits),
  });
}

/** The request of the pod, where it is larger than the limits of the containers. */
function defaultLimits(resources: ResourceRequirements, spec: PodSpec): ResourceRequirements {
  const { limits, requests } = resources;
  const containers = [...asList(spec.containers), ...asList(spec.initContainers), ...asList(spec.ephemeralContainers)];
  const isLimited = (name: string): boolean =>
    containers.every((container) => Object.hasOwn(asObject(asObject(container.resources).limits), name));
  const requested = parseAmounts(selectResources(asObject(requests), (name) => isPodLevel(name) && isLimited(name)));
  const limited = parseAmounts(aggregateContainers(spec, 'limits'));
  const added = [...requested].map(([name, amount]) => {
    const limit = limited.get(name);
    return [name, quantityText(limit === undefined ? amount : maxQuantity(limit, amount))] as const;
  });
  return setLists(resources, { limits: withDefaultEntries(limits ?? {}, Object.fromEntries(added)) });
}

const isHugePages = (name: string): boolean => name.startsWith('hugepages-');

/** Follows component-helpers resource/helpers.go IsSupportedPodLevelResource. */
export const isPodLevel = (name: string): boolean => name === 'cpu' || name === 'memory' || isHugePages(name);

const selectResources = (list: ResourceList, isSelected: (name: string) => boolean): ResourceList =>
  Object.fromEntries(Object.entries(list).filter(([name]) => isSelected(name)));

/** An empty list is not printed. */
function setLists(resources: ResourceRequirements, lists: ResourceRequirements): ResourceRequirements {
  const before: JsonObject = resources;
  const changed = Object.entries(lists).filter(([field, list]) => hasEntries(list) && list !== before[field]);
  if (changed.length === 0) return resources;
  return { ...resources, ...Object.fromEntries(changed) };
}
