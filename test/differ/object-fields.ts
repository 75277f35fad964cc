import { asObject, asString, isJsonObject, type JsonObject, type JsonValue } from '../../src/machinery/json/json.ts';

/** The types of a server's OpenAPI document, by name. */
export type Definitions = JsonObject;

/** A path in an object, with or without a value. */
export interface FieldOfObject {
  readonly path: readonly (string | number)[];
  readonly type: JsonObject;
  readonly isFilled: boolean;
}

/** A type with its references resolved. */
export function resolveType(definitions: Definitions, type: JsonObject): JsonObject & { readonly name?: string } {
  const reference = asString(type['$ref']);
  if (reference === '') return type;
  const name = reference.slice('#/definitions/'.length);
  return { ...resolveType(definitions, asObject(definitions[name])), name };
}

/** The type of objects of an apiVersion and kind. */
export function typeOfKind(definitions: Definitions, apiVersion: string, kind: string): JsonObject {
  const [version = '', group = ''] = apiVersion.split('/').toReversed();
  const found = Object.entries(definitions).find(([, type]) =>
    JSON.stringify(asObject(type)['x-kubernetes-group-version-kind'] ?? []).includes(
      JSON.stringify({ group, kind, version }),
    ),
  );
  return { $ref: `#/definitions/${found?.[0] ?? ''}` };
}

/** All paths of an object except its managed fields, also those without a value. */
export function collectFields(
  definitions: Definitions,
  value: JsonValue | undefined,
  type: JsonObject,
  path: FieldOfObject['path'] = [],
): readonly FieldOfObject[] {
  const { items, properties, additionalProperties } = resolveType(definitions, type);
  const inside = (key: string | number, item: JsonValue | undefined, of: JsonObject): readonly FieldOfObject[] => {
    const field = { path: [...path, key], type: of, isFilled: item !== undefined };
    return item === undefined ? [field] : [field, ...collectFields(definitions, item, of, field.path)];
  };
  if (Array.isArray(value)) return value.flatMap((item, index) => inside(index, item, asObject(items)));
  if (!isJsonObject(value)) return [];
  if (isJsonObject(additionalProperties)) {
    return Object.entries(value).flatMap(([key, item]) => inside(key, item, additionalProperties));
  }
  return Object.entries(asObject(properties)).flatMap(([key, of]) =>
    key === 'managedFields' ? [] : inside(key, value[key], asObject(of)),
  );
}
