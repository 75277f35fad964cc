import { expect, test } from 'vitest';
import { pickCall, type CallSelection } from '../../../src/testing/record-replay/pick-call.ts';
import type { Trace, TracedDecision } from '../../../src/explain/trace/trace.ts';
import { tracedCall } from '../../harness/traced-call.ts';

const trace = (...admission: readonly TracedDecision[]): Trace => ({
  traceVersion: 1,
  id: 't-1',
  startedAt: 0,
  milliseconds: 1,
  verdict: 'admitted',
  request: {} as Trace['request'],
  stages: [],
  admission,
  objectBefore: null,
  objectAfter: null,
  response: { code: 201, status: null, warnings: [] },
  auditAnnotations: {},
});

const team = tracedCall();
const again = tracedCall({ round: 1 });
const other = tracedCall({ configuration: 'others' });
const judge = tracedCall({ name: 'judge.example.com', phase: 'validating' });
const { review: _review, ...skipped } = tracedCall({ name: 'skipped.example.com', outcome: 'skipped' });

const all = 'called were labels/team.example.com (mutating), labels/judge.example.com (validating)';

test.each<[string, readonly TracedDecision[], Partial<CallSelection>, object | string]>([
  ['the only one needs no name', [skipped, team], {}, team],
  ['one of several needs its name', [team, judge], {}, `which webhook? --webhook NAME; ${all}`],
  ['the named one', [team, judge], { webhook: 'judge.example.com' }, judge],
  ['the one of this configuration', [team, other], { webhook: 'others/team.example.com' }, other],
  [
    'a name that two share',
    [team, other],
    { webhook: 'team.example.com' },
    'which webhook? --webhook NAME; called were labels/team.example.com (mutating), others/team.example.com (mutating)',
  ],
  ['one that was not called', [team, judge], { webhook: 'x' }, `"x" was not called in that request; ${all}`],
  ['the first of two rounds', [team, again], {}, team],
  ['the second of two rounds', [team, again], { round: 1 }, again],
  ['a round that was not', [team], { round: 1 }, 'labels/team.example.com was not called in round 1'],
  ['no webhook was called', [skipped], {}, 'no webhook was called in the trace t-1'],
])('%s', (_fact, admission, wish, expected) => {
  const picked = pickCall(trace(...admission), { webhook: '', round: 0, ...wish });
  expect(picked.outcome === 'picked' ? picked.call : picked.problem).toEqual(expected);
});
