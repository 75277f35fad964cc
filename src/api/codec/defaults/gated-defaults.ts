import { asObject, isJsonObject } from '../../../machinery/json/json.ts';
import type { KubernetesObject } from '../../../machinery/meta/object.ts';
import { applyDefaults } from './apply-defaults.ts';
import type { StatefulSet } from '../../types/generated/apps-v1.ts';
import type { Pod } from '../../types/generated/core-v1.ts';

/** The defaults of a release where these features are on. */
export function defaultsWhere(isOn: (gate: string) => boolean): typeof applyDefaults {
  const pods = isOn('PodLevelResources') ? applyDefaults : withoutPodResources;
  if (!isOn('MaxUnavailableStatefulSet')) return pods;
  return (object) => withMaxUnavailable(pods(object));
}

/** Follows kubernetes pkg/apis/core/v1/defaults.go SetDefaults_Pod, where PodLevelResources is off. */
function withoutPodResources(object: KubernetesObject): KubernetesObject {
  const pod: Pod = object;
  const { resources, ...spec } = asObject(pod.spec);
  if (object.kind !== 'Pod' || object.apiVersion !== 'v1' || resources === undefined) return applyDefaults(object);
  const defaulted: Pod = applyDefaults({ ...object, spec });
  return { ...defaulted, spec: { ...asObject(defaulted.spec), resources } };
}

/** Follows kubernetes pkg/apis/apps/v1/defaults.go SetDefaults_StatefulSet, where MaxUnavailableStatefulSet is on: in 1.35 alone. */
function withMaxUnavailable(object: KubernetesObject): KubernetesObject {
  if (object.kind !== 'StatefulSet' || object.apiVersion !== 'apps/v1') return object;
  const set: StatefulSet = object;
  const spec = asObject(set.spec);
  const updateStrategy = asObject(spec.updateStrategy);
  const { type, rollingUpdate } = updateStrategy;
  if (type !== 'RollingUpdate' || !isJsonObject(rollingUpdate) || rollingUpdate.maxUnavailable !== undefined) {
    return object;
  }
  const filled = { ...updateStrategy, rollingUpdate: { ...rollingUpdate, maxUnavailable: 1 } };
  return { ...object, spec: { ...spec, updateStrategy: filled } };
}
