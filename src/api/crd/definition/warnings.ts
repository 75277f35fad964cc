import { append } from '../../../machinery/json/append.ts';
import { goQuote } from '../../../machinery/meta/field-error.ts';
import { asString, type JsonObject } from '../../../machinery/json/json.ts';
import { isRecognized } from '../instances/value-schema.ts';
import { internalSpec, schemasIn } from './internal-form.ts';
import { schemaHas } from './schema-walk.ts';

/**
 * Unchecked formats; on an update only new ones. Follows apiextensions-apiserver
 * pkg/registry/customresourcedefinition/strategy.go.
 */
export function definitionWarnings(definition: JsonObject, old?: JsonObject): readonly string[] {
  const before = new Set(old === undefined ? [] : unrecognized(old));
  return [...new Set(unrecognized(definition))]
    .filter((format) => !before.has(format))
    .map((format) => `unrecognized format ${goQuote(format)}`);
}

const known = new WeakMap<JsonObject, readonly string[]>();

export function unrecognized(definition: JsonObject): readonly string[] {
  const all: string[] = [];
  for (const schema of schemasIn(internalSpec(definition))) {
    const found = known.get(schema) ?? unrecognizedIn(schema);
    known.set(schema, found);
    append(all, found);
  }
  return all;
}

function unrecognizedIn(schema: JsonObject): readonly string[] {
  const found = new Set<string>();
  schemaHas(schema, (node) => {
    const format = asString(node['format']);
    if (format !== '' && !isRecognized(asString(node['type']), format)) found.add(format);
    return false;
  });
  return [...found];
}
