import { asObject, type JsonObject, type JsonValue } from '../../../machinery/json/json.ts';

/** '' for lists, objects, null and undefined. */
export const scalarText = (value: JsonValue | undefined): string =>
  typeof value === 'object' || value === undefined ? '' : String(value);

export const scalarTexts = (value: JsonValue | undefined): readonly string[] =>
  Array.isArray(value) ? value.map(scalarText) : [];

/** Labels and annotations that YAML may have read as numbers. */
export const scalarFields = (value: JsonValue | undefined): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries<JsonObject[string]>(asObject(value)).map(([key, one]) => [key, scalarText(one)]));
