import { asObject } from '../../../machinery/json/json.ts';
import type { JsonObject, JsonValue } from '../../../machinery/json/json.ts';

/** A text, number or truth value as a text; of everything else ''. */
export const scalarText = (value: JsonValue | undefined): string =>
  typeof value === 'object' || value === undefined ? '' : String(value);

export const scalarTexts = (value: JsonValue | undefined): readonly string[] =>
  Array.isArray(value) ? value.map(scalarText) : [];

/** Every field as a text: labels and annotations, of which YAML may have made numbers. */
export const scalarFields = (value: JsonValue | undefined): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries<JsonObject[string]>(asObject(value)).map(([key, one]) => [key, scalarText(one)]));
