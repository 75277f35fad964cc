import { apiVersionOf, type GroupVersionKind } from '../../src/machinery/meta/gvk.ts';
import { asObject, type JsonObject, type JsonValue } from '../../src/machinery/json/json.ts';
import type { Scalar, TypeInfo, TypeRef } from '../../src/api/types/type-info.ts';
import { defaultRelease } from '../../src/api/release/load-release.ts';

/**
 * An object of a built-in kind with every field that protobuf can encode, two items in each list and two keys in each map.
 * A recursive type is expanded twice.
 */
export function maximalObject(kind: GroupVersionKind): JsonObject {
  const type = defaultRelease.types.typeOfKind(kind);
  if (type === undefined) throw new Error(`no such kind: ${kind.kind}`);
  return { kind: kind.kind, apiVersion: apiVersionOf(kind), ...fieldsOf(type, createMaker()) };
}

interface Maker {
  /** A counter that makes all values different. */
  readonly next: () => number;
  readonly open: readonly string[];
}

function createMaker(): Maker {
  let made = 0;
  return { next: () => (made += 1), open: [] };
}

function fieldsOf(type: string, { next, open }: Maker): JsonObject {
  const info = defaultRelease.types.typeInfo(type);
  if (info?.is !== 'struct') throw new Error(`${type} is no struct`);
  const inside = { next, open: [...open, type] };
  const fields: [string, JsonValue][] = [];
  for (const { name, type: of, number } of info.fields) {
    const value = number > 0 ? valueOf(of, inside) : undefined;
    if (value === undefined) continue;
    if (name === '') fields.push(...definedEntries(asObject(value)));
    else fields.push([name, value]);
  }
  return Object.fromEntries(fields);
}

const definedEntries = (object: JsonObject): [string, JsonValue][] =>
  Object.entries(object).flatMap(([field, value]): [string, JsonValue][] =>
    value === undefined ? [] : [[field, value]],
  );

const twice = [1, 2] as const;

function valueOf(type: TypeRef, maker: Maker): JsonValue | undefined {
  switch (type.type) {
    case 'scalar':
      return scalars[type.scalar](maker.next());
    case 'list':
      return definedItems(twice.map(() => valueOf(type.of, maker)));
    case 'map': {
      const entries = twice.map(() => [`key-${maker.next()}`, valueOf(type.of, maker)] as const);
      return entries.some(([, value]) => value === undefined) ? undefined : Object.fromEntries(entries);
    }
    case 'named':
      return namedOf(type.name, maker);
  }
}

function definedItems(values: readonly (JsonValue | undefined)[]): readonly JsonValue[] | undefined {
  const known = values.filter((value) => value !== undefined);
  return known.length === 0 ? undefined : known;
}

function namedOf(name: string, maker: Maker): JsonValue | undefined {
  const info = defaultRelease.types.typeInfo(name);
  if (info === undefined) throw new Error(`no type ${name}`);
  if (info.is === 'alias') return info.values[0] ?? valueOf(info.of, maker);
  if (info.is === 'union') return unionOf(info, maker);
  if (maker.open.filter((each) => each === name).length > 1) return undefined;
  return fieldsOf(name, maker);
}

const schema = 'apiextensions.v1.JSONSchemaProps';

/** Alternately a schema and the other type of the union. */
function unionOf({ numbers }: TypeInfo & { readonly is: 'union' }, maker: Maker): JsonValue | undefined {
  const isSchema = maker.next() % 2 === 0;
  if (isSchema) return namedOf(schema, maker);
  if ('allows' in numbers) return true;
  if ('property' in numbers) return [`text-${maker.next()}`, `text-${maker.next()}`];
  return definedItems(twice.map(() => namedOf(schema, maker)));
}

const twoDigits = (seed: number): string => String(seed % 60).padStart(2, '0');

const scalars: Readonly<Record<Scalar, (seed: number) => JsonValue>> = {
  string: (seed) => `text-${seed} ü€😀`,
  bool: () => true,
  int32: (seed) => (seed % 2 === 0 ? seed : -seed),
  int64: (seed) => (seed % 2 === 0 ? 9_007_199_254_740_993n + BigInt(seed) : -seed),
  float64: (seed) => seed + 0.5,
  bytes: (seed) => btoa(`bytes-${seed}`),
  quantity: (seed) => `${seed}1m`, // No multiple of 1000, which has a shorter form.
  intstr: (seed) => (seed % 2 === 0 ? seed : `${seed}%`),
  time: (seed) => `2026-01-02T03:04:${twoDigits(seed)}Z`,
  microtime: (seed) => `2026-01-02T03:04:${twoDigits(seed)}.123456Z`,
  duration: (seed) => `${(seed % 59) + 1}s`,
  raw: (seed) => ({ raw: seed }),
  fieldsv1: (seed) => ({ [`f:field-${seed}`]: {} }),
  json: (seed) => ({ json: [seed, null, true] }),
  any: (seed) => ({ any: seed }),
};
