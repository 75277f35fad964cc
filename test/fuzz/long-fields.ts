import { asString, isJsonObject, type JsonValue } from '../../src/machinery/json/json.ts';
import { parseApiVersion } from '../../src/machinery/meta/gvk.ts';
import type { Field, TypeRef } from '../../src/api/types/type-info.ts';
import { defaultRelease } from '../../src/api/release/load-release.ts';
import { createSeededRandom } from '../../src/testing/stubs/seeded-random.ts';
import { readSamples, type Sample } from '../differ/samples.ts';
import { withNumber } from './amplify.ts';

/** A field of a kind's type that can be long. */
export interface LongField {
  readonly sample: Sample;
  /** The path from the object; a number is an item of a list, `*` a key of a map. */
  readonly path: readonly (string | number)[];
  readonly is: 'list' | 'map' | 'text';
  /** The type of the items of a list or a map. */
  readonly of: TypeRef;
}

const { types } = defaultRelease;

/** Each field of each type once, at its first occurrence: the fields of a Pod are shared by six other kinds. */
export function findAllFields(): readonly LongField[] {
  const met = new Set<string>();
  return readSamples().flatMap((sample) => findFields(sample, met));
}

/** The long fields of this object's kind, without known ones. */
export function findFields(sample: Sample, met = new Set<string>()): readonly LongField[] {
  const { apiVersion, kind } = sample.object;
  const type = types.typeOfKind({ ...parseApiVersion(asString(apiVersion)), kind: asString(kind) });
  return type === undefined ? [] : fieldsOfType(type, { sample, path: [] }, met);
}

type Where = Pick<LongField, 'sample' | 'path'>;

function fieldsOfType(name: string, where: Where, met: Set<string>): readonly LongField[] {
  const info = types.typeInfo(name);
  if (info?.is === 'alias') return fieldsAt(info.of, where, met);
  if (info?.is === 'union') return fieldsOfType('apiextensions.v1.JSONSchemaProps', where, met);
  return (info?.fields ?? []).flatMap((field) => {
    if (isWrittenByServer(field) || (field.name !== '' && met.has(`${name}.${field.name}`))) return [];
    met.add(`${name}.${field.name}`);
    const path = field.name === '' ? where.path : [...where.path, field.name];
    return fieldsAt(field.type, { ...where, path }, met);
  });
}

/** Fields that only the server writes. */
const isWrittenByServer = ({ name }: Field): boolean => ['apiVersion', 'kind', 'managedFields'].includes(name);

function fieldsAt(type: TypeRef, { sample, path }: Where, met: Set<string>): readonly LongField[] {
  if (type.type === 'named') return fieldsOfType(type.name, { sample, path }, met);
  if (type.type === 'scalar') return texts.has(type.scalar) ? [{ sample, path, is: 'text', of: type }] : [];
  const key = type.type === 'list' ? 0 : '*';
  const inside = { sample, path: [...path, key] };
  return [{ sample, path, is: type.type, of: type.of }, ...fieldsAt(type.of, inside, met)];
}

const texts: ReadonlySet<string> = new Set([
  'string',
  'bytes',
  'quantity',
  'intstr',
  'time',
  'microtime',
  'duration',
  'raw',
  'fieldsv1',
  'json',
  'any',
]);

/** The same in random order. */
export function shuffle<T>(list: readonly T[]): readonly T[] {
  const random = createSeededRandom(1);
  return list
    .map((item) => ({ item, at: random() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ item }) => item);
}

/**
 * Sets the value at the path and creates missing parents. Lists on the path get this many items with
 * the value.
 */
export function setAtPath(
  value: JsonValue | undefined,
  path: LongField['path'],
  make: (was: JsonValue | undefined) => JsonValue,
  items = 1,
): JsonValue {
  const [key, ...rest] = path;
  if (key === undefined) return make(value);
  if (typeof key === 'number') {
    const [first, ...others] = Array.isArray(value) ? value : [];
    const item = setAtPath(first, rest, make, items);
    const more = Array.from({ length: items - 1 }, (_none, at) => withNumber(item, at));
    return [item, ...more, ...others];
  }
  const fields = isJsonObject(value) ? value : {};
  const name = key === '*' ? (Object.keys(fields)[0] ?? 'k') : key;
  return { ...fields, [name]: setAtPath(fields[name], rest, make, items) };
}

/** A minimal item: of a struct usually the field by which lists are keyed. */
export function shortItem(type: TypeRef): JsonValue {
  if (type.type === 'list') return [shortItem(type.of)];
  if (type.type === 'map') return { k: shortItem(type.of) };
  if (type.type === 'scalar') return shortScalar(type.scalar);
  const info = types.typeInfo(type.name);
  if (info?.is === 'alias') return info.values[0] ?? shortItem(info.of);
  if (info?.is !== 'struct') return {};
  const named = info.fields.filter(({ name }) => name !== '');
  const required = named.filter((field) => field.required && isScalar(field.type)).slice(0, 3);
  const chosen = required.length > 0 ? required : named.filter((field) => isScalar(field.type)).slice(0, 1);
  return Object.fromEntries(chosen.map((field) => [field.name, shortItem(field.type)]));
}

function isScalar(type: TypeRef): boolean {
  if (type.type !== 'named') return type.type === 'scalar';
  const info = types.typeInfo(type.name);
  return info?.is === 'alias' && isScalar(info.of);
}

function shortScalar(scalar: string): JsonValue {
  if (scalar === 'bool') return true;
  if (['int32', 'int64', 'float64', 'quantity', 'intstr'].includes(scalar)) return 1;
  if (['raw', 'fieldsv1', 'json', 'any'].includes(scalar)) return {};
  if (scalar.endsWith('time')) return '2026-01-02T03:04:05Z';
  return scalar === 'duration' ? '1s' : scalar === 'bytes' ? 'AAAA' : 'a';
}
