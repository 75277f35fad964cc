import type { JsonValue } from '../../apimachinery/json.ts';
import type { KubernetesObject } from '../../apimachinery/object.ts';

/** A copy with one top-level field set, or removed when undefined; a new `spec` goes before the rest, a new `status` to the end. */
export function withField(object: KubernetesObject, field: string, value: JsonValue | undefined): KubernetesObject {
  if (value === undefined) {
    if (!Object.hasOwn(object, field)) return object;
    const { kind, apiVersion, metadata } = object;
    const rest = Object.fromEntries(Object.entries(object).filter(([name]) => name !== field));
    return { ...rest, kind, apiVersion, ...(metadata ? { metadata } : {}) };
  }
  if (object[field] === value) return object;
  if (Object.hasOwn(object, field) || field !== 'spec') return { ...object, [field]: value };
  const { kind, apiVersion, metadata, ...rest } = object;
  return { kind, apiVersion, ...(metadata ? { metadata } : {}), spec: value, ...rest };
}
