import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { applyMutant, findMutants, insertMutants } from './mutants.ts';

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
  ['const c = a < b ? -1 : 1', ['const c = !(a < b) ? -1 : 1', 'const c = a <= b ? -1 : 1']],
  [
    "const c = a === '-' ? -1 : d",
    ["const c = !(a === '-') ? -1 : d", "const c = a !== '-' ? -1 : d", "const c = a === '-' ? -2 : d"],
  ],
])('%s', (source, mutants) => {
  expect(findMutants('a.ts', source).map((mutant) => applyMutant(source, mutant))).toEqual(mutants);
});

test('all mutants are inserted in one text, each behind its switch', () => {
  const source = 'f(!a || b === 1, c?.some(g), d.some(g))';
  const mutants = findMutants('a.ts', source).map((mutant, number) => ({ ...mutant, number }));
  const text = insertMutants(source, mutants);
  const withMutant = (active: number): unknown => {
    const names = { a: true, b: 1, c: [1, 2], d: [1, 2], g: (item: number) => item === 2 };
    const isMutant = (number: number): boolean => number === active;
    return runInNewContext(text, { ...names, isMutant, f: (...all: readonly boolean[]) => all.map(Number).join('') });
  };
  expect(withMutant(-1)).toBe('111');
  expect(mutants.map((mutant) => [applyMutant(source, mutant), withMutant(mutant.number)])).toMatchInlineSnapshot(`
    [
      [
        "f(!a && b === 1, c?.some(g), d.some(g))",
        "011",
      ],
      [
        "f(a || b === 1, c?.some(g), d.some(g))",
        "111",
      ],
      [
        "f(!a || b !== 1, c?.some(g), d.some(g))",
        "011",
      ],
      [
        "f(!a || b === 2, c?.some(g), d.some(g))",
        "011",
      ],
      [
        "f(!a || b === 1, c?.every(g), d.some(g))",
        "101",
      ],
      [
        "f(!a || b === 1, c?.some(g), d.every(g))",
        "110",
      ],
    ]
  `);
});
