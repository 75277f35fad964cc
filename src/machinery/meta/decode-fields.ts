import { goJsonKind } from '../go/go-print.ts';
import { isJsonObject, type JsonDocument, JsonNumber, type JsonValue } from '../json/json.ts';

type Plain = JsonDocument | JsonValue | undefined;

export type Fields = Readonly<Record<string, Plain>>;

/** A Go struct: its type, as `cannot unmarshal` names it (`v1.PolicyRule`), and its fields. */
export interface Struct<T> {
  readonly type: string;
  readonly fields: { readonly [Name in keyof T]: StructField<T[Name]> };
}

/** Decodes the value of a field. */
export type StructField<T> = (value: Plain, place: Place) => T;

interface Place {
  /** The struct that has the field: `PolicyRule`. */
  readonly struct: string;
  /** In Go's messages: `rules.level`. */
  readonly path: string;
  /** The strict decoder's path: `rules[0].level`. */
  readonly at: string;
  readonly faults: string[];
  readonly unknown: string[];
}

export interface Decoding<T> {
  readonly value: T;
  /** The first field of a wrong type, in Go's words. */
  readonly fatal: string | undefined;
  /** Unknown fields, as Go's strict decoder names them. */
  readonly unknown: readonly string[];
}

/**
 * Decodes a document as Go's JSON decoder does: null is nothing, another type is an error. `path` is that of the
 * document in Go's messages. Follows go src/encoding/json/decode.go.
 */
export function decodeStruct<T>(struct: Struct<T>, document: Fields, path = ''): Decoding<T> {
  const place: Place = { struct: '', path, at: '', faults: [], unknown: [] };
  const { apiVersion: _version, kind: _kind, ...fields } = document;
  const value = decodeFields(struct, fields, place);
  return { value, fatal: place.faults[0], unknown: place.unknown };
}

function decodeFields<T>({ type, fields: known }: Struct<T>, fields: Fields, place: Place): T {
  const { path, at, faults, unknown } = place;
  const within = (parent: string, name: string): string => (parent === '' ? name : `${parent}.${name}`);
  for (const name of Object.keys(fields)) {
    if (!Object.hasOwn(known, name)) unknown.push(`unknown field "${within(at, name)}"`);
  }
  const struct = type.slice(type.lastIndexOf('.') + 1);
  const decoded = Object.entries<StructField<unknown>>(known).map(([name, field]) => [
    name,
    field(fields[name], { struct, path: within(path, name), at: within(at, name), faults, unknown }),
  ]);
  return Object.fromEntries(decoded) as T; // Every field of the struct is decoded.
}

const isAbsent = (value: Plain): value is null | undefined => value === null || value === undefined;

function addTypeError(value: Plain, { struct, path, faults }: Place, type: string): void {
  faults.push(`json: cannot unmarshal ${goJsonKind(value)} into Go struct field ${struct}.${path} of type ${type}`);
}

/** '' when absent. */
export const stringField =
  (type = 'string'): StructField<string> =>
  (value, place) => {
    if (typeof value === 'string') return value;
    if (!isAbsent(value)) addTypeError(value, place, type);
    return '';
  };

export const boolField: StructField<boolean | undefined> = (value, place) => {
  if (typeof value === 'boolean') return value;
  if (!isAbsent(value)) addTypeError(value, place, 'bool');
  return undefined;
};

/** A whole number; 0 when absent. */
export const intField =
  (type: string): StructField<number> =>
  (value, place) => {
    const number = value instanceof JsonNumber ? Number(value.text) : (value ?? 0);
    if (typeof number === 'number' && Number.isSafeInteger(number)) return number;
    addTypeError(value, place, type);
    return 0;
  };

export const objectField =
  <T>(struct: Struct<T>): StructField<T> =>
  (value, place) => {
    if (!isJsonObject(value) && !isAbsent(value)) addTypeError(value, place, struct.type);
    return decodeFields(struct, isJsonObject(value) ? value : {}, place);
  };

const listField =
  <T>(type: string, item: StructField<T>): StructField<readonly T[]> =>
  (value, place) => {
    if (Array.isArray(value)) return value.map((one, index) => item(one, { ...place, at: `${place.at}[${index}]` }));
    if (!isAbsent(value)) addTypeError(value, place, `[]${type}`);
    return [];
  };

export const stringsField = (type = 'string'): StructField<readonly string[]> => listField(type, stringField(type));

export const objectsField = <T>(struct: Struct<T>): StructField<readonly T[]> =>
  listField(struct.type, objectField(struct));

/** null when absent. */
export const optionalField =
  <T>(field: StructField<T>): StructField<T | null> =>
  (value, place) =>
    isAbsent(value) ? null : field(value, place);

/** Any value, unchecked. */
export const anyField: StructField<Plain> = (value) => value;
