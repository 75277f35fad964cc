import { isJsonObject } from '../../../machinery/json/json.ts';
import type { JsonObject, JsonValue } from '../../../machinery/json/json.ts';

/** The value if it is of this type, else undefined. */
export const optionalString = (value: JsonValue | undefined): string | undefined =>
  typeof value === 'string' ? value : undefined;

export const optionalNumber = (value: JsonValue | undefined): number | undefined =>
  typeof value === 'number' ? value : undefined;

export const optionalObject = (value: JsonValue | undefined): JsonObject | undefined =>
  isJsonObject(value) ? value : undefined;
