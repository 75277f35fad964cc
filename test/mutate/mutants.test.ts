import { expect, test } from 'vitest';
import { mutantsOf, mutated } from './mutants.ts';

test.each<[source: string, mutants: readonly string[]]>([
  ['f(a === b)', ['f(a !== b)']],
  ['f(a < 1)', ['f(a <= 1)', 'f(a < 2)']],
  ['f(a && !b)', ['f(a || !b)', 'f(a && b)']],
  ['if (a) f()', ['if (!(a)) f()']],
  ['f(a ? b : true)', ['f(!(a) ? b : true)', 'f(a ? b : false)']],
  ['a.some(f)', ['a.every(f)']],
  ['a.find(f)', ['a.findLast(f)']],
  ["import { a } from 'b'; type A = 1 | 2; const c: A = d as A;", []],
  ["f('text', null, x => x)", []],
])('%s', (source, mutants) => {
  expect(mutantsOf('a.ts', source).map((mutant) => mutated(source, mutant))).toEqual(mutants);
});
