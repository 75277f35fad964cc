import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { mutantsOf, mutated, withSwitches } from './mutants.ts';

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
  ['function* f() { if (a % 9 === 0) yield; if (this.isDue()) { yield; } }', []],
  ['async () => { if (a > 9) await pause?.(); if (!a) await pause(); }', []],
  ['function* f() { if (a) yield b; }', ['function* f() { if (!(a)) yield b; }']],
  ['function* f() { if (a) yield; else b(); }', ['function* f() { if (!(a)) yield; else b(); }']],
  ['async () => { if (a) await b(); }', ['async () => { if (!(a)) await b(); }']],
  [
    'function* f() { if ((a += 1) < b) yield; }',
    [
      'function* f() { if (!((a += 1) < b)) yield; }',
      'function* f() { if ((a += 1) <= b) yield; }',
      'function* f() { if ((a += 2) < b) yield; }',
    ],
  ],
  ['const c = a < b ? -1 : 1', ['const c = !(a < b) ? -1 : 1', 'const c = a <= b ? -1 : 1']],
  [
    "const c = a === '-' ? -1 : d",
    ["const c = !(a === '-') ? -1 : d", "const c = a !== '-' ? -1 : d", "const c = a === '-' ? -2 : d"],
  ],
])('%s', (source, mutants) => {
  expect(mutantsOf('a.ts', source).map((mutant) => mutated(source, mutant))).toEqual(mutants);
});

test('all mutants stand in one text, each behind its number', () => {
  const source = 'f(!a || b === 1, c?.some(g), d.some(g))';
  const mutants = mutantsOf('a.ts', source).map((mutant, number) => ({ ...mutant, number }));
  const text = withSwitches(source, mutants);
  const withMutant = (active: number): unknown => {
    const names = { a: true, b: 1, c: [1, 2], d: [1, 2], g: (item: number) => item === 2 };
    const isMutant = (asked: number): boolean => asked === active;
    return runInNewContext(text, { ...names, isMutant, f: (...all: readonly boolean[]) => all.map(Number).join('') });
  };
  expect(withMutant(-1)).toBe('111');
  expect(mutants.map((mutant) => [mutated(source, mutant), withMutant(mutant.number)])).toMatchInlineSnapshot(`
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
