import { asList, asObject, valueAt } from '../../apimachinery/json.ts';
import type { JsonObject } from '../../apimachinery/json.ts';
import type { KubernetesObject } from '../../apimachinery/object.ts';

/** One entry of `status.conditions`. */
export interface Condition extends JsonObject {
  readonly type: string;
  readonly status: 'True' | 'False' | 'Unknown';
  readonly reason?: string;
  readonly message?: string;
  readonly lastTransitionTime?: string;
}

export const conditionsOf = (object: KubernetesObject): readonly JsonObject[] =>
  asList(valueAt(object, 'status', 'conditions')).map(asObject);

export const findCondition = (conditions: readonly JsonObject[], type: string): JsonObject | undefined =>
  conditions.find((condition) => condition['type'] === type);

export const withoutCondition = (conditions: readonly JsonObject[], type: string): readonly JsonObject[] =>
  conditions.filter((condition) => condition['type'] !== type);

/**
 * The conditions with this one last; unchanged when it says nothing new. The time of its last transition stays while its
 * status does. Follows pkg/controller/deployment/util/deployment_util.go SetDeploymentCondition.
 */
export function withCondition(conditions: readonly JsonObject[], condition: Condition): readonly JsonObject[] {
  const current = findCondition(conditions, condition.type);
  const isSameStatus = current?.['status'] === condition.status;
  if (isSameStatus && current['reason'] === condition.reason) return conditions;
  const { lastTransitionTime } = isSameStatus ? current : condition;
  const dated = lastTransitionTime === undefined ? condition : { ...condition, lastTransitionTime };
  return [...withoutCondition(conditions, condition.type), dated];
}
