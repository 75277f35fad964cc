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
  await stepsOf(name, short / 8);
  const once = await stepsOf(name, short);
  const twice = await stepsOf(name, 2 * short);
  if (twice / once < mostGrowth) return;
  // It may begin to go in steps in between; then it grows no further like that.
  const fourTimes = await stepsOf(name, 4 * short);
  expect(fourTimes / twice).toBeLessThan(mostGrowth);
});

async function stepsOf(name: string, size: number): Promise<number> {
  const play = await readied(name, size);
  steps.taken();
  await play();
  return steps.taken();
}
