import { asList, asObject, asString, isJsonObject, type JsonObject } from '../../../machinery/json/json.ts';
import {
  type FieldError,
  forbiddenField,
  invalidValue,
  notSupportedText,
  required,
} from '../../../machinery/meta/field-error.ts';

/** Follows apiextensions-apiserver pkg/apis/apiextensions/validation/validation.go. */
export function validateListSchema(
  schema: JsonObject,
  path: string,
  { atomicSets, soundMapKeys }: SchemaStrictness,
): readonly FieldError[] {
  return [
    ...validateListType(schema, path, atomicSets),
    ...validateMapKeys(schema, path),
    ...(readListType(schema) === 'map' ? validateMapItems(schema, path) : []),
    ...(soundMapKeys ? validateMapListKeysMapSet(schema, path) : []),
  ];
}

const readListType = (schema: JsonObject): string | undefined => {
  const type = schema['x-kubernetes-list-type'];
  return typeof type === 'string' ? type : undefined;
};

const listMapKeys = (schema: JsonObject): readonly string[] =>
  asList(schema['x-kubernetes-list-map-keys']).map(asString);

function validateListType(schema: JsonObject, path: string, atomicSets: boolean): readonly FieldError[] {
  const listType = readListType(schema);
  if (listType === undefined) return [];
  const type = asString(schema['type']);
  const errors: FieldError[] = [];
  if (type !== 'array') {
    const detail = 'must be array if x-kubernetes-list-type is specified';
    errors.push(type === '' ? required(`${path}.type`, detail) : invalidValue(`${path}.type`, type, detail));
  } else if (atomicSets && listType === 'set') errors.push(...validateSetItems(schema, path));
  if (!['atomic', 'set', 'map'].includes(listType)) {
    errors.push(notSupportedText(`${path}.x-kubernetes-list-type`, listType, ['atomic', 'set', 'map']));
  }
  return errors;
}

const notAtomicText = 'must be atomic as item of a list with x-kubernetes-list-type=set';

/** Upstream prints the items' list type in both cases. */
function validateSetItems({ items }: JsonObject, path: string): readonly FieldError[] {
  if (!isJsonObject(items)) return [];
  const listType = items['x-kubernetes-list-type'] ?? null;
  if (items['type'] === 'array' && listType !== null && listType !== 'atomic') {
    return [invalidValue(`${path}.items.x-kubernetes-list-type`, listType, notAtomicText)];
  }
  return items['type'] === 'object' && items['x-kubernetes-map-type'] !== 'atomic'
    ? [invalidValue(`${path}.items.x-kubernetes-map-type`, listType, notAtomicText)]
    : [];
}

export const hasInvalidSet = (schema: JsonObject): boolean =>
  readListType(schema) === 'set' && validateSetItems(schema, '').length > 0;

export const hasInvalidMapKeys = (schema: JsonObject): boolean => validateMapListKeysMapSet(schema, '').length > 0;

function validateMapKeys(schema: JsonObject, path: string): readonly FieldError[] {
  if (listMapKeys(schema).length === 0) return [];
  const listType = readListType(schema);
  const at = `${path}.x-kubernetes-list-type`;
  const detail = 'must be map if x-kubernetes-list-map-keys is non-empty';
  if (listType === undefined) return [required(at, detail)];
  return listType === 'map' ? [] : [invalidValue(at, listType, detail)];
}

function validateMapItems(schema: JsonObject, path: string): readonly FieldError[] {
  const { items } = schema;
  const errors: FieldError[] = [];
  if (listMapKeys(schema).length === 0) {
    errors.push(required(`${path}.x-kubernetes-list-map-keys`, 'must not be empty if x-kubernetes-list-type is map'));
  }
  if (items === undefined || items === null) {
    errors.push(required(`${path}.items`, 'must have a schema if x-kubernetes-list-type is map'));
  }
  if (!isJsonObject(items)) return errors;
  if (items['type'] === 'object') return [...errors, ...validateMapKeyProperties(schema, items, path)];
  const detail = "must be object if parent array's x-kubernetes-list-type is map";
  return [...errors, invalidValue(`${path}.items.type`, asString(items['type']), detail)];
}

function validateMapKeyProperties(schema: JsonObject, items: JsonObject, path: string): readonly FieldError[] {
  const properties = asObject(items['properties']);
  const keys = listMapKeys(schema);
  const seen = new Set<string>();
  const at = `${path}.x-kubernetes-list-map-keys`;
  const scalar = "must be a scalar type if parent array's x-kubernetes-list-type is map";
  return keys.flatMap((key) => {
    const isRepeated = seen.has(key);
    seen.add(key);
    const isKnown = Object.hasOwn(properties, key);
    const { type } = asObject(isKnown ? properties[key] : undefined);
    return [
      ...(type === 'array' || type === 'object'
        ? [invalidValue(`${path}.items.properties[${key}].type`, asString(items['type']), scalar)]
        : []),
      ...(isKnown ? [] : [invalidValue(at, keys, 'entries must all be names of item properties')]),
      ...(isRepeated ? [invalidValue(at, keys, 'must not contain duplicate entries')] : []),
    ];
  });
}

/** Items of sets and maps, and map keys, are not nullable. Follows validateMapListKeysMapSet. */
function validateMapListKeysMapSet(schema: JsonObject, path: string): readonly FieldError[] {
  const listType = readListType(schema);
  const { items } = schema;
  if (!isJsonObject(items) || (listType !== 'set' && listType !== 'map')) return [];
  const detail = `cannot be nullable when x-kubernetes-list-type is ${listType}`;
  return [
    ...(items['nullable'] === true ? [forbiddenField(`${path}.items.nullable`, detail)] : []),
    ...(listType === 'map' ? validateRequiredMapKeys(listMapKeys(schema), items, path) : []),
  ];
}

const requiredMapKeyText =
  'this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property';

function validateRequiredMapKeys(keys: readonly string[], items: JsonObject, path: string): readonly FieldError[] {
  const properties = asObject(items['properties']);
  const needed = new Set(asList(items['required']));
  return keys.flatMap((key) => {
    const property = Object.hasOwn(properties, key) ? properties[key] : undefined;
    if (!isJsonObject(property)) return [];
    const at = `${path}.items.properties[${key}]`;
    const hasDefault = property['default'] !== undefined && property['default'] !== null;
    return [
      ...(needed.has(key) || hasDefault ? [] : [required(`${at}.default`, requiredMapKeyText)]),
      ...(property['nullable'] === true
        ? [forbiddenField(`${at}.nullable`, 'this property is in x-kubernetes-list-map-keys, so it cannot be nullable')]
        : []),
    ];
  });
}

/** Checks that an update skips if the old definition violated them. */
export interface SchemaStrictness {
  readonly knownTypes: boolean;
  readonly atomicSets: boolean;
  readonly soundMapKeys: boolean;
}
