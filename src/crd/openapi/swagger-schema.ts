import { asList, asObject, asString, isJsonObject } from '../../apimachinery/json.ts';
import type { JsonObject, JsonValue } from '../../apimachinery/json.ts';

const unknownToSwagger = new Set(['allOf', 'anyOf', 'oneOf', 'not', 'default', 'nullable', 'example', 'externalDocs']);

/**
 * What of a schema can be said in OpenAPI version 2, as old clients read it: a null fits no type, and fields that are not
 * known fit none either. Follows apiextensions-apiserver pkg/controller/openapi/v2/conversion.go.
 */
export function swaggerSchema(schema: JsonObject): JsonObject {
  const isOpen = schema['x-kubernetes-preserve-unknown-fields'] === true;
  const isVague = schema['nullable'] === true || isOpen;
  const fields = Object.entries(schema).filter(
    ([field]) =>
      !unknownToSwagger.has(field) && !(isVague && (field === 'items' || field === 'properties' || field === 'type')),
  );
  return Object.fromEntries(
    fields.map(([field, value]): [string, JsonValue | undefined] => {
      if (field === 'properties') return [field, swaggerProperties(asObject(value))];
      if (field === 'required') return [field, requiredOf(schema)];
      const isInside = (field === 'items' || field === 'additionalProperties') && isJsonObject(value);
      return [field, isInside ? swaggerSchema(value) : value];
    }),
  );
}

const swaggerProperties = (properties: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, swaggerSchema(asObject(schema))]));

/** What may be null need not be there. */
const requiredOf = ({ required, properties }: JsonObject): readonly JsonValue[] =>
  asList(required).filter((name) => asObject(asObject(properties)[asString(name)])['nullable'] !== true);
