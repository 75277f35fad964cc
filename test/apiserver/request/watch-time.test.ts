import { expect, test } from 'vitest';
import { timeoutMsOf } from '../../../src/apiserver/request/stages/watch-objects.ts';
import { createTestWorld } from '../../harness/world.ts';

const minute = 60_000;

// Source: apiserver pkg/endpoints/handlers/get.go ListResource.
test.each([
  [undefined, 0.5, 45 * minute],
  [30 * minute, 0, 30 * minute],
  [30 * minute, 0.5, 45 * minute],
  [0, 0.5, 24 * 24 * 60 * minute],
])('a watch of at least %s ms lasts', (minWatchMs, chance, lasts) => {
  expect(timeoutMsOf({ random: () => chance, ...(minWatchMs === undefined ? {} : { minWatchMs }) })).toBe(lasts);
});

// Source: the same: only a timeoutSeconds above zero is kept to.
test.each([
  ['?watch=1&timeoutSeconds=2', true],
  ['?watch=1&timeoutSeconds=0', false],
  ['?watch=1', false],
])('%s has ended after two seconds: %s', async (query, isOver) => {
  const world = await createTestWorld();
  const { watch } = await world.send('GET', `/api/v1/configmaps${query}`);
  let ended = 0;
  const close = watch?.(
    () => {},
    () => (ended += 1),
  );
  await world.clock.advance(1999);
  expect(ended).toBe(0);
  await world.clock.advance(1);
  expect(ended > 0).toBe(isOver);
  close?.();
});
