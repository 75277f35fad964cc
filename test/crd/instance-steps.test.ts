import { expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../../src/apimachinery/json.ts';
import { atOnce } from '../../src/apimachinery/pause.ts';
import { inManyTurns } from '../harness/turns.ts';
import { received, typeOf, widget, widgets } from './custom-object.ts';

const judged = (spec: JsonObject, value: JsonValue) => {
  const type = typeOf(widgets({ type: 'object', properties: { v: spec } }));
  return type.validate(received(type, widget({ v: value })).object);
};

/** How often others may be let in while an object with this value is judged. */
const stepsOf = (spec: JsonObject, value: JsonValue): number => [...judged(spec, value)].length;

const many = <T>(make: (index: number) => T): readonly T[] => Array.from({ length: 1000 }, (_, index) => make(index));
const text: JsonObject = { type: 'string' };
const list = (items: JsonObject, more: JsonObject = {}): JsonObject => ({ type: 'array', items, ...more });
const rule = (text: string): JsonObject => ({ rule: text });

// Nothing of which there may be thousands is judged in one go: the loop would be held for as long.
test.each<[what: string, spec: JsonObject, value: JsonValue, atLeast: number]>([
  ['items', list(text), many(() => 'a'), 1000 / 64],
  ['objects in a list', list({ type: 'object' }), many(() => ({})), 1000],
  [
    'fields',
    { type: 'object', additionalProperties: text },
    Object.fromEntries(many((at) => [`f${at}`, 'a'])),
    2000 / 64,
  ],
  ['branches', { ...text, anyOf: many((at) => ({ minLength: at + 2 })) }, 'a', 1000 / 64],
  ['branches of which one must fit', { ...text, oneOf: many((at) => ({ minLength: at + 1 })) }, 'a', 1000 / 64],
  ['branches that must all fit', { ...text, allOf: many(() => ({ minLength: 1 })) }, 'a', 1000 / 64],
  ['rules', { ...text, maxLength: 9, 'x-kubernetes-validations': many(() => rule('self != ""')) }, 'a', 1000],
  [
    'rules of items',
    list({ ...text, maxLength: 9, 'x-kubernetes-validations': [rule('self != ""')] }),
    many(() => 'a'),
    2000,
  ],
])('a thousand %s are judged in steps', (_what, spec, value, atLeast) => {
  expect(stepsOf(spec, value)).toBeGreaterThanOrEqual(Math.floor(atLeast));
});

test('others are let in while one rule goes through a thousand items', () => {
  const spec = list(
    { ...text, maxLength: 9 },
    { maxItems: 1000, 'x-kubernetes-validations': [rule('self.all(x, x != "")')] },
  );
  const value = many(() => 'a');
  const without = stepsOf(spec, value);
  expect(inManyTurns(judged(spec, value)).turns - without).toBeGreaterThan(900);
});

test('a small object is judged in a few steps', () => {
  expect(stepsOf({ type: 'object', properties: { a: text } }, { a: 'b' })).toBeLessThan(8);
});

// Each complaint names all values that may be there.
test('what is said of thousands of values that are none of thousands has a bound', () => {
  const values = Array.from({ length: 5000 }, (_, at) => `value-${at}`);
  const { errors } = atOnce(
    judged(
      list({ ...text, enum: values }),
      many(() => 'other'),
    ),
  );
  expect(errors.length).toBeGreaterThan(10);
  expect(errors.length).toBeLessThan(100);
});
