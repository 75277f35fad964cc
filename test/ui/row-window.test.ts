import { expect, test } from 'vitest';
import { scrollTo, computeRowWindow } from '../../src/ui/row-window.ts';

const windows: readonly [fact: string, scrollTop: number, count: number, window: object][] = [
  ['at the top', 0, 10_000, { first: 0, end: 32, before: 0, total: 240_000 }],
  ['in the middle', 2400, 10_000, { first: 88, end: 132, before: 2112, total: 240_000 }],
  ['at the end', 239_520, 10_000, { first: 9968, end: 10_000, before: 239_232, total: 240_000 }],
  ['scrolled further than a filtered list goes', 200_000, 30, { first: 0, end: 30, before: 0, total: 720 }],
  ['nothing', 0, 0, { first: 0, end: 0, before: 0, total: 0 }],
];

test.each(windows)('%s', (_fact, scrollTop, count, window) => {
  expect(computeRowWindow(scrollTop, 480, 24, count)).toEqual(window);
});

const scrolls: readonly [fact: string, row: number, scrollTop: number, to: number][] = [
  ['a row in sight stays where it is', 5, 0, 0],
  ['a row above is scrolled to the top', 2, 240, 48],
  ['a row below is scrolled to the bottom', 20, 0, 24],
];

test.each(scrolls)('%s', (_fact, row, scrollTop, to) => {
  expect(scrollTo(row, scrollTop, 480, 24)).toBe(to);
});
