import { expect, test } from 'vitest';
import { compileCondition, evaluate } from '../../src/cel/engine.ts';
import type { Value } from '../../src/cel/value.ts';

const numbers = Array.from({ length: 30_000 }, (_value, index) => index);
const object: Value = { numbers, text: 'a'.repeat(100_000) };

const exceeded = { outcome: 'error', error: 'operation cancelled: actual cost limit exceeded' };

const facts: readonly [fact: string, expression: string, expected: object][] = [
  ['nested loops run out of cost', 'object.numbers.all(x, object.numbers.all(y, x + y >= 0))', exceeded],
  ['a long list is made in one go', 'object.numbers.map(x, 1).size() == 30000', { outcome: 'value', value: true }],
  ['so is a long map', 'object.numbers.transformMap(i, v, v).size() == 30000', { outcome: 'value', value: true }],
  ['a pattern cannot blow up', "object.text.matches('^(a+)+$x')", { outcome: 'value', value: false }],
];

test.each(facts)('%s, within a second', (_fact, expression, expected) => {
  const compilation = compileCondition(expression, { stored: true });
  if (compilation.outcome === 'failed') throw new Error(compilation.error);
  const start = performance.now();
  const evaluation = evaluate(compilation.compiled, () => object, { costLimit: 1_000_000 });
  expect(evaluation).toMatchObject(expected);
  expect(performance.now() - start).toBeLessThan(1000);
});

test('an evaluation that is interrupted ends at the next hundredth round', () => {
  const compilation = compileCondition('object.numbers.all(x, x >= 0)', { stored: true });
  if (compilation.outcome === 'failed') throw new Error(compilation.error);
  let asked = 0;
  const interrupted = (): boolean => (asked += 1) === 4; // Before the loop, then every hundred rounds.
  const evaluation = evaluate(compilation.compiled, () => object, { interrupted });
  expect(evaluation).toEqual({ outcome: 'error', error: 'operation interrupted', cost: 2 + 300 * 5 });
});
