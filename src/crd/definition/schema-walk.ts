import { asList, asObject, isJsonObject } from '../../apimachinery/json.ts';
import type { JsonObject, JsonValue } from '../../apimachinery/json.ts';

/** Schemas that a value has one by one. */
const single = ['not', 'additionalProperties', 'additionalItems'] as const;
const lists = ['allOf', 'anyOf', 'oneOf'] as const;
const maps = ['properties', 'patternProperties', 'definitions', 'dependencies'] as const;

/** Every schema directly inside a schema. Follows apiextensions-apiserver pkg/apis/apiextensions/validation SchemaHas. */
export function schemasInside(schema: JsonObject): readonly JsonObject[] {
  const { items } = schema;
  const inside: readonly (JsonValue | undefined)[] = [
    ...(Array.isArray(items) ? asList(items) : [items]),
    ...lists.flatMap((field) => asList(schema[field])),
    ...single.map((field) => schema[field]),
    ...maps.flatMap((field) => Object.values(asObject(schema[field]))),
  ];
  return inside.filter((one) => isJsonObject(one));
}

/** Is this true of the schema, or of one inside it? */
export const schemaHas = (schema: JsonObject, test: (schema: JsonObject) => boolean): boolean =>
  test(schema) || schemasInside(schema).some((inside) => schemaHas(inside, test));
