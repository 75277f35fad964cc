import { asList, isJsonObject, type JsonObject, type JsonValue } from '../../../machinery/json/json.ts';

const single = ['not', 'additionalProperties', 'additionalItems'] as const;
const lists = ['allOf', 'anyOf', 'oneOf'] as const;
const maps = ['properties', 'patternProperties', 'definitions', 'dependencies'] as const;

/** Follows apiextensions-apiserver pkg/apis/apiextensions/validation SchemaHas. */
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

/** Outer schemas first. */
export function* nodesOf(schema: JsonObject): Iterable<JsonObject> {
  const waiting = [schema];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    yield node;
    for (const inside of schemasInside(node).toReversed()) waiting.push(inside);
  }
}

export function schemaHas(schema: JsonObject, test: (schema: JsonObject) => boolean): boolean {
  for (const node of nodesOf(schema)) if (test(node)) return true;
  return false;
}
