import { goJsonKind } from '../go/go-print.ts';
import { append, isJsonObject, type JsonDocument, JsonNumber, type JsonValue } from '../json/json.ts';

type Plain = JsonDocument | JsonValue | undefined;

/** A Go struct with its fields, as `cannot unmarshal` names them: `PolicyRule` at `rules`. */
export interface StructPath {
  readonly struct: string;
  /** Path of the struct from the root; '' for the root. */
  readonly path: string;
}

export interface DecodeErrors {
  /** The first field of a wrong type, in Go's words. */
  readonly fatal: () => string | undefined;
  /** Unknown fields, as Go's strict decoder names them. */
  readonly unknown: () => readonly string[];
}

export interface FieldReader extends DecodeErrors {
  readonly text: (fields: Fields, name: string, place: StructPath, type?: string) => string;
  readonly texts: (fields: Fields, name: string, place: StructPath, type?: string) => readonly string[];
  readonly truth: (fields: Fields, name: string, place: StructPath) => boolean | undefined;
  /** A whole number; 0 when it is not said. */
  readonly whole: (fields: Fields, name: string, place: StructPath, type: string) => number;
  readonly object: (fields: Fields, name: string, place: StructPath, type: string) => Fields;
  readonly objects: (fields: Fields, name: string, place: StructPath, type: string) => readonly Fields[];
  /** Complains of every field but these; `at` is the strict decoder's path: `rules[0]`. */
  readonly only: (fields: Fields, known: readonly string[], at: string) => void;
}

export type Fields = Readonly<Record<string, Plain>>;

/** Reads fields as Go's JSON decoder does: null is nothing, another type is an error. Follows go src/encoding/json/decode.go. */
export function createFieldReader(): FieldReader {
  const faults: string[] = [];
  const strangers: string[] = [];
  const wrong = (value: Plain, where: Where): void => void faults.push(mismatch(value, where));
  const textOf = (value: Plain, where: Where): string => {
    if (typeof value === 'string') return value;
    if (value !== null && value !== undefined) wrong(value, where);
    return '';
  };
  const objectOf = (value: Plain, where: Where): Fields => {
    if (isJsonObject(value)) return value;
    if (value !== null && value !== undefined) wrong(value, where);
    return {};
  };
  const listOf = (value: Plain, where: Where): readonly Plain[] => {
    if (Array.isArray(value)) return value;
    if (value !== null && value !== undefined) wrong(value, { ...where, type: `[]${where.type}` });
    return [];
  };
  return {
    fatal: () => faults[0],
    unknown: () => strangers,
    text: (fields, name, place, type = 'string') => textOf(fields[name], { name, place, type }),
    texts: (fields, name, place, type = 'string') =>
      listOf(fields[name], { name, place, type }).map((item) => textOf(item, { name, place, type })),
    truth: (fields, name, place) => {
      const value = fields[name];
      if (typeof value === 'boolean') return value;
      if (value !== null && value !== undefined) wrong(value, { name, place, type: 'bool' });
      return undefined;
    },
    whole: (fields, name, place, type) => {
      const value = wholeNumber(fields[name]);
      if (value === undefined) wrong(fields[name], { name, place, type });
      return value ?? 0;
    },
    object: (fields, name, place, type) => objectOf(fields[name], { name, place, type }),
    objects: (fields, name, place, type) =>
      listOf(fields[name], { name, place, type }).map((item) => objectOf(item, { name, place, type })),
    only: (fields, known, at) => {
      const names = Object.keys(fields).filter((name) => !known.includes(name));
      append(
        strangers,
        names.map((name) => `unknown field "${at === '' ? name : `${at}.${name}`}"`),
      );
    },
  };
}

/** Nothing counts as 0; undefined for what is no whole number. */
function wholeNumber(value: Plain): number | undefined {
  if (value === null || value === undefined) return 0;
  const number = value instanceof JsonNumber ? Number(value.text) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) ? number : undefined;
}

function mismatch(value: Plain, { name, place, type }: Where): string {
  const path = place.path === '' ? name : `${place.path}.${name}`;
  return `json: cannot unmarshal ${goJsonKind(value)} into Go struct field ${place.struct}.${path} of type ${type}`;
}

interface Where {
  readonly name: string;
  readonly place: StructPath;
  readonly type: string;
}
