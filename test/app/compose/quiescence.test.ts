import { expect, test } from 'vitest';
import { requireQuiescence, waitForQuiescence } from '../../../src/app/compose/quiescence.ts';

const never = (): Promise<void> => new Promise(() => undefined);
const lines: string[] = [];
const log = (line: string): void => void lines.push(line);

test('controllers that rest are waited for, and nothing is left behind', async () => {
  let aborted = false;
  const sleep = (_milliseconds: number, signal?: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      signal?.addEventListener('abort', () => {
        aborted = true;
        resolve();
      });
    });
  await waitForQuiescence(() => Promise.resolve(), { sleep }, log)();
  expect([aborted, lines]).toEqual([true, []]);
});

test('those that never rest are waited for once', async () => {
  const slept: number[] = [];
  const sleep = async (milliseconds: number): Promise<void> => void slept.push(milliseconds);
  const settle = waitForQuiescence(never, { sleep }, log);
  await settle();
  await settle();
  expect(slept).toEqual([30_000]);
  expect(lines).toEqual(['controllers are still busy after 30 s; continuing without waiting for them']);
});

test('requireQuiescence names busy controllers, also those that are busy alternately', async () => {
  const slept: number[] = [];
  const sleep = async (milliseconds: number): Promise<void> => void slept.push(milliseconds);
  const busyControllers = (): readonly string[] => [
    slept.length % 2 === 0 ? 'job-controller' : 'deployment-controller',
  ];
  await expect(requireQuiescence({ idle: never, busyControllers }, { sleep })()).rejects.toThrow(
    'controllers are still busy after 60 s: deployment-controller, job-controller',
  );
  expect(slept[0]).toBe(60_000);
});

test('a program does not wait for longer than its controllers', async () => {
  const slept: number[] = [];
  const sleep = (milliseconds: number): Promise<void> => {
    slept.push(milliseconds);
    return never();
  };
  await requireQuiescence({ idle: () => Promise.resolve(), busyControllers: () => ['x'] }, { sleep })();
  expect(slept).toEqual([60_000]);
});
