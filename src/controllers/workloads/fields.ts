import type { JsonObject, JsonValue } from '../../apimachinery/json.ts';
import { asObject, valueAt } from '../../apimachinery/json.ts';
import { metadataOf } from '../../apimachinery/object.ts';
import type { KubernetesObject } from '../../apimachinery/object.ts';

/** A whole number of an object; 0 where there is none. */
export const intAt = (object: JsonValue | undefined, ...path: readonly string[]): number =>
  optionalInt(object, ...path) ?? 0;

export function optionalInt(object: JsonValue | undefined, ...path: readonly string[]): number | undefined {
  const value = valueAt(object, ...path);
  return typeof value === 'number' ? value : undefined;
}

/** How many the object asks for. */
export const replicasOf = (object: KubernetesObject): number => intAt(object, 'spec', 'replicas');

export const statusOf = (object: KubernetesObject): JsonObject => asObject(object['status']);

/** Without what Go would leave out of a status: zeros, empty lists and fields that are not there. */
export function compactStatus(
  fields: { readonly [field: string]: JsonValue | undefined },
  kept: readonly string[] = [],
): JsonObject {
  const isSaid = ([field, value]: readonly [string, JsonValue | undefined]): boolean =>
    value !== undefined && (kept.includes(field) || !isZero(value));
  return Object.fromEntries(Object.entries(fields).filter(isSaid));
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
