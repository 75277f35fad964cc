import { isList } from '../../apimachinery/json.ts';
import type { JsonValue } from '../../apimachinery/json.ts';
import type { Run, Values } from './functions.ts';
import { QueryFault } from './tree.ts';
import type { Query } from './tree.ts';
import { isTruth, numberFrom, orderOf } from './values.ts';

type Operation = Extract<Query, { readonly type: 'operation' }>;

/** Two queries and a sign between them: `//`, `and`, `or`, a comparison or arithmetic. Throws QueryFault. */
export function* operate({ sign, left, right }: Operation, input: JsonValue, run: Run): Values {
  if (sign === '//') {
    const good = [...forgiving(run(left, input))].filter(isTruth);
    yield* good.length > 0 ? good : run(right, input);
    return;
  }
  if (sign === 'and' || sign === 'or') {
    for (const a of run(left, input))
      yield* isTruth(a) === (sign === 'or') ? [sign === 'or'] : truths(run(right, input));
    return;
  }
  for (const b of run(right, input)) for (const a of run(left, input)) yield compute(sign, a, b);
}

function* truths(values: Values): Values {
  for (const value of values) yield isTruth(value);
}

/** The values up to the first fault. */
export function* forgiving(values: Values): Values {
  try {
    yield* values;
  } catch (error) {
    if (!(error instanceof QueryFault)) throw error;
  }
}

function compute(sign: string, a: JsonValue, b: JsonValue): JsonValue {
  const order = orderOf(a, b);
  switch (sign) {
    case '==':
      return order === 0;
    case '!=':
      return order !== 0;
    case '<':
      return order < 0;
    case '<=':
      return order <= 0;
    case '>':
      return order > 0;
    case '>=':
      return order >= 0;
    case '+':
      return plus(a, b);
    default:
      return calculate(sign, numberFrom(a), numberFrom(b));
  }
}

function plus(a: JsonValue, b: JsonValue): JsonValue {
  if (a === null) return b;
  if (b === null) return a;
  if (typeof a === 'string' && typeof b === 'string') return a + b;
  if (isList(a) && isList(b)) return [...a, ...b];
  return numberFrom(a) + numberFrom(b);
}

function calculate(sign: string, a: number, b: number): number {
  if (sign === '-') return a - b;
  if (sign === '*') return a * b;
  if (b === 0) throw new QueryFault('divided by zero');
  return sign === '/' ? a / b : Math.trunc(a) % Math.trunc(b);
}
