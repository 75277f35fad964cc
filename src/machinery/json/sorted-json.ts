import { isJsonObject, isList, type JsonDocument, type JsonValue } from './json.ts';
import { writeJson } from './json-writer.ts';

/** Compact JSON with the fields of all objects in the order of their names, as Go writes maps. */
export function sortedJson(value: JsonDocument | JsonValue): string {
  if (isList(value)) return `[${value.map(sortedJson).join(',')}]`;
  if (!isJsonObject(value)) return writeJson(value);
  const names = Object.keys(value).toSorted();
  return `{${names.map((name) => `${JSON.stringify(name)}:${sortedJson(value[name] ?? null)}`).join(',')}}`;
}
