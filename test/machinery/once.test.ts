import { expect, test } from 'vitest';
import { once, readOnce } from '../../src/machinery/once.ts';

test('what is made once is made at the first use, also when it is undefined', () => {
  let made = 0;
  const value = once(() => void (made += 1));
  expect([made, value(), value(), made]).toEqual([0, undefined, undefined, 1]);
});

test('each object is read once, also when the result is undefined', () => {
  const read: object[] = [];
  const reader = readOnce((object: object) => void read.push(object));
  const [a, b] = [{}, {}];
  for (const object of [a, b, a, b]) expect(reader(object)).toBeUndefined();
  expect(read).toHaveLength(2);
});
