import { expect, test } from 'vitest';
import { inTurns } from '../../src/apimachinery/in-turns.ts';
import { admissionEnvironment } from '../../src/cel/admission/admission-environment.ts';
import { compile, evaluate } from '../../src/cel/index.ts';
import type { Compilation } from '../../src/cel/index.ts';
import { impatient } from '../harness/impatient.ts';

// One expression may have 100,000 characters. Reading it and giving its parts their types lets others in.

const environment = admissionEnvironment({ stored: true });
const times = (count: number, item: (at: number) => string): readonly string[] =>
  Array.from({ length: count }, (_none, at) => item(at));

const toldOf = (compilation: Compilation): unknown => {
  if (compilation.outcome === 'failed') return compilation;
  const { compiled } = compilation;
  const { references, typeOf, ast } = compiled.checked;
  return { references: references.size, type: typeOf(ast.root.id), result: evaluate(compiled, () => ({})) };
};

const expressions: Readonly<Record<string, string>> = {
  'a chain of conditions': times(200, (at) => `!has(object.a${at}) || object.a${at} != "x"`).join(' && '),
  'a list': `[${times(600, String).join()}].exists(x, x == 599)`,
  'a map': `{${times(300, (at) => `"k${at}": ${at}`).join()}}.k299 == 299`,
  'a list with optional elements': `[${times(300, (at) => `?optional.of(${at})`).join()}].size() == 300`,
  'many macros': times(100, (at) => `[${at}].map(x, x + 1).filter(y, y > ${at}).size() == 1`).join(' && '),
  'macros in macros': `${'[1].all(x, '.repeat(15)}${times(100, () => 'x == 1').join(' && ')}${')'.repeat(15)}`,
  nots: `${'!'.repeat(2_000)}true`,
  'unknown names': times(300, (at) => `b${at}`).join('&&'),
  'reserved names': times(150, () => 'as == for').join(' || '),
  'fields of a message with escaped names': `a{${times(100, (at) => `\`f${at}\`: ${at}`).join()}}`,
  'a syntax error at the end': `${times(200, (at) => `a${at} > 1`).join(' && ')} && && ?`,
  'syntax errors after a long list': `[${times(600, String).join()}] ${times(20, () => ') + ').join('a ')}`,
  'too deep': `${'('.repeat(260)}1${')'.repeat(260)}`,
};

test.each(Object.entries(expressions))('%s: others are let in, and nothing else changes', async (_what, text) => {
  const pause = impatient();
  const inSteps = await inTurns(() => compile(text, environment), pause);
  expect(toldOf(inSteps)).toEqual(toldOf(compile(text, environment)));
  expect(pause.turns()).toBeGreaterThan(text.length / 400);
});

test('of more than a hundred complaints, or of very long ones, only some are told', () => {
  const names = (count: number, gap = ''): string => times(count, (at) => `b${at}${gap}`).join('&&');
  const linesOf = (text: string): readonly string[] => {
    const compilation = compile(text, environment);
    return compilation.outcome === 'failed' ? compilation.error.split('\n') : [];
  };
  expect(linesOf(names(101))).toHaveLength(301);
  expect(linesOf(names(101)).at(-1)).toBe('1 more errors were truncated');
  expect(linesOf(names(100)).at(-1)).not.toContain('truncated');
  const long = linesOf(names(100, ' '.repeat(900)));
  expect(long).toHaveLength(3 * 3 + 1);
  expect(long.at(-1)).toBe('97 more errors were truncated');
});
