import { expect, test } from 'vitest';
import { copyBehind, copyOf, copyWith, copyWithout, keepSpare } from '../../src/apimachinery/copy-in-turns.ts';
import { workInTime } from '../../src/apimachinery/in-turns.ts';
import { inManyTurns } from '../harness/turns.ts';

const wide = (fields: number): Record<string, number> =>
  Object.fromEntries(Array.from({ length: fields }, (_none, at) => [`f${at}`, at]));

test.each([0, 3, 2_000, 3_000])('a copy of %i fields is another object, in the same order', (fields) => {
  const object = wide(fields);
  const copy = copyOf(object)();
  expect(copy).not.toBe(object);
  expect(Object.entries(copy)).toEqual(Object.entries(object));
});

test('others are let in while a wide one is copied', () => {
  const object = wide(3_000);
  const { turns, value } = inManyTurns(workInTime(() => copyOf(object)()));
  expect(value).toEqual(object);
  expect(turns).toBeGreaterThan(2_500);
});

const copies = [
  ['with another field', (object: object) => copyWith(object, { f1: 'new', x: 'y' })],
  ['behind others', (object: object) => copyBehind({ x: 'y', f1: 'new' }, object)],
  ['without a field', (object: object) => copyWithout(object, 'f1')],
] as const;

test.each(copies)('a copy %s: a wide object in turns, with the fields of a narrow one', (_what, made) => {
  const [few, many] = [wide(3), wide(3_000)];
  const { turns, value } = inManyTurns(workInTime(() => made(many)));
  expect(turns).toBeGreaterThan(2_500);
  const rest = Object.entries(many).slice(3);
  expect(Object.entries(value).filter(([name]) => !rest.some(([other]) => other === name))).toEqual(
    Object.entries(made(few)),
  );
  expect(Object.keys(value).length - Object.keys(made(few)).length).toBe(rest.length);
});

test('a copy of both is made in turns, whichever is wide; the second has the last word', () => {
  for (const [one, other] of [
    [wide(3), { ...wide(3_000), f1: 'new' }],
    [wide(3_000), { f1: 'new', x: 'y' }],
  ]) {
    const { turns, value } = inManyTurns(workInTime(() => copyWith(one ?? {}, other ?? {})));
    expect(turns).toBeGreaterThan(2_500);
    expect(Object.entries(value)).toEqual(Object.entries({ ...one, ...other }));
  }
});

test('a spare copy is made in turns, and is taken by the next who changes the object, once', () => {
  const object = wide(3_000);
  expect(inManyTurns(workInTime(() => keepSpare(object))).turns).toBeGreaterThan(2_500);
  const first = inManyTurns(workInTime(() => copyWith(object, { f1: 'a' })));
  const second = inManyTurns(workInTime(() => copyWith(object, { f1: 'b' })));
  expect(first.turns).toBe(1); // To be told the time.
  expect(second.turns).toBeGreaterThan(2_500);
  expect([object['f1'], first.value.f1, second.value.f1]).toEqual([1, 'a', 'b']);
  expect(Object.keys(first.value)).toEqual(Object.keys(object));
});
