import {
  type JsonObject,
  asList,
  asObject,
  asString,
  hasEntries,
  isJsonObject,
  withDefaultEntries,
} from '../../../machinery/json/json.ts';
import { mapFields, type ObjectMeta, type StringMap } from '../../../machinery/meta/object.ts';
import {
  type Quantity,
  addQuantities,
  compareQuantities,
  parseQuantity,
  quantityText,
} from '../../../machinery/meta/quantity.ts';
import type * as core from '../../types/generated/core-v1.ts';
import type { Container, PodSpec } from '../../types/generated/core-v1.ts';
import { container } from './container.ts';
import { volume } from './storage.ts';
import {
  type Defaulter,
  type ResourceList,
  always,
  both,
  defaultEach,
  defaultResourceList,
  inside,
  resourceRequirements,
  structDefaults,
} from './struct-defaults.ts';

/**
 * The sum of containers and sidecars, or the largest init container. Follows component-helpers resource/helpers.go
 * AggregateContainerRequests.
 */
export function podTotals(spec: PodSpec, field: 'limits' | 'requests'): StringMap {
  const amountsOf = (container: Container): Amounts => amounts(asObject(asObject(container.resources)[field]));
  let running = asList(spec.containers).map(amountsOf).reduce(sum, new Map());
  let sidecars: Amounts = new Map();
  let starting: Amounts = new Map();
  for (const container of asList(spec.initContainers)) {
    const own = amountsOf(container);
    const isSidecar = container.restartPolicy === 'Always';
    if (isSidecar) running = sum(running, own);
    const needed = sum(sidecars, own);
    if (isSidecar) sidecars = needed;
    starting = largest(starting, needed);
  }
  return Object.fromEntries([...largest(running, starting)].map(([name, amount]) => [name, quantityText(amount)]));
}

type Amounts = ReadonlyMap<string, Quantity>;

