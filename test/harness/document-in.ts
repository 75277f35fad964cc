import { isJsonObject, type JsonObject } from '../../src/machinery/json/json.ts';

/** What the pieces of a document's JSON say together; undefined when there is none. */
export function documentIn(steps: readonly string[] | undefined): JsonObject | undefined {
  const texts = steps;
  const value: unknown = texts && JSON.parse(texts.join(''));
  return isJsonObject(value) ? value : undefined;
}
