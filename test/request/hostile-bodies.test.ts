import { afterAll, expect, test } from 'vitest';
import { hostileBodies } from '../bench/hostile-bodies.mjs';
import { createStepCounter } from '../harness/steps.ts';
import { adminUser, createTestWorld } from '../harness/world.ts';

// Work that grows faster than the request holds everybody up: a body twice as long takes about twice the steps.
const short = 24_000;
const mostGrowth = 2.6;

const steps = createStepCounter();
afterAll(steps.close);

/** How many steps the requests of a case take, in a world where it has not happened before. */
async function stepsOf(name: string, size: number): Promise<number> {
  const { beforehand, cases } = hostileBodies(size);
  const world = await createTestWorld({ authorizationMode: 'AlwaysAllow' });
  for (const request of beforehand) await send(world, request);
  const requests = cases[name]?.() ?? [];
  steps.taken();
  for (const request of requests) await send(world, request);
  return steps.taken();
}

type Request = ReturnType<typeof hostileBodies>['beforehand'][number];

const send = (world: Awaited<ReturnType<typeof createTestWorld>>, { method, path, type, body }: Request) =>
  world.send(method, path, body, { as: adminUser, contentType: type });

const { cases } = hostileBodies(short);

test.each(Object.keys(cases))('%s: twice as long, about twice the work', async (name) => {
  await stepsOf(name, short / 2); // What is made once and kept; of both bodies themselves nothing is known yet.
  const [once, twice] = [await stepsOf(name, short), await stepsOf(name, 2 * short)];
  expect(twice / once).toBeLessThan(mostGrowth);
});
