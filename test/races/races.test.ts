import { expect, test } from 'vitest';
import { plantedFaults } from './race-store.ts';
import { runRaces } from './run-races.ts';

test('writers whose webhooks write too lose nothing, and the same seed plays the same', async () => {
  const first = await runRaces({ seed: 1, acts: 300 });
  expect(first.finding).toBeUndefined();
  expect(first.repeated).toBeGreaterThan(10);
  expect(await runRaces({ seed: 1, acts: 300 })).toEqual(first);
});

test.each(plantedFaults)('the planted fault %s is found within 2,000 acts', async (planted) => {
  const { finding } = await runRaces({ seed: 1, acts: 2000, planted });
  expect(finding?.acts).toBeLessThanOrEqual(2000);
});
