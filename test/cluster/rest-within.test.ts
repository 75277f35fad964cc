import { expect, test } from 'vitest';
import { restWithin } from '../../src/cluster/rest-within.ts';

const never = (): Promise<void> => new Promise(() => undefined);
const told: string[] = [];
const tell = (line: string): void => void told.push(line);

test('controllers that rest are waited for, and nothing is left behind', async () => {
  let aborted = false;
  const sleep = (_milliseconds: number, signal?: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      signal?.addEventListener('abort', () => {
        aborted = true;
        resolve();
      });
    });
  await restWithin(() => Promise.resolve(), { sleep }, tell)();
  expect([aborted, told]).toEqual([true, []]);
});

test('those that never rest are waited for once', async () => {
  const slept: number[] = [];
  const sleep = async (milliseconds: number): Promise<void> => void slept.push(milliseconds);
  const settle = restWithin(never, { sleep }, tell);
  await settle();
  await settle();
  expect(slept).toEqual([30_000]);
  expect(told).toEqual(['controllers have still something to do after 30 s, and are not waited for any longer']);
});
