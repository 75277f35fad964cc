import { mapFields } from '../../machinery/meta/object.ts';
import { mapChanged, isJsonObject, type JsonObject, type JsonValue } from '../../machinery/json/json.ts';
import { additionalSchema, asResource, isTypeOrObjectMeta, type Structural } from './structural.ts';

/** Receives the path of each dropped field: `spec.list[0].x`. */
export type OnUnknown = (path: string) => void;

/**
 * Drops unknown fields; unchanged objects are shared. Follows apiextensions-apiserver
 * pkg/apiserver/schema/pruning/algorithm.go.
 */
export function pruneUnknownFields<T extends JsonObject>(resource: T, schema: Structural, onUnknown?: OnUnknown): T {
  return pruneObject(resource, asResource(schema), { path: '', onUnknown }) as T; // Type and metadata stay.
}

/** For a value inside a resource, such as a default. */
export const pruneValue = (value: JsonValue, schema: Structural): JsonValue =>
  pruneNode(value, schema, { path: '', onUnknown: undefined });

interface PruneSite {
  readonly path: string;
  readonly onUnknown: OnUnknown | undefined;
}

function pruneNode(value: JsonValue, schema: Structural | undefined, place: PruneSite): JsonValue {
  if (typeof value !== 'object' || value === null) return value;
  if (isJsonObject(value))
    return schema === undefined ? pruneAllFields(value, place) : pruneObject(value, schema, place);
  const items: readonly JsonValue[] = value;
  // Below a list that preserves unknown fields, the items' own properties are pruned.
  const kept = schema?.preservesUnknown === true;
  return mapChanged(items, (item, index) => {
    const inner = place.onUnknown ? { ...place, path: `${place.path}[${index}]` } : place;
    return kept ? dropNested(item, schema.items, inner) : pruneNode(item, schema?.items, inner);
  });
}

/** Upstream's skipPrune: unknown fields stay, known ones are pruned inside. */
function dropNested(value: JsonValue, schema: Structural | undefined, place: PruneSite): JsonValue {
  if (schema === undefined || typeof value !== 'object' || value === null) return value;
  return pruneNode(value, schema.preservesUnknown ? schema : { ...schema, preservesUnknown: true }, place);
}

function pruneAllFields(value: JsonObject, { path, onUnknown }: PruneSite): JsonObject {
  const fields = Object.keys(value);
  if (fields.length === 0) return value;
  if (onUnknown) for (const field of fields) onUnknown(childPath(path, field));
  return {};
}

function pruneObject(value: JsonObject, schema: Structural, place: PruneSite): JsonObject {
  const { properties, additional, preservesUnknown, embedded } = schema;
  return mapObject(value, (inner, field) => {
    if (embedded && isTypeOrObjectMeta(field)) return inner;
    const property = properties.get(field);
    const at = place.onUnknown ? { ...place, path: childPath(place.path, field) } : place;
    if (property !== undefined) return pruneNode(inner, property, at);
    if (additional !== undefined) return pruneNode(inner, additionalSchema(schema), at);
    if (preservesUnknown) return inner;
    place.onUnknown?.(at.path);
    return undefined;
  });
}

export const childPath = (path: string, field: string): string => (path === '' ? field : `${path}.${field}`);

/** `undefined` drops a field; the same object when nothing changes. */
export function mapObject(
  value: JsonObject,
  change: (inner: JsonValue, field: string) => JsonValue | undefined,
): JsonObject {
  let changes: Map<string, JsonValue | undefined> | undefined;
  for (const [field, inner] of Object.entries(value)) {
    if (inner === undefined) continue;
    const changed = change(inner, field);
    if (changed !== inner) (changes ??= new Map()).set(field, changed);
  }
  return changes === undefined
    ? value
    : mapFields(Object.keys(value), (field) => (changes.has(field) ? changes.get(field) : value[field]));
}
