import { copyBehind, copyWith, copyWithout } from '../../apimachinery/copy-in-turns.ts';
import type { JsonValue } from '../../apimachinery/json.ts';
import type { KubernetesObject } from '../../apimachinery/object.ts';

/** A copy with one top-level field set, or removed when undefined; a new `spec` goes before the rest, a new `status` to the end. */
export function withField(object: KubernetesObject, field: string, value: JsonValue | undefined): KubernetesObject {
  if (value === undefined) {
    return Object.hasOwn(object, field) ? copyWithout(object, field) : object;
  }
  if (object[field] === value) return object;
  if (Object.hasOwn(object, field) || field !== 'spec') return copyWith(object, { [field]: value });
  const { kind, apiVersion, metadata } = object;
  return copyBehind({ kind, apiVersion, ...(metadata ? { metadata } : {}), spec: value }, object);
}
