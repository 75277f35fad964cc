import { expect, test } from 'vitest';
import { inTurns } from '../../src/apimachinery/in-turns.ts';
import { semanticEqual } from '../../src/apimachinery/semantic-equal.ts';
import { impatient } from '../harness/impatient.ts';

const wide = (last: string) =>
  Object.fromEntries(Array.from({ length: 200 }, (_none, at) => [`f${at}`, at < 199 ? 'a' : last]));

test.each([
  [{ data: wide('a'), list: [wide('b')] }, { data: wide('a'), list: [wide('b')] }, true],
  [{ data: wide('a'), list: [wide('b')] }, { data: wide('a'), list: [wide('c')] }, false],
  [{ data: wide('a'), list: [wide('b')] }, { data: wide('c'), list: [wide('b')] }, false],
])('objects of many fields are compared in turns, with the same result', async (a, b, isSame) => {
  const pause = impatient();
  expect(await inTurns(() => semanticEqual(a, b), pause)).toBe(isSame);
  expect(semanticEqual(a, b)).toBe(isSame);
  expect(pause.turns()).toBeGreaterThan(100);
});
