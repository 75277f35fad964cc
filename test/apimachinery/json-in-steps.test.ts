import { expect, test } from 'vitest';
import { inTurns } from '../../src/apimachinery/in-turns.ts';
import { goJsonInTurns, jsonInSteps, sortedJsonInSteps } from '../../src/apimachinery/json-in-steps.ts';
import { writeJson, writeJsonForGo } from '../../src/apimachinery/json-writer.ts';
import { atOnce } from '../../src/apimachinery/pause.ts';
import type { JsonValue } from '../../src/apimachinery/json.ts';
import { impatient } from '../harness/impatient.ts';

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
  ['a very long text', '"\\\n\u0000'.repeat(300_000)],
  ['one of characters of two units and halves of them', { a: `a${'😀'.repeat(600_000)}\ud83d` }],
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

// Source: encoding/json encode.go, which sorts the keys of maps.
test('names in the order in which Go writes them, also those that are numbers', () => {
  const value = { z: 1, 10: [{ b: 1, a: 2 }], 9: null, a: 'x', ['__proto__']: {} };
  expect(atOnce(sortedJsonInSteps(value))).toEqual(['{"10":[{"a":2,"b":1}],"9":null,"__proto__":{},"a":"x","z":1}']);
});

test('very many of them are sorted and written in steps', () => {
  const names = list(50_000, (at) => `k${at}`);
  const steps = sortedJsonInSteps({ a: Object.fromEntries(names.map((name) => [name, 1])), 0: wide });
  let count = 0;
  let text: readonly string[] | undefined;
  for (let next = steps.next(); text === undefined; next = steps.next()) {
    if (next.done) text = next.value;
    else count += 1;
  }
  expect(count).toBeGreaterThan(100);
  expect(Object.keys(JSON.parse(text.join('')).a)).toEqual(names.toSorted());
});

test('what Go escapes is escaped in turns, however few the pieces are in which it is written', async () => {
  const few = list(12, () => ({ a: '<&>\u2028'.repeat(25_000) }));
  const pause = impatient();
  expect(await inTurns(() => goJsonInTurns(few), pause)).toBe(writeJsonForGo(few));
  expect(pause.turns()).toBeGreaterThan(60);
});
