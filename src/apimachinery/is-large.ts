import { countValues, isContainer } from './count-values.ts';
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
  if (!isContainer(value)) return false;
  if (known.has(value)) return true;
  const { left, characters } = countValues(value, few - 1);
  const large = Math.floor(characters / charactersOfValue) > left;
  if (large) known.add(value);
  return large;
}
