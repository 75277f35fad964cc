import { expect, test } from 'vitest';
import { createDeadline, noDeadline } from '../../../../src/machinery/meta/deadline.ts';
import type { CallLimits } from '../../../../src/apiserver/admission/chain/create-chain.ts';
import { createExpressions } from '../../../../src/apiserver/admission/matching/expression-engine.ts';
import { withRequestContext } from '../../../../src/apiserver/admission/matching/request-context.ts';
import * as cel from '../../../../src/cel/index.ts';

const clock = { now: () => 1000, sleep: () => Promise.resolve() };
const gone = new AbortController();
gone.abort();

// Source: apiserver pkg/admission/plugin/cel/activation.go Evaluate: Program.ContextEval with the request's context
test.each<[fact: string, limits: CallLimits, result: object]>([
  ['goes on while the request has time', { deadline: createDeadline(1001, clock.now) }, { value: true }],
  ['goes on without a deadline', { deadline: noDeadline }, { value: true }],
  ['ends when the time is over', { deadline: createDeadline(1000, clock.now) }, { error: 'operation interrupted' }],
  [
    'ends when the client has gone',
    { deadline: noDeadline, signal: () => gone.signal },
    { error: 'operation interrupted' },
  ],
])('a long expression %s', (_fact, limits, result) => {
  const { expressions } = withRequestContext({ clock, expressions: createExpressions(cel) }, limits);
  const variables = {
    object: null,
    oldObject: null,
    request: () => ({}),
    namespaceObject: () => null,
    requester: null,
  };
  const compiled = expressions.compile('lists.range(1000).all(x, x >= 0)', { stored: true });
  expect(expressions.evaluator(variables)(compiled, 2_500_000)).toMatchObject(result);
});

test('who has no expressions needs none', () => {
  const ports = { clock };
  expect(withRequestContext(ports, { deadline: noDeadline })).toBe(ports);
});
