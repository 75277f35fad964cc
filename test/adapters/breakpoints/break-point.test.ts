import { expect, test } from 'vitest';
import { matchesBreakpoint, parseBreakpoint } from '../../../src/adapters/breakpoints/breakpoints.ts';

const wrong = expect.objectContaining({ outcome: 'wrong' });
const points = (...all: readonly (readonly [webhook: string, moment: string])[]): unknown => ({
  outcome: 'read',
  points: all.map(([webhook, moment]) => ({ webhook, moment })),
});

test.each([
  ['team.example.com', points(['team.example.com', 'before'])],
  ['team.example.com:before', points(['team.example.com', 'before'])],
  ['team.example.com:after', points(['team.example.com', 'after'])],
  ['labels/team.example.com:both', points(['labels/team.example.com', 'before'], ['labels/team.example.com', 'after'])],
  ['', wrong],
  [':after', wrong],
  ['team.example.com:', wrong],
  ['team.example.com:later', wrong],
  ['a/b/c', wrong],
  ['two words', wrong],
])('%j is a break point or it is not', (text, reading) => {
  expect(parseBreakpoint(text)).toEqual(reading);
});

test.each([
  ['team.example.com', true],
  ['labels/team.example.com', true],
  ['other/team.example.com', false],
  ['labels', false],
])('%s is met by the webhook team.example.com of the configuration labels: %s', (webhook, met) => {
  const call = { webhookName: 'team.example.com', configuration: 'labels' };
  expect(matchesBreakpoint({ webhook, moment: 'before' }, call)).toBe(met);
});
