import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { afterAll, expect, test } from 'vitest';
import { hostileCases } from './hostile-bodies.ts';

// Work grows with the size of a body, not with its square: a body twice as long takes about twice the steps.
const short = 10_000;
const maxGrowth = 3.5;

const thread = new Worker(new URL('hostile-bodies-thread.ts', import.meta.url));
const failure = new Promise<never>((_, reject) => thread.once('error', reject));
failure.catch(() => {});
afterAll(async () => thread.terminate());

async function stepsOf(name: string, ...sizes: readonly number[]): Promise<readonly number[]> {
  thread.postMessage({ name, sizes });
  const [steps] = await Promise.race([once(thread, 'message'), failure]);
  return steps;
}

test.each([...hostileCases.keys()])('%s: twice as long, about twice the work', async (name) => {
  // The first size is for what the process makes once and keeps.
  const [, single = 0, twice = Infinity] = await stepsOf(name, short / 8, short, 2 * short);
  expect(twice / single).toBeLessThan(maxGrowth);
});
