import { expect, test } from 'vitest';
import { routeHash, parseRoute } from '../../src/ui/route.ts';

const rows: readonly [hash: string, route: object][] = [
  ['', { view: 'requests', id: '' }],
  ['#/requests', { view: 'requests', id: '' }],
  ['#/requests/an%2Fodd%20id', { view: 'requests', id: 'an/odd id' }],
  ['#/coverage', { view: 'coverage', id: '' }],
  ['#/configurations/x', { view: 'configurations', id: '' }],
  ['#/elsewhere', { view: 'requests', id: '' }],
  ['#/requests/%', { view: 'requests', id: '' }],
];

test.each(rows)('%s', (hash, route) => {
  expect(parseRoute(hash)).toEqual(route);
});

test.each([
  { view: 'requests', id: 'a/b c' },
  { view: 'coverage', id: '' },
] as const)('what is written can be read: %j', (route) => {
  expect(parseRoute(routeHash(route))).toEqual(route);
});
