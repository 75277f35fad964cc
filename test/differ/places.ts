import { asObject, asString, isJsonObject, type JsonObject, type JsonValue } from '../../src/machinery/json/json.ts';

/** The types of a server's OpenAPI document, by name. */
export type Definitions = JsonObject;

/** A place in an object: filled, or one that its type has. */
export interface Place {
  readonly path: readonly (string | number)[];
  readonly type: JsonObject;
  readonly isFilled: boolean;
}

/** A type with what it refers to. */
export function resolved(definitions: Definitions, type: JsonObject): JsonObject & { readonly name?: string } {
  const reference = asString(type['$ref']);
  if (reference === '') return type;
  const name = reference.slice('#/definitions/'.length);
  return { ...resolved(definitions, asObject(definitions[name])), name };
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

/** All places of an object but its managed fields, those that are empty too. */
export function placesOf(
  definitions: Definitions,
  value: JsonValue | undefined,
  type: JsonObject,
  path: Place['path'] = [],
): readonly Place[] {
  const { items, properties, additionalProperties } = resolved(definitions, type);
  const inside = (key: string | number, item: JsonValue | undefined, of: JsonObject): readonly Place[] => {
    const place = { path: [...path, key], type: of, isFilled: item !== undefined };
    return item === undefined ? [place] : [place, ...placesOf(definitions, item, of, place.path)];
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
