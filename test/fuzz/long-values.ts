import { asString, type JsonValue } from '../../src/machinery/json/json.ts';
import type { RandomChoices } from '../harness/random-choices.ts';
import { withNumber } from './amplify.ts';
import { jsonText } from './json-text.ts';
import { type LongField, shortItem } from './long-fields.ts';
import { repeatWithWrongEnd } from './wrong-end.ts';

/** Makes the value at a path as long as a body allows; with several `items` each is shorter accordingly. */
export function createLongValue(
  random: RandomChoices,
  { is, of }: LongField,
  items: number,
): (was: JsonValue | undefined) => JsonValue {
  const characters = random.pick([200_000, 1_000_000, 1_000_000, 2_700_000]) / items;
  const text = random.pick(['a', 'a', 'a', '"', '\u0001', 'ü', '9', 'a.', '0.0.0.', '/', ' ', '%', '{{', '\\']);
  if (is === 'text') {
    const hasWrongEnd = random.chance(0.4);
    return (was) =>
      hasWrongEnd ? repeatWithWrongEnd(random, asString(was)) : text.repeat(characters / text.length / 2);
  }
  const isSame = random.chance(0.25);
  const isOdd = random.chance(0.2);
  return (was) => {
    const first = firstOf(was);
    const item = isOdd ? text : (first ?? shortItem(of));
    const count = Math.max(
      2,
      Math.floor(Math.min(characters / (jsonText(item).length + 10), 95_000 / items / valuesIn(item))),
    );
    if (is === 'list') return Array.from({ length: count }, (_none, at) => (isSame ? item : withNumber(item, at)));
    return Object.fromEntries(Array.from({ length: count }, (_none, at) => [`${isOdd ? text : 'k'}${at}`, item]));
  };
}

/** Of a list or a map. */
function firstOf(value: JsonValue | undefined): JsonValue | undefined {
  return typeof value === 'object' && value !== null ? Object.values(value)[0] : undefined;
}

/** More of them are refused before decoding. */
function valuesIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce((sum: number, one) => sum + valuesIn(one), 1);
}
