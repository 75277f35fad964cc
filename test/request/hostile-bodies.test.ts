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
  // The first one is for what is made once and kept; of the other two bodies themselves nothing is known yet.
  const [first, second, third] = [
    await readied(name, short / 8),
    await readied(name, short),
    await readied(name, 2 * short),
  ];
  await first();
  steps.taken();
  await second();
  const once = steps.taken();
  await third();
  const twice = steps.taken();
  expect(twice / once).toBeLessThan(mostGrowth);
});
