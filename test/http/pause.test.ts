import { setImmediate } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { beginTurn, pause } from '../../src/http/pause.ts';

test('whoever comes late in a turn of the loop waits for the next one, however little it has done itself', async () => {
  const clock = vi.spyOn(performance, 'now');
  clock.mockReturnValue(1000);
  expect(pause()).toBeUndefined();
  clock.mockReturnValue(1009);
  expect(pause()).toBeUndefined();
  clock.mockReturnValue(1010);
  const [first, second] = [pause(), pause()];
  expect(first).toBeInstanceOf(Promise);
  expect(second).toBeInstanceOf(Promise);
  await first;
  expect(pause()).toBeUndefined();
  await setImmediate();
  clock.mockReturnValue(5000);
  expect(pause()).toBeUndefined();
  await setImmediate();
  clock.mockRestore();
});

test('what is done between a pause and the next question counts: two long steps are two turns', async () => {
  const clock = vi.spyOn(performance, 'now');
  clock.mockReturnValue(1000);
  expect(pause()).toBeUndefined();
  clock.mockReturnValue(1020);
  await pause();
  clock.mockReturnValue(1029);
  expect(pause()).toBeUndefined();
  clock.mockReturnValue(1040);
  expect(pause()).toBeInstanceOf(Promise);
  await setImmediate();
  await setImmediate();
  clock.mockRestore();
});

test('a turn begins where somebody says so, before the first question', async () => {
  const clock = vi.spyOn(performance, 'now');
  clock.mockReturnValue(1000);
  beginTurn();
  clock.mockReturnValue(1009);
  beginTurn();
  clock.mockReturnValue(1010);
  expect(pause()).toBeInstanceOf(Promise);
  await setImmediate();
  await setImmediate();
  clock.mockRestore();
});
