import { expect, test } from 'vitest';
import { stronglyConnected } from '../../../../src/analysis/lint/model/cycles.ts';

const circles = (edges: readonly string[]): readonly string[] => {
  const found = new Map<number, string[]>();
  for (const [node, number] of stronglyConnected(edges.map((edge) => [edge.charAt(0), edge.charAt(1)])))
    found.set(number, [...(found.get(number) ?? []), node]);
  return [...found.values()]
    .map((nodes) => nodes.toSorted((a, b) => a.localeCompare(b)).join(''))
    .toSorted((a, b) => a.localeCompare(b));
};

test.each([
  { of: [], are: [] },
  { of: ['aa'], are: ['a'] },
  { of: ['ab'], are: ['a', 'b'] },
  { of: ['ab', 'ba'], are: ['ab'] },
  { of: ['ab', 'bc', 'ca', 'cd'], are: ['abc', 'd'] },
  { of: ['ab', 'ba', 'bc', 'cd', 'dc'], are: ['ab', 'cd'] },
  { of: ['ab', 'ac', 'cb', 'bd', 'da', 'de'], are: ['abcd', 'e'] },
  { of: ['ba', 'cb', 'dc'], are: ['a', 'b', 'c', 'd'] },
])('the circles of $of', ({ of, are }) => {
  expect(circles(of)).toEqual(are);
});

test('a chain of 50,000 does not end the stack', () => {
  const edges = Array.from({ length: 50_000 }, (_, at) => [`n${at}`, `n${at + 1}`] as const);
  expect(new Set(stronglyConnected(edges).values()).size).toBe(50_001);
});
