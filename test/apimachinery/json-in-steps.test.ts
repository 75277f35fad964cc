import { expect, test } from 'vitest';
import { jsonInSteps } from '../../src/apimachinery/json-in-steps.ts';
import { writeJson } from '../../src/apimachinery/json-writer.ts';
import { atOnce } from '../../src/apimachinery/pause.ts';
import type { JsonValue } from '../../src/apimachinery/json.ts';

const list = <T>(length: number, item: (at: number) => T): T[] => Array.from({ length }, (_none, at) => item(at));
const wide = Object.fromEntries(list(5_000, (at) => [`f"${at}`, at % 3 === 0 ? 'é"\\' : at]));

/** A value inside so many objects. */
function inside(value: JsonValue, levels: number): JsonValue {
  let whole = value;
  for (let level = 0; level < levels; level += 1) whole = { a: whole, b: [] };
  return whole;
}

test.each<[string, JsonValue]>([
  ['nothing', null],
  ['a text', 'a'],
  ['an empty object', {}],
  ['a short list', [1, 'a', {}, []]],
  ['a long list', list(5_000, (at) => [at, {}])],
  ['many fields', wide],
  ['fields that are not there', { a: undefined, ...wide, z: undefined }],
  ['many fields in lists in objects', { a: [{ b: wide }, wide, []], c: {} }],
  ['large integers', { ...wide, n: 2n ** 60n }],
  ['many fields far inside', inside(wide, 800)],
])('%s: as it is written at once', (_what, value) => {
  expect(atOnce(jsonInSteps(value)).join('')).toBe(writeJson(value));
});

test('a long text comes in pieces, with a step after each but the last', () => {
  const steps = jsonInSteps(wide);
  let count = 0;
  for (let next = steps.next(); !next.done; next = steps.next()) count += 1;
  expect(count).toBe(2);
  expect(atOnce(jsonInSteps(wide))).toHaveLength(3);
  expect(atOnce(jsonInSteps({ a: 'short' }))).toHaveLength(1);
});
