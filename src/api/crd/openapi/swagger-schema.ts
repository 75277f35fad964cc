import { asList, asObject, asString, isJsonObject } from '../../../machinery/json/json.ts';
import type { JsonObject, JsonValue } from '../../../machinery/json/json.ts';

const unknownToSwagger = new Set(['allOf', 'anyOf', 'oneOf', 'not', 'default', 'nullable', 'example', 'externalDocs']);

/**
 * What of a schema can be said in OpenAPI version 2, a node a step, as old clients read it: a null fits no type, and fields that are not
 * known fit none either. Follows apiextensions-apiserver pkg/controller/openapi/v2/conversion.go.
 */
export function swaggerSchema(schema: JsonObject): JsonObject {
  const isVague = schema['nullable'] === true || schema['x-kubernetes-preserve-unknown-fields'] === true;
  const told: [string, JsonValue | undefined][] = [];
  for (const [field, value] of Object.entries(schema)) {
    const isShape = field === 'items' || field === 'properties' || field === 'type';
    if (unknownToSwagger.has(field) || (isVague && isShape)) continue;
    told.push([field, swaggerField(field, value, schema)]);
  }
  return Object.fromEntries(told);
}

function swaggerField(field: string, value: JsonValue | undefined, schema: JsonObject): JsonValue | undefined {
  if (field === 'properties') return swaggerProperties(asObject(value));
  if (field === 'required') return requiredOf(schema);
  const isInside = (field === 'items' || field === 'additionalProperties') && isJsonObject(value);
  return isInside ? swaggerSchema(value) : value;
}

function swaggerProperties(properties: JsonObject): JsonObject {
  const told: [string, JsonObject][] = [];
  for (const [name, schema] of Object.entries(properties)) told.push([name, swaggerSchema(asObject(schema))]);
  return Object.fromEntries(told);
}

/** What may be null need not be there. */
const requiredOf = ({ required, properties }: JsonObject): readonly JsonValue[] =>
  asList(required).filter((name) => asObject(asObject(properties)[asString(name)])['nullable'] !== true);
