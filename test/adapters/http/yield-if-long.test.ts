import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { nextIteration } from '../../../src/adapters/http/yield-if-long.ts';

test('a turn of the event loop resumes one request, in the order in which they yielded', async () => {
  const turns: (readonly string[])[] = [];
  let resumed: string[] = [];
  for (const name of ['a', 'b', 'c']) void nextIteration().then(() => resumed.push(name));
  for (let turn = 0; turn < 3; turn += 1) {
    await setImmediate();
    turns.push(resumed);
    resumed = [];
  }
  expect(turns).toEqual([['a'], ['b'], ['c']]);
});
