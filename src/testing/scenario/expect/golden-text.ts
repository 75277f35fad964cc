import { asObject, asString, valueAt, withValue } from '../../../machinery/json/json.ts';
import type { JsonObject } from '../../../machinery/json/json.ts';
import { mapStrings, withoutRandomName } from '../../../explain/trace/random-names.ts';
import { yamlText } from './yaml-text.ts';

const uid = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g;
const time = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g;

/**
 * An object as a golden file has it: YAML, without managedFields; what changes from run to run is replaced: uids by
 * `<uid-1>`, `<uid-2>` in the order in which they come, times by `<time>`, the revision by `<resourceVersion>`, the end of
 * a generated name by `<random>`.
 */
export function goldenText(object: JsonObject): string {
  const seen = new Map<string, string>();
  const placeholder = (found: string): string => {
    const known = seen.get(found) ?? `<uid-${seen.size + 1}>`;
    seen.set(found, known);
    return known;
  };
  const stable = (text: string): string => withoutRandomName(text.replace(uid, placeholder).replace(time, '<time>'));
  return yamlText(mapStrings(withoutRevision(withoutGeneratedName(object)), stable));
}

function withoutRevision(object: JsonObject): JsonObject {
  const lighter = withValue(object, ['metadata', 'managedFields'], undefined);
  if (valueAt(object, 'metadata', 'resourceVersion') === undefined) return object['metadata'] ? lighter : object;
  return withValue(lighter, ['metadata', 'resourceVersion'], '<resourceVersion>');
}

function withoutGeneratedName(object: JsonObject): JsonObject {
  const { name, generateName } = asObject(object['metadata']);
  const stem = asString(generateName);
  if (stem === '' || !asString(name).startsWith(stem)) return object;
  return withValue(object, ['metadata', 'name'], `${stem}<random>`);
}
