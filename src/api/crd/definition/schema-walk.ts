import { asList, isJsonObject } from '../../../machinery/json/json.ts';
import type { JsonObject, JsonValue } from '../../../machinery/json/json.ts';

/** Schemas that a value has one by one. */
const single = ['not', 'additionalProperties', 'additionalItems'] as const;
const lists = ['allOf', 'anyOf', 'oneOf'] as const;
const maps = ['properties', 'patternProperties', 'definitions', 'dependencies'] as const;

/** Every schema directly inside a schema. Follows apiextensions-apiserver pkg/apis/apiextensions/validation SchemaHas. */
function schemasInside(schema: JsonObject): readonly JsonObject[] {
  const inside: JsonObject[] = [];
  const add = (one: JsonValue | undefined): void => {
    if (isJsonObject(one)) inside.push(one);
  };
  const { items } = schema;
  if (Array.isArray(items)) asList(items).forEach(add);
  else add(items);
  for (const field of lists) asList(schema[field]).forEach(add);
  for (const field of single) add(schema[field]);
  for (const field of maps) {
    const map = schema[field];
    if (isJsonObject(map)) for (const name of Object.keys(map)) add(map[name]);
  }
  return inside;
}

/** A schema and every one inside it, outer ones first. */
export function* nodesOf(schema: JsonObject): Iterable<JsonObject> {
  const waiting = [schema];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    yield node;
    for (const inside of schemasInside(node).toReversed()) waiting.push(inside);
  }
}

/** Is this true of the schema, or of one inside it? */
export function schemaHas(schema: JsonObject, test: (schema: JsonObject) => boolean): boolean {
  for (const node of nodesOf(schema)) if (test(node)) return true;
  return false;
}
