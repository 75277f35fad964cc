import { expect, test } from 'vitest';
import { nestingFault } from '../../../src/machinery/yaml/nesting.ts';
import { readLocated } from '../../../src/testing/scenario/read/located.ts';

const tooDeep = 'it is nested deeper than 200 levels';

const facts: readonly [fact: string, text: string, fault: string | undefined][] = [
  ['lists', '['.repeat(3600), tooDeep],
  ['lists that are closed', '['.repeat(3600) + ']'.repeat(3600), tooDeep],
  ['lists whose ends are comments', '[ # ]\n'.repeat(3600), tooDeep],
  ['mappings', '{a: '.repeat(300), tooDeep],
  ['items', '- '.repeat(300), tooDeep],
  ['indentation', Array.from({ length: 300 }, (_none, level) => `${' '.repeat(level)}a:`).join('\n'), tooDeep],
  ['a second document', `a: 1\n---\n${'['.repeat(300)}`, tooDeep],
  ['levels behind an error', `a: b: c\n${'['.repeat(300)}`, 'mapping values are not allowed in this context'],
  ['199 levels', '['.repeat(199) + ']'.repeat(199), undefined],
  ['many brackets one after the other', 'a: []\n'.repeat(1000), undefined],
  ['brackets in a text', `a: |\n  ${'['.repeat(1000)}`, undefined],
  ['an error before few levels', `${'- []\n'.repeat(300)}a: b: c\n[[`, undefined],
];

test.each(facts)('%s', (_fact, text, fault) => {
  expect(nestingFault(text, 200)).toBe(fault);
});

test('a scenario file that is nested too deep names the limit', () => {
  const { documents, problems } = readLocated('a.yaml', `steps: ${'['.repeat(1800)}`);
  expect(documents).toEqual([]);
  expect(problems.map(({ message }) => message)).toEqual([tooDeep]);
});
