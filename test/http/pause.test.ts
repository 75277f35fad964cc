import { setImmediate } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { pause } from '../../src/http/pause.ts';

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
  clock.mockRestore();
});
