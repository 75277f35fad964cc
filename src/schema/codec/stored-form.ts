import { namesOf } from '../../apimachinery/field-names.ts';
import { parseApiVersion } from '../../apimachinery/gvk.ts';
import { isJsonObject, setOwn } from '../../apimachinery/json.ts';
import type { JsonObject, JsonValue } from '../../apimachinery/json.ts';
import type { KubernetesObject } from '../../apimachinery/object.ts';
import type { BuiltinTypes } from '../types/builtin-types.ts';
import type { Field, TypeRef } from '../types/type-info.ts';

/**
 * The object as it comes back from storage, where protobuf cannot tell an empty list or map from none: the `rules: []`
 * that webhooks saw is null in the answer. The same object when nothing changes.
 * Follows the generated.pb.go files of k8s.io/api.
 */
export function storedForm(types: BuiltinTypes, object: KubernetesObject): KubernetesObject {
  if (object.apiVersion === storedAsJson || !hasEmptyListIn(object)) return object;
  const type = types.typeOfKind({ ...parseApiVersion(object.apiVersion), kind: object.kind });
  return type === undefined ? object : { ...object, ...storedFields(types, object, type) };
}

const storedAsJson = 'apiextensions.k8s.io/v1';

/** ObjectMeta prints no empty list, and its managedFields are long. */
function hasEmptyListIn(object: KubernetesObject): boolean {
  for (const field in object) if (field !== 'metadata' && hasEmptyList(object[field])) return true;
  return false;
}

/** A cheap look: an empty list that is printed at all is one of a field without omitempty, or in raw data. */
function hasEmptyList(value: JsonValue | undefined): boolean {
  if (Array.isArray(value)) return value.length === 0 || value.some(hasEmptyList);
  if (!isJsonObject(value)) return false;
  return namesOf(value).some((field) => hasEmptyList(value[field]));
}

function storedFields(types: BuiltinTypes, value: JsonObject, type: string): JsonObject {
  const info = types.typeInfo(type);
  if (info?.is !== 'struct') return value;
  return info.fields.reduce((parent, field) => storedField(types, parent, field), value);
}

function storedField(types: BuiltinTypes, parent: JsonObject, { name, type, omitEmpty }: Field): JsonObject {
  if (name === '') return type.type === 'named' ? storedFields(types, parent, type.name) : parent;
  const value = parent[name];
  if (value === undefined || value === null || !hasEmptyList(value)) return parent;
  const isNothing = Array.isArray(value) && value.length === 0 && type.type === 'list' && !omitEmpty;
  return { ...parent, [name]: isNothing ? null : storedValue(types, value, type) };
}

function storedValue(types: BuiltinTypes, value: JsonValue, type: TypeRef): JsonValue {
  if (type.type === 'named') return isJsonObject(value) ? storedFields(types, value, type.name) : value;
  if (type.type === 'list' && Array.isArray(value)) {
    const items: readonly JsonValue[] = value;
    return items.map((item) => storedValue(types, item, type.of));
  }
  if (type.type !== 'map' || !isJsonObject(value)) return value;
  const out: JsonObject = {};
  for (const [key, item] of Object.entries(value)) {
    if (item !== undefined) setOwn(out, key, storedValue(types, item, type.of));
  }
  return out;
}
