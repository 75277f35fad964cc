import type { JsonValue } from '../../machinery/json/json.ts';
import type { KubernetesObject } from '../../machinery/meta/object.ts';

/** `undefined` removes the field; a new `spec` goes before other fields, others to the end. */
export function withField(object: KubernetesObject, field: string, value: JsonValue | undefined): KubernetesObject {
  if (value === undefined) {
    if (!Object.hasOwn(object, field)) return object;
    const { [field]: _removed, ...rest } = object;
    return rest as KubernetesObject; // TypeScript cannot say "T without an optional field".
  }
  if (object[field] === value) return object;
  if (Object.hasOwn(object, field) || field !== 'spec') return { ...object, [field]: value };
  const { kind, apiVersion, metadata } = object;
  const first = { kind, apiVersion, ...(metadata ? { metadata } : {}), spec: value };
  return { ...first, ...object, ...first };
}
