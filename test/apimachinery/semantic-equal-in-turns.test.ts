import { expect, test } from 'vitest';
import { inTurns } from '../../src/apimachinery/in-turns.ts';
import { semanticEqual } from '../../src/apimachinery/semantic-equal.ts';
import { impatient } from '../harness/impatient.ts';

const wide = (first: string) =>
  Object.fromEntries(Array.from({ length: 200 }, (_none, at) => [`f${at}`, at > 0 ? 'a' : first]));

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

test('the names of a wide object are looked for once, however often others are let in', async () => {
  const names = Array.from({ length: 3_000 }, (_none, at) => `f${at}`);
  let looks = 0;
  const counted = new Proxy(Object.fromEntries(names.map((name) => [name, 'a'])), {
    ownKeys: (object) => {
      looks += 1;
      return Reflect.ownKeys(object);
    },
  });
  const [before, after] = [{ data: counted }, { data: { ...counted } }];
  const pause = impatient();
  expect(await inTurns(() => semanticEqual(before, after), pause)).toBe(true);
  expect(pause.turns()).toBeGreaterThan(100);
  expect(looks).toBeLessThan(5);
});
