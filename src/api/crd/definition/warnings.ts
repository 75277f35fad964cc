import { goQuote } from '../../../machinery/meta/field-error.ts';
import { asString, type JsonObject } from '../../../machinery/json/json.ts';
import { isRecognized } from '../instances/value-schema.ts';
import { internalSpec, schemasIn } from './internal-form.ts';
import { nodesOf } from './schema-walk.ts';

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

function unrecognized(definition: JsonObject): readonly string[] {
  const found = new Set<string>();
  for (const schema of schemasIn(internalSpec(definition))) {
    for (const node of nodesOf(schema)) {
      const format = asString(node['format']);
      if (format !== '' && !isRecognized(asString(node['type']), format)) found.add(format);
    }
  }
  return [...found];
}
