import { asList, asObject, asString, isJsonObject } from '../../machinery/json/json.ts';
import type { JsonObject, JsonValue } from '../../machinery/json/json.ts';
import { metadataOf, type KubernetesObject, type StringMap } from '../../machinery/meta/object.ts';
import { withField } from './with-field.ts';

const required = 'requiredDuringSchedulingIgnoredDuringExecution';
const preferred = 'preferredDuringSchedulingIgnoredDuringExecution';

/**
 * Turns matchLabelKeys and mismatchLabelKeys into label requirements. Follows kubernetes
 * pkg/registry/core/pod/strategy.go mutatePodAffinity, mutateTopologySpreadConstraints.
 */
export const mergeLabelKeys = (pod: KubernetesObject): KubernetesObject =>
  merge(pod, ['affinity', 'topologySpreadConstraints']);

/** Releases before 1.34 leave spread constraints unchanged. */
export const mergeAffinityKeys = (pod: KubernetesObject): KubernetesObject => merge(pod, ['affinity']);

function merge(pod: KubernetesObject, fields: readonly string[]): KubernetesObject {
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
    ...(terms[required] === undefined
      ? {}
      : { [required]: asList(terms[required]).map((term) => mergeTerm(term, labels)) }),
    ...(terms[preferred] === undefined
      ? {}
      : {
          [preferred]: asList(terms[preferred]).map((weighted) => ({
            ...asObject(weighted),
            podAffinityTerm: mergeTerm(asObject(weighted)['podAffinityTerm'] ?? {}, labels),
          })),
        }),
  };
}

function mergeTerm(term: JsonValue, labels: StringMap): JsonValue {
  const { matchLabelKeys, mismatchLabelKeys, labelSelector } = asObject(term);
  const added = [...requirements(matchLabelKeys, 'In', labels), ...requirements(mismatchLabelKeys, 'NotIn', labels)];
  if (added.length === 0 || !isJsonObject(labelSelector)) return term;
  const matchExpressions = [...asList(labelSelector['matchExpressions']), ...added];
  return { ...asObject(term), labelSelector: { ...labelSelector, matchExpressions } };
}

const requirements = (keys: JsonValue | undefined, operator: string, labels: StringMap): readonly JsonObject[] =>
  asList(keys)
    .map(asString)
    .filter((key) => Object.hasOwn(labels, key))
    .map((key) => ({ key, operator, values: [labels[key] ?? ''] }));
