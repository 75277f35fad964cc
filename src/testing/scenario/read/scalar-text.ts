import { type JsonObject, type JsonValue, asObject } from '../../../machinery/json/json.ts';
import type { Located } from './located.ts';

/** '' for lists, objects, null and undefined. */
export const scalarText = (value: JsonValue | undefined): string =>
  typeof value === 'object' || value === undefined ? '' : String(value);

export const scalarTexts = (value: JsonValue | undefined): readonly string[] =>
  Array.isArray(value) ? value.map(scalarText) : [];

/** Labels and annotations that YAML may have read as numbers. */
export const scalarFields = (value: JsonValue | undefined): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries<JsonObject[string]>(asObject(value)).map(([key, one]) => [key, scalarText(one)]));

/** By name: a scalar, or a list of them. */
export const scalarLists = (at: Located | undefined): Readonly<Record<string, readonly string[]>> =>
  Object.fromEntries(
    (at?.entries() ?? []).map(([name, { value }]) => [
      name,
      Array.isArray(value) ? value.map(scalarText) : [scalarText(value)],
    ]),
  );

const units: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** `1m30s` in milliseconds. The schema has checked the format. */
export const durationMs = (text: string): number =>
  [...text.matchAll(/(?<amount>(?<!\d)\d+(?:\.\d+)?)(?<unit>ms|s|m|h)/g)].reduce(
    (sum, { groups = {} }) => sum + Number(groups['amount']) * (units[groups['unit'] ?? ''] ?? 0),
    0,
  );
