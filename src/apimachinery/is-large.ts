import { namesOf } from './field-names.ts';
import { isJsonObject, isList } from './json.ts';
import type { JsonDocument, JsonValue } from './json.ts';

/** So many values are gone through in a few milliseconds. */
const few = 2_000;

/** Those that are, also those that were met inside of others. */
const known = new WeakSet<object>();

/** So many characters of a text take as long as one value. */
const charactersOfValue = 512;

/** Has it so many values, or so long texts, that others should be let in while it is gone through? Looks no further than it has to, once. */
export function isLarge(value: JsonDocument | JsonValue | undefined): boolean {
  if (typeof value === 'string') return restOf(few, value) < 0;
  if (typeof value !== 'object' || value === null) return false;
  if (known.has(value)) return true;
  const large = restOf(few, value) < 0;
  if (large) known.add(value);
  return large;
}

function restOf(most: number, value: JsonDocument | JsonValue | undefined): number {
  if (isJsonObject(value)) return restOfObject(most, value);
  let rest = most - 1;
  if (typeof value === 'string') return rest - Math.floor(value.length / charactersOfValue);
  if (isList(value)) for (let at = 0; at < value.length && rest >= 0; at += 1) rest = restOf(rest, value[at]);
  return rest;
}

function restOfObject(most: number, value: Readonly<Record<string, JsonValue | undefined>>): number {
  if (known.has(value)) return -1;
  // A wide one would be listed again for each object around it: that takes ten milliseconds.
  const names = namesOf(value);
  let rest = most - 1;
  for (let at = 0; at < names.length && rest >= 0; at += 1) rest = restOf(rest, value[names[at] ?? '']);
  if (rest < 0 && names.length > few) known.add(value);
  return rest;
}
