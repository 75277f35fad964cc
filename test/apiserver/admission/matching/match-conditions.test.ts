import { expect, test } from 'vitest';
import {
  type ConditionsOutcome,
  type EvaluateCondition,
  evaluateMatchConditions,
} from '../../../../src/apiserver/admission/matching/match-conditions.ts';
import type { ExpressionResult } from '../../../../src/apiserver/admission/matching/expressions.ts';

const parts = () => [];

const results: Readonly<Record<string, ExpressionResult>> = {
  true: { outcome: 'value', value: true, cost: 1, parts },
  false: { outcome: 'value', value: false, cost: 1, parts },
  error: { outcome: 'error', error: 'no such key: none', cost: 1, parts },
  other: { outcome: 'error', error: 'divide by zero', cost: 1, parts },
  broken: { outcome: 'uncompilable', error: 'compilation failed: ERROR' },
  dearError: { outcome: 'error', error: 'divide by zero', cost: 1_500_000, parts },
  dear: { outcome: 'value', value: true, cost: 1_500_000, parts },
};

const evaluate: EvaluateCondition = (expression, budget) => {
  const result = results[expression];
  return result === undefined || ('cost' in result && result.cost > budget) ? { outcome: 'out-of-budget' } : result;
};

const judge = (expressions: string, failurePolicy: 'Fail' | 'Ignore') => {
  const conditions = expressions.split(' ').map((expression, index) => ({ name: `c${index}`, expression }));
  return evaluateMatchConditions(conditions, failurePolicy, evaluate);
};

const noKey = "expression 'error' resulted in error: no such key: none";
const overBudget = 'validation failed due to running out of cost budget, no further validation rules will be run';

// Source: apiserver matchconditions/matcher.go and its test; spec rules SEL-61 to SEL-67, TV-14, TV-15
const facts: readonly [conditions: string, failurePolicy: 'Fail' | 'Ignore', outcome: string, text: string][] = [
  ['true true', 'Fail', 'matched', ''],
  ['true false', 'Fail', 'matchCondition', 'c1'],
  ['error true false true error', 'Fail', 'matchCondition', 'c2'],
  ['error true false true error', 'Ignore', 'matchCondition', 'c2'],
  ['false false', 'Fail', 'matchCondition', 'c0'],
  ['error true true error', 'Fail', 'failed', noKey],
  ['error true true error', 'Ignore', 'matchCondition-error', noKey],
  ['error other', 'Fail', 'failed', `[${noKey}, expression 'other' resulted in error: divide by zero]`],
  ['broken', 'Fail', 'failed', 'compilation error: compilation failed: ERROR'],
  ['dear dear', 'Fail', 'failed', overBudget],
  ['false dear dear', 'Fail', 'failed', overBudget],
  ['dearError dear', 'Fail', 'failed', overBudget],
  ['dear dearError', 'Ignore', 'matchCondition-error', overBudget],
  ['false dear dear', 'Ignore', 'matchCondition-error', overBudget],
];

test.each(facts)('conditions %s with %s: %s', (conditions, failurePolicy, outcome, text) => {
  expect(summary(judge(conditions, failurePolicy))).toEqual([outcome, text]);
});

function summary(judged: ConditionsOutcome): readonly [outcome: string, text: string] {
  switch (judged.outcome) {
    case 'matched':
      return ['matched', ''];
    case 'failed':
      return ['failed', judged.error];
    case 'skipped': {
      const { reason } = judged;
      const said = reason.because === 'matchCondition' ? reason.condition : 'error' in reason ? reason.error : '';
      return [reason.because, said];
    }
  }
}

// Every condition is evaluated, and leaves its own result; ours.
test.each<[conditions: string, results: string]>([
  ['true true', 'true true'],
  ['true false error', 'true false error'],
  ['false broken true', 'false error true'],
  ['dear dear true', 'true error'],
])('conditions %s leave the results %s', (conditions, results) => {
  expect(judge(conditions, 'Fail').conditions.map(({ result }) => result)).toEqual(results.split(' '));
});
