import { isJsonObject, isList } from './json.ts';
import type { JsonValue } from './json.ts';

/** So many values are gone through in a few milliseconds. */
const few = 2_000;

/** Has it so many values that others should be let in while it is gone through? Looks no further than it has to. */
export const isLarge = (value: JsonValue | undefined): boolean => restOf(few, value) < 0;

/** Objects that are: to look at the first name of so many takes as long as to look at all, and all around them ask too. */
const known = new WeakSet();

function restOf(most: number, value: JsonValue | undefined): number {
  let rest = most - 1;
  if (isList(value)) {
    for (let at = 0; at < value.length && rest >= 0; at += 1) rest = restOf(rest, value[at]);
  } else if (isJsonObject(value)) {
    if (known.has(value)) return -1;
    for (const name in value) {
      rest = restOf(rest, value[name]);
      if (rest >= 0) continue;
      if (most > few / 2) known.add(value);
      break;
    }
  }
  return rest;
}
