import { namesOf } from './field-names.ts';
import { isJsonObject, isList } from './json.ts';
import type { JsonDocument, JsonValue } from './json.ts';

/** So many values are gone through in a few milliseconds. */
const few = 2_000;

/** Who has no more fields than this is looked at again quickly. */
const notMany = 32;

/** Those that are, also those that were met inside of others. */
const known = new WeakSet<object>();

/** Has it so many values that others should be let in while it is gone through? Looks no further than it has to, once. */
export function isLarge(value: JsonDocument | JsonValue | undefined): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (known.has(value)) return true;
  const large = restOf(few, value) < 0;
  if (large) known.add(value);
  return large;
}

function restOf(most: number, value: JsonDocument | JsonValue | undefined): number {
  if (isJsonObject(value)) return restOfObject(most, value);
  let rest = most - 1;
  if (isList(value)) for (let at = 0; at < value.length && rest >= 0; at += 1) rest = restOf(rest, value[at]);
  return rest;
}

function restOfObject(most: number, value: Readonly<Record<string, JsonValue | undefined>>): number {
  if (known.has(value)) return -1;
  let [rest, fields] = [most - 1, 0];
  for (const name in value) {
    rest = restOf(rest, value[name]);
    fields += 1;
    if (rest < 0) break;
  }
  // Before a loop over an object begins, all of its fields are listed: of a wide one that takes ten milliseconds, and it
  // would be done again for each object around it.
  if (rest < 0 && fields > notMany && namesOf(value).length > few) known.add(value);
  return rest;
}
