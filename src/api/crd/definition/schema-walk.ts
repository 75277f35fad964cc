import {
  type JsonObject,
  type JsonValue,
  asList,
  asObject,
  asString,
  isJsonObject,
} from '../../../machinery/json/json.ts';
import { goQuote } from '../../../machinery/meta/field-error.ts';
import { isRecognized } from '../instances/value-schema.ts';
import { toInternalSpec, listSchemas } from './internal-spec.ts';

const schemaFields = ['not', 'additionalProperties', 'additionalItems'] as const;
const schemaListFields = ['allOf', 'anyOf', 'oneOf'] as const;
const schemaMapFields = ['properties', 'patternProperties', 'definitions', 'dependencies'] as const;

/** Follows apiextensions-apiserver pkg/apis/apiextensions/validation SchemaHas. */
function listSubschemas(schema: JsonObject): readonly JsonObject[] {
  const inside: JsonObject[] = [];
  const add = (one: JsonValue | undefined): void => {
    if (isJsonObject(one)) inside.push(one);
  };
  const { items } = schema;
  if (Array.isArray(items)) asList(items).forEach(add);
  else add(items);
  for (const field of schemaListFields) asList(schema[field]).forEach(add);
  for (const field of schemaFields) add(schema[field]);
  for (const field of schemaMapFields) {
    const map = schema[field];
    if (isJsonObject(map)) for (const name of Object.keys(map)) add(map[name]);
  }
  return inside;
}

/** Outer schemas first. */
export function* walkSchema(schema: JsonObject): Iterable<JsonObject> {
  const waiting = [schema];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    yield node;
    for (const inside of listSubschemas(node).toReversed()) waiting.push(inside);
  }
}

export function schemaHas(schema: JsonObject, test: (schema: JsonObject) => boolean): boolean {
  for (const node of walkSchema(schema)) if (test(node)) return true;
  return false;
}

const isText = (value: JsonValue | undefined): boolean => typeof value === 'string' && value !== '';
const isFilled = (value: JsonValue | undefined): boolean => isJsonObject(value) && Object.keys(value).length > 0;
const isPresent = (value: JsonValue | undefined): boolean => value !== undefined && value !== null;

const unsupportedFields: readonly (readonly [field: string, name: string, isSet: (value?: JsonValue) => boolean])[] = [
  ['id', 'id', isText],
  ['$schema', 'schema', isText],
  ['$ref', '$ref', isText],
  ['patternProperties', 'patternProperties', isFilled],
  ['dependencies', 'dependencies', isFilled],
  ['additionalItems', 'additionalItems', isPresent],
  ['definitions', 'definitions', isFilled],
];

/**
 * Why a schema has no structural form; undefined if it has one. Follows apiextensions-apiserver
 * pkg/apiserver/schema/convert.go NewStructural.
 */
export function structuralConversionError(schema: JsonObject): string | undefined {
  const known = reasons.get(schema);
  if (known) return known.reason;
  let reason: string | undefined;
  schemaHas(schema, (node) => {
    reason = findUnsupportedField(node);
    return reason !== undefined;
  });
  reasons.set(schema, { reason });
  return reason;
}

/** Once per schema: a definition with a thousand rules that have a fieldPath would be walked a thousand times. */
const reasons = new WeakMap<JsonObject, { readonly reason: string | undefined }>();

function findUnsupportedField(node: JsonObject): string | undefined {
  const found = unsupportedFields.find(([field, , isSet]) => isSet(node[field]));
  if (found !== undefined) return `OpenAPIV3Schema '${found[1]}' is not supported`;
  if (node['x-kubernetes-preserve-unknown-fields'] === false) {
    return "internal error: 'x-kubernetes-preserve-unknown-fields' must be true or undefined";
  }
  return asList(node['items']).length > 0 ? "OpenAPIV3Schema 'items' must be a schema, but is an array" : undefined;
}

/**
 * Since 1.34 unchecked formats, since 1.37 sets of objects or lists; on an update only new ones. Follows
 * apiextensions-apiserver pkg/registry/customresourcedefinition/strategy.go.
 */
export function definitionWarnings(release: number, definition: JsonObject, old?: JsonObject): readonly string[] {
  const before = new Set(old && listWarnings(old, release));
  return listWarnings(definition, release).filter((warning) => !before.has(warning));
}

function listWarnings(definition: JsonObject, release: number): readonly string[] {
  const formats = new Set<string>();
  const sets = new Set<string>();
  for (const schema of listSchemas(toInternalSpec(definition))) {
    for (const node of walkSchema(schema)) {
      const format = asString(node['format']);
      if (format !== '' && !isRecognized(asString(node['type']), format)) {
        formats.add(`unrecognized format ${goQuote(format)}`);
      }
      const itemType = asString(asObject(node['items'])['type']);
      if (node['x-kubernetes-list-type'] === 'set' && ['array', 'object'].includes(itemType)) {
        sets.add(`${setOfText}${goQuote(itemType)} ${unsupportedSetText}`);
      }
    }
  }
  return [...(release >= 34 ? formats : []), ...(release >= 37 ? [...sets].toSorted() : [])];
}

const setOfText = 'x-kubernetes-list-type: set for items of type ';
const unsupportedSetText = 'is not supported by server-side apply or CEL validation rules';
