import { isJsonObject, type JsonObject } from '../../src/machinery/json/json.ts';

/** Parses a document that is encoded in chunks; undefined when there is none. */
export function parseDocument(steps: readonly string[] | undefined): JsonObject | undefined {
  const texts = steps;
  const value: unknown = texts && JSON.parse(texts.join(''));
  return isJsonObject(value) ? value : undefined;
}
