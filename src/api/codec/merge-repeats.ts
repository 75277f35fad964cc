import { isJsonObject, setOwn } from '../../machinery/json/json.ts';
import type { JsonDocument } from '../../machinery/json/json.ts';
import { chosen, isRepeatedFields, isRepeatedList, RepeatedValue } from '../../machinery/json/repeated-keys.ts';
import type { RepeatedDocument } from '../../machinery/json/repeated-keys.ts';
import type { BuiltinTypes } from '../types/builtin-types.ts';
import { flatFields } from '../types/flat-fields.ts';
import type { TypeRef } from '../types/type-info.ts';

/**
 * What Go makes of a document of type `name` that repeats keys: each value is read over what the one before it has left.
 * Fields of a struct are kept, keys of a map too, items of a list are read over those in their places; any other value
 * takes the place of the one before. Follows sigs.k8s.io/json internal/golang/encoding/json/decode.go object and array.
 */
export const mergeRepeats = (types: BuiltinTypes, document: RepeatedDocument, name: string): JsonDocument =>
  settled({ types, fieldsOf: new Map() }, document, { type: { type: 'named', name }, pointer: false });

interface Merge {
  readonly types: BuiltinTypes;
  readonly fieldsOf: Map<string, ReadonlyMap<string, ReadInto>>;
}

/** Where a value is read into. */
interface ReadInto {
  readonly type: TypeRef;
  readonly pointer: boolean;
}

type Fields = Record<string, JsonDocument>;

function settled(merge: Merge, document: RepeatedDocument, place: ReadInto): JsonDocument {
  if (document instanceof RepeatedValue) {
    let whole: JsonDocument = null;
    for (const [at, value] of document.values.entries()) {
      const next: JsonDocument = settled(merge, value, place);
      whole = at === 0 ? next : readOver(merge, whole, next, place);
    }
    return whole;
  }
  const type = plainType(merge, place.type);
  if (type.type === 'list' && isRepeatedList(document)) {
    const list: JsonDocument[] = [];
    for (const item of document) list.push(settled(merge, item, elementOf(type.of)));
    return list;
  }
  if (!isRepeatedFields(document)) return chosen(document, Infinity);
  const fields: Fields = {};
  for (const key of Object.keys(document)) {
    setOwn(fields, key, settledField(merge, document[key] ?? null, type, key));
  }
  return fields;
}

/** A map has a fresh value for each of its keys: the last one counts. */
function settledField(merge: Merge, value: RepeatedDocument, type: TypeRef, key: string): JsonDocument {
  if (type.type === 'map') {
    const last = value instanceof RepeatedValue ? value.values.at(-1) : value;
    return settled(merge, last ?? null, elementOf(type.of));
  }
  const place = type.type === 'named' ? fieldsOf(merge, type.name).get(key) : undefined;
  return place ? settled(merge, value, place) : chosen(value, Infinity);
}

/** What is there was made here, and nobody else holds it yet. */
function readOver(merge: Merge, old: JsonDocument, next: JsonDocument, place: ReadInto): JsonDocument {
  const type = plainType(merge, place.type);
  if (next === null) return isKeptByNull(merge, type, place.pointer) ? old : null;
  if (type.type === 'list' && isItems(old) && isItems(next)) return readListOver(merge, old, next, type.of);
  if (!isFields(old) || !isFields(next)) return next;
  if (type.type === 'map') return readMapOver(old, next);
  const fields = type.type === 'named' ? fieldsOf(merge, type.name) : noFields;
  return fields.size === 0 ? next : readStructOver(merge, old, next, fields);
}

function readMapOver(old: Fields, next: Fields): JsonDocument {
  for (const key of Object.keys(next)) setOwn(old, key, next[key] ?? null);
  return old;
}

function readListOver(
  merge: Merge,
  old: readonly JsonDocument[],
  next: readonly JsonDocument[],
  of: TypeRef,
): JsonDocument {
  const list: JsonDocument[] = [];
  for (const [at, item] of next.entries()) {
    const there = old[at];
    list.push(there === undefined ? item : readOver(merge, there, item, elementOf(of)));
  }
  return list;
}

function readStructOver(merge: Merge, old: Fields, next: Fields, places: ReadonlyMap<string, ReadInto>): JsonDocument {
  for (const key of Object.keys(next)) {
    const there = Object.hasOwn(old, key) ? old[key] : undefined;
    const [value, place] = [next[key] ?? null, places.get(key)];
    setOwn(old, key, there === undefined || !place ? value : readOver(merge, there, value, place));
  }
  return old;
}

const isItems = (value: JsonDocument): value is readonly JsonDocument[] => Array.isArray(value);

const noFields: ReadonlyMap<string, ReadInto> = new Map();

const isFields = (value: JsonDocument): value is Fields => isJsonObject(value);

const elementOf = (type: TypeRef): ReadInto => ({ type, pointer: false });

/** Null empties pointers, lists and maps, and what reads itself from it; structs and plain values stay as they are. */
function isKeptByNull({ types }: Merge, type: TypeRef, pointer: boolean): boolean {
  if (pointer) return false;
  if (type.type === 'named') return types.typeInfo(type.name)?.is === 'struct';
  return type.type === 'scalar' && keptByNull.has(type.scalar);
}

const keptByNull = new Set(['string', 'bool', 'int32', 'int64', 'float64', 'raw', 'json', 'fieldsv1']);

/** What a name is another name of. */
function plainType(merge: Merge, type: TypeRef): TypeRef {
  const info = type.type === 'named' ? merge.types.typeInfo(type.name) : undefined;
  return info?.is === 'alias' ? plainType(merge, info.of) : type;
}

/** Those of a struct; none of any other type. */
function fieldsOf({ types, fieldsOf: known }: Merge, name: string): ReadonlyMap<string, ReadInto> {
  const there = known.get(name);
  if (there) return there;
  const fields = new Map(flatFields(types, name).map((field): [string, ReadInto] => [field.name, field]));
  known.set(name, fields);
  return fields;
}
