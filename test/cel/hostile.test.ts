import { expect, test } from 'vitest';
import { compileCondition, evaluate } from '../../src/cel/index.ts';
import type { Value } from '../../src/cel/value/value.ts';

const numbers = Array.from({ length: 30_000 }, (_value, index) => index);
const object: Value = { numbers, text: 'a'.repeat(100_000) };

const exceeded = { outcome: 'error', error: 'operation cancelled: actual cost limit exceeded' };

const facts: readonly [fact: string, expression: string, expected: object][] = [
  ['nested loops run out of cost', 'object.numbers.all(x, object.numbers.all(y, x + y >= 0))', exceeded],
  ['a long list is made in one go', 'object.numbers.map(x, 1).size() == 30000', { outcome: 'value', value: true }],
  ['so is a long map', 'object.numbers.transformMap(i, v, v).size() == 30000', { outcome: 'value', value: true }],
  ['a pattern cannot blow up', "object.text.matches('^(a+)+$x')", { outcome: 'value', value: false }],
];

test.each(facts)('%s', (_fact, expression, expected) => {
  const compilation = compileCondition(expression, { stored: true });
  if (compilation.outcome === 'failed') throw new Error(compilation.error);
  expect(evaluate(compilation.compiled, () => object, { costLimit: 1_000_000 })).toMatchObject(expected);
});

test('an evaluation that is interrupted ends at the next hundredth round', () => {
  const compilation = compileCondition('object.numbers.all(x, x >= 0)', { stored: true });
  if (compilation.outcome === 'failed') throw new Error(compilation.error);
  let asked = 0;
  const interrupted = (): boolean => (asked += 1) === 4; // Before the loop, then every hundred rounds.
  const evaluation = evaluate(compilation.compiled, () => object, { interrupted });
  expect(evaluation).toEqual({ outcome: 'error', error: 'operation interrupted', cost: 2 + 300 * 5 });
});

const long = 'a'.repeat(1_000_000);
const letters = Array.from({ length: 20_000 }, (_value, index) => `item${index}`);
const entries = Object.fromEntries(letters.map((letter) => [letter, letter]));
const mebibyte: Value = {
  numbers,
  letters,
  entries,
  long,
  digits: '9'.repeat(1_000_000),
  blanks: `${' '.repeat(500_000)}x`,
};
const copy: Value = structuredClone(mebibyte);

// How long they take is what `npm run fuzz` measures. What would take seconds or minutes if it were done first and paid for later, or not paid for at all; ours.
test.each([
  'object.numbers.all(x, x in object.numbers)',
  'object.numbers.distinct().size() > 0',
  'object.letters.sort().size() > 0',
  'sets.contains(object.numbers, object.numbers)',
  'sets.equivalent(object.letters, object.letters)',
  'lists.range(1000000000).size() > 0',
  'lists.range(9223372036854775807).size() > 0',
  'lists.range(4294967296 + object.numbers.size()).size() > 0',
  'lists.range(-1000000000).size() == 0 && lists.range(1000000000).size() > 0',
  'object.numbers.all(x, [object] == [oldObject])',
  'object.numbers.all(x, size(object.long) > 0)',
  "object.numbers.all(x, object.long.charAt(999999) == 'a')",
  "object.numbers.all(x, '%s'.format([object.entries]) != '')",
  'object.numbers.all(x, object.entries.exists(key, true))',
  "object.long.replace('', object.long).size() > 0",
  "object.long.replace('a', object.letters.join(',')).size() > 0",
  'object.letters.join(object.long).size() > 0',
  'object.numbers.map(x, object.long + string(x)).size() > 0',
  "'x'.matches(object.long)",
  "object.long.matches('(a{1,30}){1,33}b')",
  "object.blanks.trim() == 'x'",
  'int(object.digits) > 0',
  "url('http://a/' + object.blanks).getHost() == 'a'",
])('%s ends', (expression) => {
  const compilation = compileCondition(expression, { stored: true });
  if (compilation.outcome === 'failed') throw new Error(compilation.error);
  const start = performance.now();
  const interrupted = (): boolean => performance.now() > start + 100;
  const variable = (name: string): Value => (name === 'object' ? mebibyte : copy);
  const evaluation = evaluate(compilation.compiled, variable, { costLimit: 1_000_000, interrupted });
  expect(['value', 'error']).toContain(evaluation.outcome);
});

test('an encoded path need not be UTF-8', () => {
  const compilation = compileCondition("url('http://a/%ff b').getEscapedPath() == '/%FF%20b'", { stored: true });
  if (compilation.outcome === 'failed') throw new Error(compilation.error);
  expect(evaluate(compilation.compiled, () => undefined)).toMatchObject({ outcome: 'value', value: true });
});
