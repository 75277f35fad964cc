import { setImmediate } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { beginTurn, breathe, createPause, inTime, pause } from '../../src/http/pause.ts';

test('whoever comes late in a turn of the loop waits for the next one, however little it has done itself', async () => {
  const clock = vi.spyOn(performance, 'now');
  clock.mockReturnValue(1000);
  expect(pause()).toBeUndefined();
  clock.mockReturnValue(1007);
  expect(pause()).toBeUndefined();
  clock.mockReturnValue(1008);
  const [first, second] = [pause(), pause()];
  expect(first).toBeInstanceOf(Promise);
  expect(second).toBeInstanceOf(Promise);
  await first;
  expect(pause()).toBeUndefined();
  await second;
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
  clock.mockReturnValue(1027);
  expect(pause()).toBeUndefined();
  clock.mockReturnValue(1028);
  expect(pause()).toBeInstanceOf(Promise);
  await setImmediate();
  await setImmediate();
  clock.mockRestore();
});

test('a turn begins where somebody says so, before the first question', async () => {
  const clock = vi.spyOn(performance, 'now');
  clock.mockReturnValue(1000);
  beginTurn();
  clock.mockReturnValue(1007);
  beginTurn();
  clock.mockReturnValue(1008);
  expect(pause()).toBeInstanceOf(Promise);
  await setImmediate();
  await setImmediate();
  clock.mockRestore();
});

test('of many who wait one goes on in each turn, and who had a turn does not keep who had none', async () => {
  const clock = vi.spyOn(performance, 'now');
  clock.mockReturnValue(1000);
  beginTurn();
  clock.mockReturnValue(1008);
  const went: string[] = [];
  const wait = (who: string, turn: Promise<void> | undefined): void => void turn?.then(() => went.push(who));
  const early = createPause();
  await early();
  clock.mockReturnValue(1020);
  for (const at of [1, 2, 3]) wait(`breath ${at}`, breathe());
  wait('a second time', early());
  wait('first', createPause()());
  wait('second', createPause()());
  const counts: number[] = [];
  for (let turn = 0; turn < 6; turn += 1) {
    await setImmediate();
    counts.push(went.length);
  }
  expect(went.filter((who) => who === 'first' || who === 'second')).toEqual(['first', 'second']);
  expect(went.indexOf('second')).toBeLessThan(4);
  expect(went.indexOf('a second time')).toBe(5);
  expect(counts.map((count, at) => count - (counts[at - 1] ?? 0)).every((more) => more <= 1)).toBe(true);
  expect(went).toHaveLength(6);
  clock.mockRestore();
});

test('what comes at once is begun in turns, in its order, and what is begun meanwhile comes after it', async () => {
  await setImmediate();
  const clock = vi.spyOn(performance, 'now');
  let now = 1000;
  clock.mockImplementation(() => now);
  const began: number[] = [];
  const begin = (which: number): void =>
    inTime(() => {
      now += 3;
      began.push(which);
      if (which === 4) begin(7);
    });
  for (let which = 1; which <= 6; which += 1) begin(which);
  expect(began).toEqual([1, 2, 3]);
  await setImmediate();
  expect(began).toEqual([1, 2, 3, 4, 5, 6]);
  await setImmediate();
  expect(began).toEqual([1, 2, 3, 4, 5, 6, 7]);
  await setImmediate();
  clock.mockRestore();
});
