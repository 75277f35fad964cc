import { namesOf } from './field-names.ts';
import { JsonNumber } from './json.ts';
import type { JsonDocument, JsonValue } from './json.ts';

/** So many values are gone through in a few milliseconds. */
const few = 2_000;

/** Those that are. */
const known = new WeakSet<object>();

/** So many characters of a text take as long as one value. */
const charactersOfValue = 128;

/** Has it so many values, or so long texts, that others should be let in while it is gone through? Looks no further than it has to, once. */
export function isLarge(value: JsonDocument | JsonValue | undefined): boolean {
  if (typeof value === 'string') return value.length >= few * charactersOfValue;
  if (typeof value !== 'object' || value === null || value instanceof JsonNumber) return false;
  if (known.has(value)) return true;
  const large = restOf(few, value) < 0;
  if (large) known.add(value);
  return large;
}

type Container = Exclude<Extract<JsonDocument | JsonValue, object>, JsonNumber>;

/** What has no values inside is counted where it stands: every write goes through here, and calls are what it costs. */
function restOf(most: number, value: Container): number {
  const isItems = isList(value);
  // Remembered: a wide one would be listed again for each object around it, which takes ten milliseconds.
  const names = isItems ? [] : namesOf(value);
  const length = isItems ? value.length : names.length;
  if (length > few) return -1;
  let rest = most - 1;
  for (let at = 0; at < length && rest >= 0; at += 1) {
    const inside = isItems ? value[at] : value[names[at] ?? ''];
    if (typeof inside === 'string') rest -= 1 + Math.floor(inside.length / charactersOfValue);
    else if (typeof inside !== 'object' || inside === null || inside instanceof JsonNumber) rest -= 1;
    else rest = restOf(rest, inside);
  }
  return rest;
}

const isList = (value: Container): value is readonly (JsonDocument | JsonValue)[] => Array.isArray(value);
