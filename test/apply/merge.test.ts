import { expect, test } from 'vitest';
import { workInTime } from '../../src/apimachinery/in-turns.ts';
import { customValueType } from '../../src/apply/custom-value-type.ts';
import { mergeValues } from '../../src/apply/merge.ts';
import { deduced } from '../../src/apply/value-type.ts';
import type { JsonValue } from '../../src/apimachinery/json.ts';
import { inManyTurns } from '../harness/turns.ts';

const set = { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' };
const holder = customValueType({ type: 'object', properties: { set } });

// Source: structured-merge-diff typed/merge_test.go and typed/merge.go visitListItems
test.each<[what: string, live: string, applied: string, merged: string]>([
  ['what is only stored stays where it is', 'a b c', 'b', 'a b c'],
  ['what is new goes where it was applied', 'a c', 'a b c', 'a b c'],
  ['what is in both comes in the applied order', 'a b c', 'c a', 'b c a'],
  ['new ones before what is in both', 'a', 'x y a z', 'x y a z'],
  ['what is stored twice and applied is there once', 'a a', 'a', 'a'],
  ['also with others around it', 'x a y a z', 'a', 'x a y z'],
  ['its second place is passed, and what was applied next goes there', 'a a c', 'a x y', 'a x c y'],
  ['also when it moves', 'b a b c', 'c b', 'a c b'],
  ['what is stored twice and not applied stays twice', 'a b a', 'b', 'a b a'],
])('%s', (_what, live, applied, merged) => {
  const holding = (text: string) => ({ set: text.split(' ') });
  expect(mergeValues(holder, holding(live), holding(applied))).toEqual(holding(merged));
});

// Source: structured-merge-diff typed/merge.go doDeduced: what has no type is merged as what it is, if both are the same.
test.each<[live: JsonValue, applied: JsonValue, merged: JsonValue]>([
  [{ a: 1 }, { b: 2 }, { a: 1, b: 2 }],
  [{ a: { b: 1 } }, { a: { c: 2 } }, { a: { b: 1, c: 2 } }],
  ['text', { a: 1 }, { a: 1 }],
  [['x', 'y'], { a: 1 }, { a: 1 }],
  [{ a: 1 }, 'text', 'text'],
  [{ a: 1 }, null, null],
  [[1, 2], [3], [3]],
])('where nobody knows the type, %j with %j over it is %j', (live, applied, merged) => {
  expect(mergeValues(deduced, live, applied)).toEqual(merged);
});

test('others are let in while a wide map is copied', () => {
  const live = Object.fromEntries(Array.from({ length: 3_000 }, (_, at) => [`f${at}`, at]));
  const merged = inManyTurns(workInTime(() => mergeValues(deduced, live, { f7: 'a', g: 'b' })));
  expect(merged.turns).toBeGreaterThan(2_500);
  expect(merged.value).toEqual({ ...live, f7: 'a', g: 'b' });
});
