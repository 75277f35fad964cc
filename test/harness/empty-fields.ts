import type { KubernetesObject } from '../../src/machinery/meta/object.ts';
import { asObject, isJsonObject, isList, type JsonValue, setOwn } from '../../src/machinery/json/json.ts';
import { readFileSync } from 'node:fs';

/** Go's kind of a field that can be empty: a slice, a map, bytes, a string, or a pointer to a string. */
export type GoKind = 'slice' | 'map' | 'bytes' | 'string' | '*string';

/** The path of a field that can be empty in its Go type. */
export interface EmptyField {
  readonly path: readonly (string | number)[];
  readonly kind: GoKind;
  readonly omitEmpty: boolean;
}

export const emptyOf: Readonly<Record<GoKind, JsonValue>> = {
  slice: [],
  map: {},
  bytes: '',
  string: '',
  '*string': '',
};

/** The paths in a sample object, derived from the release table alone: `name type flags number …`. */
export const findEmptyFields = (object: KubernetesObject): readonly EmptyField[] =>
  fieldsIn(newestTables.kinds[`${object.apiVersion}/${object.kind}`] ?? '', object, []);

function fieldsIn(type: string, value: JsonValue | undefined, path: readonly (string | number)[]): EmptyField[] {
  if (type.startsWith('[]')) {
    const items = Array.isArray(value) ? value : [];
    return items.flatMap((item, index) => fieldsIn(type.slice(2), item, [...path, index]));
  }
  if (type.startsWith('{}')) {
    const entries = isJsonObject(value) ? Object.entries(value) : [];
    return entries.flatMap(([key, item]) => fieldsIn(type.slice(2), item, [...path, key]));
  }
  const made = newestTables.types[type];
  if (typeof made === 'string') return made.startsWith('union') ? [] : fieldsIn(aliasedType(made), value, path);
  if (made === undefined || !isJsonObject(value)) return [];
  return made.flatMap((line) => {
    const [name = '', of = '', flags = ''] = line.split(' ');
    if (name === '' || name.startsWith(',')) return fieldsIn(of, value, path);
    const kind = goKind(of, flags.includes('p'));
    const own = kind ? [{ path: [...path, name], kind, omitEmpty: flags.includes('o') }] : [];
    return [...own, ...fieldsIn(of, value[name], [...path, name])];
  });
}

const aliasedType = (text: string): string => (text.split('|')[0] ?? '').replace('!', '');

function goKind(type: string, pointer: boolean): GoKind | undefined {
  const made = newestTables.types[type];
  if (typeof made === 'string' && !made.startsWith('union')) return goKind(aliasedType(made), pointer);
  if (type.startsWith('[]')) return 'slice';
  if (type.startsWith('{}')) return 'map';
  if (type === 'bytes') return 'bytes';
  return type === 'string' ? (pointer ? '*string' : 'string') : undefined;
}

/** Sets or removes the value at a path. */
export function setAtPath(
  object: JsonValue,
  path: readonly (string | number)[],
  value: JsonValue | undefined,
): JsonValue {
  const [step, ...rest] = path;
  if (step === undefined) return value ?? null;
  if (Array.isArray(object)) return object.map((item, index) => (index === step ? setAtPath(item, rest, value) : item));
  const { [step]: old, ...others } = asObject(isJsonObject(object) ? object : undefined);
  if (rest.length === 0 && value === undefined) return others;
  return setOwn(others, String(step), setAtPath(old ?? {}, rest, value));
}

/** The value at a path; undefined when a field is missing. */
export function getAtPath(object: JsonValue, path: readonly (string | number)[]): JsonValue | undefined {
  let value: JsonValue | undefined = object;
  for (const step of path) {
    if (typeof step === 'number') value = isList(value) ? value[step] : undefined;
    else value = isJsonObject(value) ? value[step] : undefined;
  }
  return value;
}

/** The release table in the form of its file. */
export const newestTables: {
  readonly kinds: Readonly<Record<string, string>>;
  readonly types: Readonly<Record<string, string | readonly string[]>>;
} = JSON.parse(readFileSync(new URL('../../src/api/release/newest/types.json', import.meta.url), 'utf8'));
