import type * as metaV1 from '../../api/types/generated/meta-v1.ts';
import { asObject, type JsonObject, type JsonValue, type KnownFields, asList } from '../../machinery/json/json.ts';
import { type KubernetesObject, metadataOf } from '../../machinery/meta/object.ts';

/** 0 where it is missing. */
export const intOrZero = (value: number | bigint | null | undefined): number => optionalInt(value) ?? 0;

export const optionalInt = (value: number | bigint | null | undefined): number | undefined =>
  typeof value === 'number' ? value : undefined;

type WithReplicas = { readonly kind: string; readonly spec?: { readonly replicas?: number } };

export const replicasOf = (object: WithReplicas): number => intOrZero(object.spec?.replicas);

/** A number, or a percentage of `total`. Follows apimachinery pkg/util/intstr GetScaledValueFromIntOrPercent. */
export function scaledValue(value: JsonValue | undefined, total: number, round: (value: number) => number): number {
  if (typeof value === 'number') return value;
  const percent = typeof value === 'string' ? Number.parseInt(value, 10) : 0;
  return Number.isNaN(percent) ? 0 : round((percent * total) / 100);
}

/** A kind with minReadySeconds. */
type WithMinReadySeconds = { readonly kind: string; readonly spec?: { readonly minReadySeconds?: number } };

export const minReadySecondsOf = (object: WithMinReadySeconds): number => intOrZero(object.spec?.minReadySeconds);

export const statusOf = <Status extends JsonObject>(object: {
  readonly kind: string;
  readonly status?: Status;
}): KnownFields<Status> => asObject(object.status);

/** Without fields that Go omits: zeros, empty lists and missing ones. */
export function compactStatus<Status extends JsonObject>(
  fields: { readonly [Field in keyof Status]?: Status[Field] | undefined },
  remaining?: readonly (keyof Status & string)[],
): Status;
export function compactStatus(
  fields: { readonly [field: string]: JsonValue | undefined },
  remaining: readonly string[] = [],
): JsonObject {
  const isSet = ([field, value]: readonly [string, JsonValue | undefined]): boolean =>
    value !== undefined && (remaining.includes(field) || !isZero(value));
  return Object.fromEntries(Object.entries(fields).filter(isSet));
}

const isZero = (value: JsonValue): boolean =>
  value === 0 || value === '' || value === false || (Array.isArray(value) && value.length === 0);

export const nameOf = (object: KubernetesObject): string => metadataOf(object).name ?? '';
export const namespaceOf = (object: KubernetesObject): string => metadataOf(object).namespace ?? '';
export const uidOf = (object: KubernetesObject): string => metadataOf(object).uid ?? '';
export const generationOf = (object: KubernetesObject): number => metadataOf(object).generation ?? 0;
export const isDeleted = (object: KubernetesObject): boolean => metadataOf(object).deletionTimestamp !== undefined;

/** Oldest first, then by name. Follows pkg/controller/controller_utils.go ReplicaSetsByCreationTimestamp. */
export function byAge(a: KubernetesObject, b: KubernetesObject): number {
  const [one, other] = [metadataOf(a).creationTimestamp ?? '', metadataOf(b).creationTimestamp ?? ''];
  if (one !== other) return one < other ? -1 : 1;
  return nameOf(a) < nameOf(b) ? -1 : 1;
}

/** A count in an annotation. */
export function annotatedCount(object: KubernetesObject, key: string): number | undefined {
  const text = metadataOf(object).annotations?.[key] ?? '';
  return /^\d{1,10}$/.test(text) && Number(text) <= 0x7fffffff ? Number(text) : undefined;
}

export interface WorkloadCondition extends JsonObject {
  readonly type: string;
  readonly status: 'True' | 'False' | 'Unknown';
  readonly reason?: string;
  readonly message?: string;
  readonly lastTransitionTime?: string | null;
}

type WithConditions<Condition> = {
  readonly kind: string;
  readonly status?: { readonly conditions?: readonly Condition[] };
};

export const conditionsOf = <Condition extends metaV1.Condition>(
  object: WithConditions<Condition>,
): readonly Condition[] => asList(object.status?.conditions);

export const findCondition = <Condition extends metaV1.Condition>(
  conditions: readonly Condition[],
  type: string,
): Condition | undefined => conditions.find((condition) => condition.type === type);

export const withoutCondition = <Condition extends metaV1.Condition>(
  conditions: readonly Condition[],
  type: string,
): readonly Condition[] => conditions.filter((condition) => condition.type !== type);

/**
 * The conditions with this one last; unchanged when it is equal. lastTransitionTime changes with the status. Follows
 * pkg/controller/deployment/util/deployment_util.go SetDeploymentCondition.
 */
export function withCondition<Condition extends metaV1.Condition>(
  conditions: readonly Condition[],
  condition: WorkloadCondition,
): readonly (Condition | WorkloadCondition)[] {
  const current = findCondition(conditions, condition.type);
  const isSameStatus = current?.status === condition.status;
  if (isSameStatus && current.reason === condition.reason) return conditions;
  const { lastTransitionTime } = isSameStatus ? current : condition;
  const dated = lastTransitionTime === undefined ? condition : { ...condition, lastTransitionTime };
  return [...withoutCondition(conditions, condition.type), dated];
}
