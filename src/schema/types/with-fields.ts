import type { JsonObject, JsonValue } from '../../apimachinery/json.ts';
import { hasTypeMeta, typeInfo } from './builtin-types.ts';
import { flatFields } from './flat-fields.ts';

/** A struct as builtin-types.ts names it: `core.v1.PodSpec`. */
export type StructName = `${string}.v1.${string}` | `${string}.v2.${string}`;

/** A copy of a struct with some fields set, where Go prints them; a field given as undefined is removed. */
export function withFields(name: StructName, struct: JsonObject, fields: JsonObject): JsonObject {
  const result: Record<string, JsonValue> = {};
  for (const field of new Set([...fieldOrder(name), ...Object.keys(struct)])) {
    const value = Object.hasOwn(fields, field) ? fields[field] : struct[field];
    if (value !== undefined) result[field] = value;
  }
  return result;
}

const orders = new Map<string, readonly string[]>();

/** The JSON names of a struct's fields in the order in which Go prints them. */
function fieldOrder(name: StructName): readonly string[] {
  const known = orders.get(name);
  if (known !== undefined) return known;
  const order = hasTypeMeta(name) ? ['kind', 'apiVersion', ...fieldNames(name)] : fieldNames(name);
  orders.set(name, order);
  return order;
}

function fieldNames(name: string): readonly string[] {
  if (typeInfo(name)?.is !== 'struct') throw new Error(`no struct ${name} in schema/builtin`);
  return flatFields(name).map((field) => field.name);
}
