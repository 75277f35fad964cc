import { asList, asObject, asString, isJsonObject } from '../../apimachinery/json.ts';
import type { JsonObject, JsonValue } from '../../apimachinery/json.ts';
import type { Steps } from '../../apimachinery/pause.ts';

const unknownToSwagger = new Set(['allOf', 'anyOf', 'oneOf', 'not', 'default', 'nullable', 'example', 'externalDocs']);

/**
 * What of a schema can be said in OpenAPI version 2, a node a step, as old clients read it: a null fits no type, and fields that are not
 * known fit none either. Follows apiextensions-apiserver pkg/controller/openapi/v2/conversion.go.
 */
export function* swaggerSchema(schema: JsonObject): Steps<JsonObject> {
  yield;
  const isOpen = schema['x-kubernetes-preserve-unknown-fields'] === true;
  const isVague = schema['nullable'] === true || isOpen;
  const told: [string, JsonValue | undefined][] = [];
  for (const [field, value] of Object.entries(schema)) {
    if (unknownToSwagger.has(field)) continue;
    if (isVague && (field === 'items' || field === 'properties' || field === 'type')) continue;
    if (field === 'properties') told.push([field, yield* swaggerProperties(asObject(value))]);
    else if (field === 'required') told.push([field, requiredOf(schema)]);
    else if ((field === 'items' || field === 'additionalProperties') && isJsonObject(value)) {
      told.push([field, yield* swaggerSchema(value)]);
    } else told.push([field, value]);
  }
  return Object.fromEntries(told);
}

function* swaggerProperties(properties: JsonObject): Steps<JsonObject> {
  const told: [string, JsonObject][] = [];
  for (const [name, schema] of Object.entries(properties)) told.push([name, yield* swaggerSchema(asObject(schema))]);
  return Object.fromEntries(told);
}

/** What may be null need not be there. */
const requiredOf = ({ required, properties }: JsonObject): readonly JsonValue[] =>
  asList(required).filter((name) => asObject(asObject(properties)[asString(name)])['nullable'] !== true);
