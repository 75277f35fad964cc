import { preferredRules, requiredRules } from '../validation/core/affinity.ts';
import {
  asList,
  asObject,
  asString,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../machinery/json/json.ts';
import {
  mapFields,
  metadataOf,
  withMetadata,
  type KubernetesObject,
  type StringMap,
} from '../../machinery/meta/object.ts';
import { ok } from '../../machinery/meta/result.ts';
import { formatTime } from '../../machinery/meta/time.ts';
import { podWarnings } from '../validation/core/pod-warnings.ts';
import { appArmorWarnings, withAppArmorFields } from './app-armor.ts';
import { fieldsChanged, withField, keepMetadata, type ResourceRules } from './resource-rules.ts';
import { podStatusIpWarnings } from '../validation/core/ip-warnings.ts';
import { computeQosClass } from '../validation/core/pod-resources.ts';
import type { Pod } from '../types/generated/core-v1.ts';
import { defaultPodLevelResources } from '../codec/defaults/pod-level-resources.ts';
import type { StrategyContext } from './strategy.ts';

/** Follows kubernetes pkg/registry/core/pod/strategy.go. */
export const podRules: ResourceRules = {
  returnsDeletedObject: true,
  newGeneration: fieldsChanged('spec'),
  emptyStatus: createPodStatus,
  warningsBeforeCreate: appArmorWarnings,
  prepareForCreate: (pod) => ok(preparePod(mergeLabelKeys(pod))),
  restore: {
    '': (pod, old) => withField(keepPodResources(pod, old), 'status', old['status']),
    status: (pod, old) => restoreForStatus(keepClaimStatuses(pod, old), old),
    ephemeralcontainers: restoreForEphemeralContainers,
    resize: (pod, old) => defaultPodResources(keepPodResources(restoreForResize(pod, old), old)),
  },
  warningsOnCreate: podWarnings,
  warningsOnUpdate: (pod, _old, subresource) => (subresource === 'status' ? podStatusIpWarnings(pod) : []),
  gracePeriodSeconds: resolveGracePeriod,
};

function createPodStatus(pod: KubernetesObject, { now }: StrategyContext): JsonObject {
  const spec = asObject(pod['spec']);
  if (asList(spec['schedulingGates']).length === 0) return { phase: 'Pending' };
  return { phase: 'Pending', conditions: [{ ...schedulingGatedCondition, lastTransitionTime: formatTime(now) }] };
}

/** `pod` has its label keys merged. */
export const preparePod = (pod: KubernetesObject): KubernetesObject =>
  withQosClass(defaultPodResources(withAppArmorFields(pod)), computeQosClass);

export const withQosClass = (pod: KubernetesObject, qosClassOf: (spec: JsonObject) => string): KubernetesObject =>
  withField(pod, 'status', { ...asObject(pod['status']), qosClass: qosClassOf(asObject(pod['spec'])) });

function defaultPodResources(object: KubernetesObject): KubernetesObject {
  const pod: Pod = object;
  return pod.spec ? withField(object, 'spec', defaultPodLevelResources(pod.spec)) : object;
}

/** A client that drops the pod-level resources does not change them. */
function keepPodResources(pod: KubernetesObject, old: KubernetesObject): KubernetesObject {
  const spec = asObject(pod['spec']);
  const { resources } = asObject(old['spec']);
  if (spec['resources'] !== undefined || resources === undefined) return pod;
  return withField(pod, 'spec', { ...spec, resources });
}

const claimStatuses = ['resourceClaimStatuses', 'extendedResourceClaimStatus', 'nodeAllocatableResourceClaimStatuses'];

/** A status without them keeps the old ones; an empty list removes them. */
function keepClaimStatuses(pod: KubernetesObject, old: KubernetesObject): KubernetesObject {
  const [status, oldStatus] = [asObject(pod['status']), asObject(old['status'])];
  const kept = claimStatuses.filter((field) => status[field] === undefined && oldStatus[field] !== undefined);
  if (kept.length === 0) return pod;
  return withField(pod, 'status', { ...status, ...mapFields(kept, (field) => oldStatus[field]) });
}

const schedulingGatedCondition: JsonObject = {
  type: 'PodScheduled',
  status: 'False',
  lastProbeTime: null,
  reason: 'SchedulingGated',
  message: 'Scheduling is blocked due to non-empty scheduling gates',
};

/** Status updates without QoS class, owners or observedGeneration keep the old ones. */
export function restoreForStatus(pod: KubernetesObject, old: KubernetesObject): KubernetesObject {
  const status = asObject(pod['status']);
  const oldStatus = asObject(old['status']);
  const conditions = withObservedGenerations(status['conditions'], oldStatus['conditions']);
  const kept = {
    ...status,
    qosClass: status['qosClass'] ?? oldStatus['qosClass'],
    observedGeneration: status['observedGeneration'] || oldStatus['observedGeneration'],
    ...(conditions ? { conditions } : {}),
  };
  const restored = withField(withField(pod, 'spec', old['spec']), 'status', kept);
  return withMetadata(restored, {
    deletionTimestamp: undefined,
    ownerReferences: metadataOf(old).ownerReferences,
  });
}

function withObservedGenerations(
  conditions: JsonValue | undefined,
  oldConditions: JsonValue | undefined,
): readonly JsonValue[] | undefined {
  if (conditions === undefined) return undefined;
  const remaining = [...asList(oldConditions)].map(asObject);
  return asList(conditions).map((item) => {
    const condition = asObject(item);
    const index = remaining.findIndex(({ type }) => type === condition['type']);
    const [before] = index < 0 ? [] : remaining.splice(index, 1);
    const observedGeneration = condition['observedGeneration'] || before?.['observedGeneration'];
    return observedGeneration ? { ...condition, observedGeneration } : item;
  });
}

function keepForSubresource(pod: KubernetesObject, old: KubernetesObject, spec: JsonObject): KubernetesObject {
  return keepMetadata(withField(withField(pod, 'spec', spec), 'status', old['status']), old);
}

function restoreForEphemeralContainers(pod: KubernetesObject, old: KubernetesObject): KubernetesObject {
  const { ephemeralContainers } = asObject(pod['spec']);
  return keepForSubresource(pod, old, { ...asObject(old['spec']), ephemeralContainers });
}

/** Copies resources and resizePolicy only; validation rejects containers that do not pair up. */
export function restoreForResize(pod: KubernetesObject, old: KubernetesObject): KubernetesObject {
  const spec = asObject(pod['spec']);
  const oldSpec = asObject(old['spec']);
  const lists = ['containers', 'initContainers'] as const;
  if (lists.some((list) => asList(spec[list]).length !== asList(oldSpec[list]).length)) return pod;
  const [containers, initContainers] = lists.map((list) => applyResize(spec[list], oldSpec[list]));
  const { resources } = spec;
  return keepForSubresource(pod, old, { ...oldSpec, resources, containers, initContainers });
}

function applyResize(containers: JsonValue | undefined, old: JsonValue | undefined): JsonValue | undefined {
  const pairs = asList(containers).map(
    (container, index) => [asObject(container), asObject(asList(old)[index])] as const,
  );
  if (pairs.length === 0 || pairs.some(([container, before]) => container['name'] !== before['name']))
    return containers;
  return pairs.map(([{ resources, resizePolicy }, before]) => ({ ...before, resources, resizePolicy }));
}

/** 0 for an unscheduled or finished pod; never negative (rules PATH-42 to PATH-44). */
function resolveGracePeriod(pod: KubernetesObject, requested: number | undefined): number {
  const spec = asObject(pod['spec']);
  const phase = asString(asObject(pod['status'])['phase']);
  if (asString(spec['nodeName']) === '' || phase === 'Failed' || phase === 'Succeeded') return 0;
  const seconds = requested ?? Number(spec['terminationGracePeriodSeconds'] ?? 0);
  return seconds < 0 ? 1 : seconds;
}

/**
 * Turns matchLabelKeys and mismatchLabelKeys into label requirements. Follows kubernetes
 * pkg/registry/core/pod/strategy.go mutatePodAffinity, mutateTopologySpreadConstraints.
 */
export const mergeLabelKeys = (pod: KubernetesObject): KubernetesObject =>
  mergeKeys(pod, ['affinity', 'topologySpreadConstraints']);

/** Releases before 1.34 leave spread constraints unchanged. */
export const mergeAffinityKeys = (pod: KubernetesObject): KubernetesObject => mergeKeys(pod, ['affinity']);

function mergeKeys(pod: KubernetesObject, fields: readonly string[]): KubernetesObject {
  const spec = asObject(pod['spec']);
  const [affinity, topologySpreadConstraints] = ['affinity', 'topologySpreadConstraints'].map((field) =>
    fields.includes(field) ? spec[field] : undefined,
  );
  if (affinity === undefined && topologySpreadConstraints === undefined) return pod;
  const labels = metadataOf(pod).labels ?? {};
  const merged = {
    ...spec,
    ...(isJsonObject(affinity) ? { affinity: mergeAffinity(affinity, labels) } : {}),
    ...(topologySpreadConstraints === undefined
      ? {}
      : { topologySpreadConstraints: asList(topologySpreadConstraints).map((term) => mergeTerm(term, labels)) }),
  };
  return withField(pod, 'spec', merged);
}

function mergeAffinity(affinity: JsonObject, labels: StringMap): JsonObject {
  const kinds = (['podAffinity', 'podAntiAffinity'] as const).filter((kind) => isJsonObject(affinity[kind]));
  return {
    ...affinity,
    ...Object.fromEntries(kinds.map((kind) => [kind, mergeTerms(asObject(affinity[kind]), labels)])),
  };
}

function mergeTerms(terms: JsonObject, labels: StringMap): JsonObject {
  return {
    ...terms,
    ...(terms[requiredRules] === undefined
      ? {}
      : { [requiredRules]: asList(terms[requiredRules]).map((term) => mergeTerm(term, labels)) }),
    ...(terms[preferredRules] === undefined
      ? {}
      : {
          [preferredRules]: asList(terms[preferredRules]).map((weighted) => ({
            ...asObject(weighted),
            podAffinityTerm: mergeTerm(asObject(weighted)['podAffinityTerm'] ?? {}, labels),
          })),
        }),
  };
}

function mergeTerm(term: JsonValue, labels: StringMap): JsonValue {
  const { matchLabelKeys, mismatchLabelKeys, labelSelector } = asObject(term);
  const added = [
    ...createRequirements(matchLabelKeys, 'In', labels),
    ...createRequirements(mismatchLabelKeys, 'NotIn', labels),
  ];
  if (added.length === 0 || !isJsonObject(labelSelector)) return term;
  const matchExpressions = [...asList(labelSelector['matchExpressions']), ...added];
  return { ...asObject(term), labelSelector: { ...labelSelector, matchExpressions } };
}

const createRequirements = (keys: JsonValue | undefined, operator: string, labels: StringMap): readonly JsonObject[] =>
  asList(keys)
    .map(asString)
    .filter((key) => Object.hasOwn(labels, key))
    .map((key) => ({ key, operator, values: [labels[key] ?? ''] }));
