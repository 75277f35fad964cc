import { expect, test } from 'vitest';
import { createDeadline, noDeadline } from '../../../src/machinery/meta/deadline.ts';

test('a paused deadline moves by the length of the pause', () => {
  let now = 1000;
  const deadline = createDeadline(5000, () => now);
  const left = (): number => deadline.at() - now;
  now = 2000;
  const goOn = deadline.pauseClock();
  now = 60_000;
  expect(left()).toBe(3000);
  goOn();
  now = 61_000;
  expect(left()).toBe(2000);
});

test('overlapping pauses count once', () => {
  let now = 0;
  const deadline = createDeadline(5000, () => now);
  const first = deadline.pauseClock();
  now = 10_000;
  const second = deadline.pauseClock();
  now = 20_000;
  first();
  first();
  now = 30_000;
  expect(deadline.at() - now).toBe(5000);
  second();
  expect(deadline.at()).toBe(35_000);
});

test('what nothing bounds is not bounded by standing still', () => {
  noDeadline.pauseClock()();
  expect(noDeadline.at()).toBe(Infinity);
});
