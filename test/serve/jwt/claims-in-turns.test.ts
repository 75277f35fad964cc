import { expect, test } from 'vitest';
import { inTurns } from '../../../src/apimachinery/in-turns.ts';
import * as cel from '../../../src/cel/index.ts';
import { createClaimsEvaluator } from '../../../src/serve/jwt/jwt-checks.ts';

const wide = Object.fromEntries(Array.from({ length: 300 }, (_none, at) => [`k${at}`, 'x']));
const claims = { ...wide, nested: { 'a.b': ['v'], ...wide } };
const expressions = ["has(claims.k1) ? claims.k1 : ''", 'claims.nested.a__dot__b', 'string(claims.k2)'];

test('expressions that are compiled meanwhile are not looked for where they were', async () => {
  const evaluate = createClaimsEvaluator(cel);
  const work = () => expressions.map((expression) => evaluate(expression, 'claims', claims));
  let [now, asked] = [0, 0];
  const late = Object.assign((): undefined => void (asked += 1), { now: () => (now += 100) });
  expect(await inTurns(work, late)).toEqual(['x', ['v'], 'x'].map((value) => ({ ok: true, value })));
  expect(asked).toBeGreaterThan(600);
});
