import { expect, test } from 'vitest';
import { compileCondition, evaluate } from '../../src/cel/index.ts';

const least = '-9223372036854775808';

// Source: cel-go common/types/overflow.go and int.go
test.each<[expression: string, error: string]>([
  [`${least} % -1 == 0`, 'integer overflow'],
  [`${least} / -1 == 0`, 'integer overflow'],
  [`${least} * -1 == 0`, 'integer overflow'],
  [`-(${least}) == 0`, 'integer overflow'],
  [`${least} - 1 == 0`, 'integer overflow'],
  ['1 % 0 == 0', 'modulus by zero'],
])('%s: %s', (expression, error) => {
  const compilation = compileCondition(expression, { stored: true });
  if (compilation.outcome === 'failed') throw new Error(compilation.error);
  expect(evaluate(compilation.compiled, () => undefined)).toMatchObject({ outcome: 'error', error });
});

test.each([`${least} % 1 == 0`, `${least} % 2 == 0`, '-7 % 3 == -1', '7 % -3 == 1'])('%s', (expression) => {
  const compilation = compileCondition(expression, { stored: true });
  if (compilation.outcome === 'failed') throw new Error(compilation.error);
  expect(evaluate(compilation.compiled, () => undefined)).toMatchObject({ outcome: 'value', value: true });
});
