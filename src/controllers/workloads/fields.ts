import { asObject, type JsonObject, type JsonValue, type KnownFields } from '../../machinery/json/json.ts';
import { type KubernetesObject, metadataOf } from '../../machinery/meta/object.ts';

/** 0 where it is missing. */
export const intOf = (value: number | bigint | null | undefined): number => optionalInt(value) ?? 0;

export const optionalInt = (value: number | bigint | null | undefined): number | undefined =>
  typeof value === 'number' ? value : undefined;

type Scaled = { readonly kind: string; readonly spec?: { readonly replicas?: number } };

export const replicasOf = (object: Scaled): number => intOf(object.spec?.replicas);

/** A kind with minReadySeconds. */
type Patient = { readonly kind: string; readonly spec?: { readonly minReadySeconds?: number } };

export const minReadyOf = (object: Patient): number => intOf(object.spec?.minReadySeconds);

export const statusOf = <Status extends JsonObject>(object: {
  readonly kind: string;
  readonly status?: Status;
}): KnownFields<Status> => asObject(object.status);

/** Without fields that Go omits: zeros, empty lists and missing ones. */
export function compactStatus<Status extends JsonObject>(
  fields: { readonly [Field in keyof Status]?: Status[Field] | undefined },
  kept?: readonly (keyof Status & string)[],
): Status;
export function compactStatus(
  fields: { readonly [field: string]: JsonValue | undefined },
  kept: readonly string[] = [],
): JsonObject {
  const isSet = ([field, value]: readonly [string, JsonValue | undefined]): boolean =>
    value !== undefined && (kept.includes(field) || !isZero(value));
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
