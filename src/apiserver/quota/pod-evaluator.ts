import { isPodLevel, aggregateContainers } from '../../api/codec/defaults/pod-level-resources.ts';
import type { Container, Pod, PodAffinityTerm, PodSpec } from '../../api/types/generated/core-v1.ts';
import { computeQosClass } from '../../api/validation/core/pod-resources.ts';
import { isNative } from '../../api/validation/core/resources.ts';
import { asList, asObject, asString } from '../../machinery/json/json.ts';
import { metadataOf } from '../../machinery/meta/object.ts';
import { parseTime } from '../../machinery/meta/time.ts';
import { type Evaluator, scopeMatchesNames, type ScopeRequirement } from './evaluator.ts';
import { deviceClassPrefix } from './resource-claim-evaluator.ts';
import { addUsage, count, readUsage, type Usage } from './usage.ts';

export interface PodResources {
  readonly requests: Usage;
  readonly limits: Usage;
}

/** Containers or pod level, plus the overhead. */
export function podResources(spec: PodSpec): PodResources {
  const podLevelResources = asObject(spec.resources);
  const totals = (field: 'requests' | 'limits'): Usage => {
    const podLevel = Object.entries(asObject(podLevelResources[field])).filter(([name]) => isPodLevel(name));
    return readUsage({ ...aggregateContainers(spec, field), ...Object.fromEntries(podLevel) });
  };
  const overhead = readUsage(asObject(spec.overhead));
  const limits = totals('limits');
  const overLimits = new Map([...overhead].filter(([name]) => limits.has(name)));
  return { requests: addUsage(totals('requests'), overhead), limits: addUsage(limits, overLimits) };
}

/** Follows component-helpers resource/helpers.go IsPodLevelResourcesSet. */
export function hasPodLevelResources({ resources }: PodSpec): boolean {
  const { requests, limits } = asObject(resources);
  return [requests, limits].some((list) => Object.keys(asObject(list)).some(isPodLevel));
}

const countedAs = 'count/pods';
const compute = ['cpu', 'memory', 'ephemeral-storage'] as const;
const names = new Set([countedAs, 'pods', ...compute.flatMap((name) => [name, `requests.${name}`, `limits.${name}`])]);

/** Follows kubernetes pkg/quota/v1/evaluator/core/pods.go. */
export const podEvaluator: Evaluator = {
  handles: ({ operation, subresource, object, oldObject }) =>
    operation === 'UPDATE'
      ? subresource === 'resize' || (subresource === '' && terminates(object) !== terminates(oldObject))
      : operation === 'CREATE' && subresource === '',
  matchingNames: (quotaNames) =>
    quotaNames.filter((name) => names.has(name) || /^(?:requests\.)?hugepages-/.test(name) || isExtendedRequest(name)),
  usage: (pod: Pod, now) => {
    const counted: Usage = new Map([[countedAs, count(1)]]);
    return isRunning(pod, now) ? addUsage(counted, computeUsage(podResources(asObject(pod.spec)))) : counted;
  },
  isInScope,
  constraintFault,
};

/** Extended resources allow only `requests.NAME`. */
const isExtendedRequest = (name: string): boolean =>
  name.startsWith(`requests.${deviceClassPrefix}`) || (name.startsWith('requests.') && !isNative(name));

function computeUsage({ requests, limits }: PodResources): Usage {
  const used = new Map([['pods', count(1)]]);
  for (const name of compute) {
    const [request, limit] = [requests.get(name), limits.get(name)];
    if (request) used.set(name, request).set(`requests.${name}`, request);
    if (limit) used.set(`limits.${name}`, limit);
  }
  for (const [name, request] of requests) {
    if (name.startsWith('hugepages-')) used.set(name, request).set(`requests.${name}`, request);
    else if (!isNative(name) || name.startsWith(deviceClassPrefix)) used.set(`requests.${name}`, request);
  }
  return used;
}

/** Ended and overdue pods use nothing. */
function isRunning(pod: Pod, now: number): boolean {
  const phase = pod.status?.phase;
  if (phase === 'Failed' || phase === 'Succeeded') return false;
  const { deletionTimestamp, deletionGracePeriodSeconds } = metadataOf(pod);
  if (deletionTimestamp === undefined || typeof deletionGracePeriodSeconds !== 'number') return true;
  const deleted = parseTime(deletionTimestamp);
  return deleted.outcome === 'malformed' || now <= (deleted.moment.seconds + deletionGracePeriodSeconds) * 1000;
}

function isInScope(scope: ScopeRequirement, pod: Pod): boolean {
  const spec = asObject(pod.spec);
  switch (scope.scopeName) {
    case 'Terminating':
      return isTerminating(spec);
    case 'NotTerminating':
      return !isTerminating(spec);
    case 'BestEffort':
      return qosClass(pod) === 'BestEffort';
    case 'NotBestEffort':
      return qosClass(pod) !== 'BestEffort';
    case 'PriorityClass':
      return scopeMatchesNames(scope, [asString(spec.priorityClassName)].filter(Boolean));
    case 'CrossNamespacePodAffinity':
      return affinityTerms(spec).some(crossesNamespaces);
    default:
      return false;
  }
}

/** Follows kubernetes pkg/apis/core/v1/helper/qos/qos.go GetPodQOS. */
const qosClass = ({ spec, status }: Pod): string => status?.qosClass || computeQosClass(asObject(spec));

const terminates = (pod: Pod | null): boolean => isTerminating(asObject(pod?.spec));

const isTerminating = ({ activeDeadlineSeconds: seconds }: PodSpec): boolean =>
  typeof seconds === 'number' && seconds >= 0;

const affinityTerms = ({ affinity }: PodSpec): readonly PodAffinityTerm[] =>
  [affinity?.podAffinity, affinity?.podAntiAffinity].flatMap((terms) => [
    ...asList(terms?.requiredDuringSchedulingIgnoredDuringExecution),
    ...asList(terms?.preferredDuringSchedulingIgnoredDuringExecution).map(({ podAffinityTerm }) =>
      asObject(podAffinityTerm),
    ),
  ]);

const crossesNamespaces = ({ namespaces, namespaceSelector }: PodAffinityTerm): boolean =>
  asList(namespaces).length > 0 || (namespaceSelector ?? null) !== null;

/** Each container must set these, unless the Pod as a whole does. */
const required = ['cpu', 'limits.cpu', 'limits.memory', 'memory', 'requests.cpu', 'requests.memory'];

function constraintFault(limited: readonly string[], pod: Pod): string | undefined {
  const spec = asObject(pod.spec);
  if (hasPodLevelResources(spec)) return undefined;
  const { containers, initContainers } = spec;
  const all = [...asList(containers), ...asList(initContainers)];
  const faults = required
    .filter((name) => limited.includes(name))
    .flatMap((name) => {
      const silent = all.filter((container) => !requestedBy(container).has(name)).map((one) => asString(one.name));
      return silent.length === 0 ? [] : [`${name} for: ${[...new Set(silent)].toSorted().join(',')}`];
    });
  return faults.length === 0 ? undefined : `must specify ${faults.join('; ')}`;
}

function requestedBy(container: Container): Usage {
  const { requests, limits } = asObject(container.resources);
  return computeUsage({ requests: readUsage(asObject(requests)), limits: readUsage(asObject(limits)) });
}
