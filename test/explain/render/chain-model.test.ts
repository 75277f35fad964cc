import { expect, test } from 'vitest';
import { chainModel, failureSentences } from '../../../src/explain/render/chain-model.ts';
import type { ChainStep } from '../../../src/explain/trace/chain-document.ts';

const step = (over: Partial<ChainStep>): ChainStep => ({
  phase: 'mutating',
  type: 'webhook',
  name: 'a.example.com',
  within: 'checks',
  outcome: 'called',
  because: [],
  failurePolicy: 'Fail',
  reinvocationPolicy: 'Never',
  timeoutSeconds: 10,
  ...over,
});
const plugin = (name: string, phase: ChainStep['phase'] = 'mutating'): ChainStep => ({
  phase,
  type: 'plugin',
  name,
  within: '',
  outcome: 'called',
  because: [],
});

const sectionsOf = (steps: readonly ChainStep[], verb = 'create') =>
  chainModel(steps, verb, 0).sections.map(({ name, participants }) => [
    name,
    ...participants.map(({ title }) => title),
  ]);

test('the way of a create, neighbouring plugins as one stop', () => {
  const validating = { phase: 'validating', name: 'v', within: 'b' } as const;
  const steps = [
    plugin('Priority'),
    plugin('RuntimeClass'),
    step({ type: 'policy', name: 'p', within: '' }),
    step({}),
    step({ ...validating, type: 'policy' }),
    step(validating),
    plugin('ResourceQuota', 'validating'),
  ];
  expect(sectionsOf(steps)).toEqual([
    ['mutating', 'Priority, RuntimeClass', 'policy p', 'webhook a.example.com (checks)'],
    ['validation', 'defaults, pruning and validation'],
    ['validating', 'policy v (b)', 'webhook v (b)', 'ResourceQuota'],
    ['store', 'written'],
  ]);
});

const again = { reinvocationPolicy: 'IfNeeded' } as const;
const rounds: readonly [fact: string, steps: readonly ChainStep[], hasSecond: boolean][] = [
  ['no webhook has IfNeeded', [step({})], false],
  ['one does', [step({}), step(again)], true],
  ['one that may be asked', [step({ ...again, outcome: 'depends' })], true],
  ['one that is skipped is not called again', [step({ ...again, outcome: 'skipped' })], false],
  ['nor one whose answer is assumed', [step({ ...again, assumed: 'allow' })], false],
];

// apiserver pkg/admission/plugin/webhook/mutating/reinvocationcontext.go
test.each(rounds)('a second round: %s', (_fact, steps, hasSecond) => {
  expect(sectionsOf(steps).some(([name]) => name === 'again')).toBe(hasSecond);
});

test.each([
  ['create', ['mutating', 'validation', 'validating', 'store']],
  ['update', ['mutating', 'validation', 'validating', 'store']],
  ['delete', ['mutating', 'validating', 'store']],
  ['connect', ['mutating', 'validating']],
])('the chain of a %s', (verb, names) => {
  expect(sectionsOf([], verb).map(([name]) => name)).toEqual(names);
});

test('every stop has a key of its own', () => {
  const steps = [plugin('A'), step({}), step({ name: 'b' }), step({ phase: 'validating' }), plugin('A', 'validating')];
  const keys = chainModel(steps, 'create', 0).sections.flatMap(({ participants }) =>
    participants.map(({ key }) => key),
  );
  expect(new Set(keys).size).toBe(keys.length);
});

const slow = step({ name: 'slow', timeoutSeconds: 30 });
const failures: readonly [fact: string, step: ChainStep, before: readonly ChainStep[], words: RegExp][] = [
  ['who is not asked cannot fail', step({ outcome: 'skipped' }), [], /^$/],
  ['a mutating denial ends the way', step({}), [], /denial.*later webhooks are not called/],
  ['a validating one does not', step({ phase: 'validating' }), [], /denial.*The other webhooks are still called/],
  ['Fail', step({}), [], /refused with 500 \(failurePolicy Fail\)/],
  ['Ignore', step({ failurePolicy: 'Ignore' }), [], /continues without it, unchecked \(failurePolicy Ignore\)/],
  [
    'a backend that is not there',
    step({ health: { outcome: 'unreachable', phase: 'connect', error: 'refused' } }),
    [],
    /It is unreachable now: each request that calls it is refused with 500/,
  ],
  ['time is left', step({ timeoutSeconds: 4 }), [slow], /30 s of the 34 s of the request are over before its call\.$/],
  ['less than it may take', step({ timeoutSeconds: 5 }), [slow], /gets 4 s instead of 5 s.*whatever the failurePolicy/],
  [
    'none',
    step({}),
    [slow, step({ timeoutSeconds: 4 })],
    /34 s, the 34 s of the request are over: it fails with 504, whatever the failurePolicy/,
  ],
  ['validating ones wait for the second round', step({ phase: 'validating' }), [step(again)], /20 s of the 34 s/],
  ['assumed', step({ assumed: 'allow' }), [], /^The webhook is not called: the request continues unchanged/],
  ['a policy', step({ type: 'policy', phase: 'validating' }), [], /422.*refuses the request \(failurePolicy Fail\)/],
  ['refuses as it is', step({ outcome: 'refuses' }), [], /whatever its failurePolicy says/],
];

// apiserver pkg/admission/plugin/webhook/{mutating,validating}/dispatcher.go
test.each(failures)('when something fails: %s', (_fact, one, before, words) => {
  expect(failureSentences(one, [...before, one]).join(' ')).toMatch(words);
});
