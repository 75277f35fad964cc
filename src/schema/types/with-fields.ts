import type { JsonObject, JsonValue } from '../../apimachinery/json.ts';
import { hasTypeMeta, typeInfo } from './builtin-types.ts';
import { flatFields } from './flat-fields.ts';

/** A struct as builtin-types.ts names it: `core.v1.PodSpec`. */
export type StructName = `${string}.v1.${string}` | `${string}.v2.${string}`;

/** A copy of a struct with some fields set, in Go's order; a field given as undefined is removed. */
export function withFields(name: StructName, struct: JsonObject, fields: JsonObject): JsonObject {
  const ranks = ranksOf(name);
  const rankOf = (field: string): number => ranks.get(field) ?? ranks.size;
  const all = [...Object.keys(struct), ...Object.keys(fields).filter((field) => !Object.hasOwn(struct, field))];
  const result: Record<string, JsonValue> = {};
  // Nearly sorted: the struct comes from the codec, so only what is new is out of its place.
  for (const field of all.sort((a, b) => rankOf(a) - rankOf(b))) {
    const value = Object.hasOwn(fields, field) ? fields[field] : struct[field];
    if (value !== undefined) result[field] = value;
  }
  return result;
}

const known = new Map<string, ReadonlyMap<string, number>>();

/** The JSON names of a struct's fields, each with its place in the order in which Go prints them. */
function ranksOf(name: StructName): ReadonlyMap<string, number> {
  const made = known.get(name);
  if (made !== undefined) return made;
  const order = hasTypeMeta(name) ? ['kind', 'apiVersion', ...fieldNames(name)] : fieldNames(name);
  const ranks = new Map(order.map((field, rank) => [field, rank]));
  known.set(name, ranks);
  return ranks;
}

function fieldNames(name: string): readonly string[] {
  if (typeInfo(name)?.is !== 'struct') throw new Error(`no struct ${name} in schema/builtin`);
  return flatFields(name).map((field) => field.name);
}