function amounts(list: StringMap): Amounts {
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

/**
 * Huge page limits default to those of the containers; with limits set, requests default to the containers' requests
 * (cpu and memory), then to the limits. Follows kubernetes pkg/apis/core/v1/defaults.go defaultHugePagePodLimits and
 * defaultPodRequests.
 */
const podLevelResources: Defaulter<core.PodSpec> = (spec) =>
  isJsonObject(spec.resources) ? defaultedResources(spec) : spec;

const defaultedResources = structDefaults<core.PodSpec>({
  resources: (value, spec) => defaultRequests(defaultHugePages(asObject(value), spec), spec),
});

function defaultHugePages(resources: core.ResourceRequirements, spec: core.PodSpec): core.ResourceRequirements {
  const { limits, requests } = resources;
  if (!hasEntries(limits) && !hasEntries(requests)) return resources;
  const pages = chosen(
    podTotals(spec, 'limits'),
    (name) => isHugePages(name) && !Object.hasOwn(asObject(requests), name),
  );
  return withLists(resources, { limits: withDefaultEntries(limits ?? {}, pages) });
}

function defaultRequests(resources: core.ResourceRequirements, spec: core.PodSpec): core.ResourceRequirements {
  const { limits, requests } = resources;
  if (!hasEntries(limits)) return resources;
  const fromContainers = chosen(podTotals(spec, 'requests'), (name) => name === 'cpu' || name === 'memory');
  const fromLimits = chosen(limits, (name) => name === 'cpu' || name === 'memory' || isHugePages(name));
  return withLists(resources, {
    requests: withDefaultEntries(withDefaultEntries(requests ?? {}, fromContainers), fromLimits),
  });
}

const isHugePages = (name: string): boolean => name.startsWith('hugepages-');

const chosen = (list: ResourceList, wanted: (name: string) => boolean): ResourceList =>
  Object.fromEntries(Object.entries(list).filter(([name]) => wanted(name)));

/** An empty list is not printed. */
function withLists(resources: core.ResourceRequirements, lists: core.ResourceRequirements): core.ResourceRequirements {
  const before: JsonObject = resources;
  const changed = Object.entries(lists).filter(([field, list]) => hasEntries(list) && list !== before[field]);
  if (changed.length === 0) return resources;
  return { ...resources, ...Object.fromEntries(changed) };
}

/** Follows kubernetes pkg/apis/core/v1/defaults.go SetDefaults_PodSpec and pkg/apis/core/v1/conversion.go. */
const podSpec = structDefaults<core.PodSpec>({
  volumes: defaultEach(volume),
  initContainers: defaultEach(container),
  containers: defaultEach(container),
  ephemeralContainers: defaultEach(container),
  restartPolicy: 'Always',
  terminationGracePeriodSeconds: 30,
  dnsPolicy: 'ClusterFirst',
  serviceAccountName: (value, { serviceAccount }) => value ?? serviceAccount,
  serviceAccount: (value, { serviceAccountName }) => serviceAccountName ?? value,
  securityContext: (value) => value ?? {},
  schedulerName: 'default-scheduler',
  overhead: inside(defaultResourceList),
  resources: inside(resourceRequirements),
});

const legacyAnnotations = [
  'pod.beta.kubernetes.io/init-containers',
  'pod.alpha.kubernetes.io/init-containers',
  'pod.beta.kubernetes.io/init-container-statuses',
  'pod.alpha.kubernetes.io/init-container-statuses',
];

const podMetadata = structDefaults<ObjectMeta>({
  annotations: (value) => {
    if (!isJsonObject(value) || !legacyAnnotations.some((key) => Object.hasOwn(value, key))) return value;
    const kept = Object.keys(value).filter((key) => !legacyAnnotations.includes(key));
    return kept.length === 0 ? undefined : mapFields(kept, (key) => value[key]);
  },
});

/** Follows kubernetes pkg/apis/core/v1/zz_generated.defaults.go SetObjectDefaults_PodTemplate. */
export const podTemplateSpec = structDefaults<core.PodTemplateSpec>({
  metadata: inside(podMetadata),
  spec: inside(podSpec),
});

/** Defaults of Pods only. Follows kubernetes pkg/apis/core/v1/defaults.go SetDefaults_Pod. */
const ownDefaults = both(
  structDefaults<core.PodSpec>({
    initContainers: (value, spec) => podContainers(value, spec),
    containers: (value, spec) => podContainers(value, spec),
    enableServiceLinks: true,
    /** Follows conversion.go: a negative value becomes 1. */
    terminationGracePeriodSeconds: (value) => (typeof value === 'number' && value < 0 ? 1 : value),
  }),
  podLevelResources,
);

const requestsFromLimits = structDefaults<core.ResourceRequirements>({
  requests: (value, { limits }) => (hasEntries(limits) ? withDefaultEntries(value ?? {}, limits) : value),
});
const withRequests = structDefaults<core.Container>({ resources: inside(requestsFromLimits) });
const onHostPorts = structDefaults<core.Container>({
  ports: defaultEach(structDefaults<core.ContainerPort>({ hostPort: (value, port) => value ?? port.containerPort })),
});

function podContainers<C extends readonly core.Container[] | null | undefined>(
  value: C,
  { hostNetwork }: core.PodSpec,
): C | readonly core.Container[] {
  return defaultEach(hostNetwork === true ? both(withRequests, onHostPorts) : withRequests)(value);
}

/** `podIP` takes precedence over `podIPs`. Follows kubernetes pkg/apis/core/v1/conversion.go. */
const podStatus = structDefaults<core.PodStatus>({
  podIP: (value, { podIPs }) => value ?? podIPs?.[0]?.ip,
  podIPs: (value, { podIP }) => {
    const first = asString(value?.[0]?.ip);
    return podIP === undefined || podIP === first ? value : [{ ip: podIP }];
  },
});

export const pod = structDefaults<core.Pod>({
  metadata: inside(podMetadata),
  spec: always(both(ownDefaults, podSpec)),
  status: inside(podStatus),
});
