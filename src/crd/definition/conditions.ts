import { asList, asObject } from '../../apimachinery/json.ts';
import type { JsonObject } from '../../apimachinery/json.ts';

export interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
}

export const conditionOf = (status: JsonObject, type: string): JsonObject | undefined =>
  asList(status['conditions'])
    .map(asObject)
    .find((condition) => condition['type'] === type);

/**
 * The status with this condition; its time moves only when its status does.
 * Follows apiextensions-apiserver pkg/apihelpers/helpers.go SetCRDCondition.
 */
export function withCondition(
  status: JsonObject,
  { type, status: value, reason, message }: Condition,
  now: string,
): JsonObject {
  const conditions = asList(status['conditions']).map(asObject);
  const old = conditions.find((condition) => condition['type'] === type);
  const lastTransitionTime = old?.['status'] === value ? (old['lastTransitionTime'] ?? now) : now;
  const fresh = { type, status: value, lastTransitionTime, reason, message };
  const next =
    old === undefined ? [...conditions, fresh] : conditions.map((condition) => (condition === old ? fresh : condition));
  return { ...status, conditions: next };
}
