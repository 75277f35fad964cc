import { expect, test } from 'vitest';
import { findClosestRun, findComparableRuns } from '../../src/ui/comparable-runs.ts';
import { someSummary } from '../harness/trace-summary.ts';

/** Newest first. */
const requests = [
  someSummary({ id: 'other-kind', sequence: 6, resource: 'configmaps' }),
  someSummary({ id: 'later', sequence: 5 }),
  someSummary({ id: 'own', sequence: 4 }),
  someSummary({ id: 'deleted', sequence: 3, verb: 'delete' }),
  someSummary({ id: 'earlier', sequence: 2 }),
  someSummary({ id: 'another', sequence: 1, name: 'api' }),
];

test('writes of the same kind of object can be compared, newest first', () => {
  expect(findComparableRuns('own', requests).map(({ id }) => id)).toEqual(['later', 'deleted', 'earlier', 'another']);
});

test.each([
  ['the same object and verb, rather before than after', 'own', 'earlier'],
  ['before there is none: after', 'earlier', 'own'],
  ['another verb of the same object rather than another object', 'deleted', 'earlier'],
  ['another object where there is nothing else, the nearest', 'another', 'earlier'],
  ['nothing of the same kind', 'other-kind', undefined],
  ['a request that the page does not know', 'gone', undefined],
])('%s', (_fact, id, closest) => {
  expect(findClosestRun(id, requests)).toBe(closest);
});
