import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const names = [...readFileSync('src/library.ts', 'utf8').matchAll(/^export \{([^}]*)\}/gm)]
  .flatMap(([, list = '']) => list.split(','))
  .map((name) => name.trim())
  .filter((name) => /^[a-z]/.test(name));

test('the library exports a function for each analysis of the commands', () => {
  const found = ['lint', 'budget', 'order', 'idempotency', 'diffLog', 'diff', 'compat', 'bench', 'importTests'];
  expect(names).toEqual(expect.arrayContaining([...found, 'saveSnapshot', 'restoreSnapshot', 'replayChanges']));
});

test.each(names)('docs/reference/library.md shows the arguments of %s', (name) => {
  expect(readFileSync('docs/reference/library.md', 'utf8')).toMatch(new RegExp(`\\b${name}\\(`));
});
