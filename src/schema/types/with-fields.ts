import type { JsonObject, JsonValue } from '../../apimachinery/json.ts';
import { hasTypeMeta, typeInfo } from './builtin-types.ts';
import { flatFields } from './flat-fields.ts';

/** A struct as builtin-types.ts names it: `core.v1.PodSpec`. */
export type StructName = `${string}.v${1 | 2}${'' | `alpha${1 | 2 | 3}` | `beta${1 | 2}`}.${string}`;

/** A copy of a struct with some fields set, in Go's order; a field given as undefined is removed. */
export function withFields(name: StructName, struct: JsonObject, fields: JsonObject): JsonObject {
  const ranks = ranksOf(name);
  const rankOf = (field: string): number => ranks.get(field) ?? ranks.size;
  const byRank = (a: string, b: string): number => rankOf(a) - rankOf(b);
  const added = Object.keys(fields).filter((field) => !Object.hasOwn(struct, field));
  if (added.length > 1) added.sort(byRank);
  const result: Record<string, JsonValue> = {};
  const put = (field: string): void => {
    const value = Object.hasOwn(fields, field) ? fields[field] : struct[field];
    if (value !== undefined) result[field] = value;
  };
  let next = 0;
  for (const field of inOrder(Object.keys(struct), byRank)) {
    for (let other = added[next]; other !== undefined && byRank(other, field) < 0; other = added[++next]) put(other);
    put(field);
  }
  added.slice(next).forEach(put);
  return result;
}

type Order = (a: string, b: string) => number;

/** A struct comes from the codec, nearly always, which keeps the order. */
const inOrder = (names: readonly string[], order: Order): readonly string[] =>
  names.every((name, at) => at === 0 || order(names[at - 1] ?? '', name) <= 0) ? names : names.toSorted(order);

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
