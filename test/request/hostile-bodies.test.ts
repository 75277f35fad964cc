import { afterAll, expect, test } from 'vitest';
import { hostileBodies } from '../bench/hostile-bodies.mjs';
import { createStepCounter } from '../harness/steps.ts';
import { adminUser, createTestWorld } from '../harness/world.ts';

// Work that grows faster than the request holds everybody up: a body twice as long takes about twice the steps.
const short = 10_000;
// What goes in steps from a size on takes some more of them; with work that grows as the square it is four times as many.
const mostGrowth = 3.5;

const steps = createStepCounter();
afterAll(steps.close);

/** The requests of a case of this size, ready to be sent to a world where it has not happened before. */
async function readied(name: string, size: number): Promise<() => Promise<void>> {
  const { beforehand, cases } = hostileBodies(size);
  const world = await createTestWorld({ authorizationMode: 'AlwaysAllow' });
  for (const request of beforehand) await send(world, request);
  const requests = cases[name]?.() ?? [];
  return async () => {
    for (const request of requests) await send(world, request);
  };
}

type Request = ReturnType<typeof hostileBodies>['beforehand'][number];

const send = (world: Awaited<ReturnType<typeof createTestWorld>>, { method, path, type, body }: Request) =>
  world.send(method, path, body, { as: adminUser, contentType: type });

const { cases } = hostileBodies(short);

test.each(Object.keys(cases))('%s: twice as long, about twice the work', async (name) => {
  // The first one is for what is made once and kept; of the other bodies themselves nothing is known yet.
  const [, once = 0, twice = Infinity] = await stepsOf(name, short / 8, short, 2 * short);
  if (twice / once < mostGrowth) return;
  // It may begin to go in steps in between; then it grows no further like that.
  const [fourTimes = Infinity] = await stepsOf(name, 4 * short);
  expect(fourTimes / twice).toBeLessThan(mostGrowth);
});

/** All of them are readied before the first is played: each look at the counter takes as long as a request. */
async function stepsOf(name: string, ...sizes: readonly number[]): Promise<readonly number[]> {
  const plays: (() => Promise<void>)[] = [];
  for (const size of sizes) plays.push(await readied(name, size));
  steps.taken();
  const taken: number[] = [];
  for (const play of plays) {
    await play();
    taken.push(steps.taken());
  }
  return taken;
}
