import { expect, test } from 'vitest';
import { lastingMs } from '../../src/request/stages/watch-objects.ts';

const minute = 60_000;

// Source: apiserver pkg/endpoints/handlers/get.go ListResource.
test.each([
  [undefined, 0.5, 45 * minute],
  [30 * minute, 0, 30 * minute],
  [30 * minute, 0.5, 45 * minute],
  [0, 0.5, 24 * 24 * 60 * minute],
])('a watch of at least %s ms lasts', (leastWatchMs, chance, lasts) => {
  expect(lastingMs({ random: () => chance, ...(leastWatchMs === undefined ? {} : { leastWatchMs }) })).toBe(lasts);
});
