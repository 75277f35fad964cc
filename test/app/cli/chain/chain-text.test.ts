import { expect, test } from 'vitest';
import { chainText } from '../../../../src/app/cli/chain/chain.ts';
import { healthSentence, budgetSentence, timeBudget } from '../../../../src/explain/render/chain-words.ts';
import { plain } from '../../../../src/explain/render/explain-page.ts';
import type { ChainStep } from '../../../../src/explain/trace/chain-document.ts';

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
const validating = { phase: 'validating' } as const;

const budgets: readonly [fact: string, steps: readonly ChainStep[], worstCase: number][] = [
  ['no certificate', [], 0],
  ['mutating ones add up', [step({}), step({ timeoutSeconds: 3 })], 13],
  ['of validating ones the slowest counts', [step(validating), step({ ...validating, timeoutSeconds: 3 })], 10],
  ['both', [step({}), step(validating)], 20],
  ['IfNeeded is called twice', [step({}), step({ timeoutSeconds: 3, reinvocationPolicy: 'IfNeeded' })], 16],
  ['who may be asked counts', [step({ outcome: 'depends' })], 10],
  [
    'who is skipped, refuses or is no webhook does not',
    [step({ outcome: 'skipped' }), step({ outcome: 'refuses' }), step({ type: 'policy' })],
    0,
  ],
];

// Mutating webhooks run in turn, validating ones in parallel: apiserver pkg/admission/plugin/webhook/*/dispatcher.go.
test.each(budgets)('time: %s', (_fact, steps, worstCase) => {
  expect(timeBudget(steps).worstCase).toBe(worstCase);
});

test('a sum beyond the deadline is reported', () => {
  const three = [step({ timeoutSeconds: 30 }), step({ timeoutSeconds: 5 })];
  expect(budgetSentence(timeBudget(three))).toBe(
    'worst case 35 s, the limit is 34 s: 35 s mutating, in order; the last ones get less than their timeoutSeconds',
  );
  expect(budgetSentence(timeBudget([step({ timeoutSeconds: 30 }), step({ timeoutSeconds: 4 })]))).not.toContain(';');
  expect(budgetSentence(timeBudget([]))).toContain('no webhook is called');
});

test('neighbouring plugins share a line, everybody else has their own', () => {
  const steps = [
    step({ type: 'plugin', name: 'Priority', within: '' }),
    step({ type: 'plugin', name: 'RuntimeClass', within: '' }),
    step({ health: { outcome: 'unreachable', phase: 'connect', error: 'refused' } }),
    step({ name: 'b', outcome: 'skipped', because: ['it has no rules'] }),
    step({
      ...validating,
      name: 'c',
      outcome: 'depends',
      because: ['objectSelector requires a=b'],
      failurePolicy: 'Ignore',
    }),
    step({ ...validating, type: 'plugin', name: 'ResourceQuota', within: '' }),
  ];
  expect(
    chainText(steps, { sentence: 'create pods', verb: 'create' }, { paint: plain, width: Infinity, now: 0 }).split(
      '\n',
    ),
  ).toEqual([
    'create pods',
    '',
    'Mutating, in order',
    '  plugins: Priority, RuntimeClass',
    '  called   webhook a.example.com (checks)  up to 10 s; a failure refuses the request',
    '           UNREACHABLE (connect): refused',
    '  skipped  webhook b (checks)  it has no rules',
    '',
    'Validating, webhooks in parallel',
    '  depends  webhook c (checks)  objectSelector requires a=b',
    '           if it matches: up to 10 s; a failure lets the request pass',
    '  plugins: ResourceQuota',
    '',
    '  time: worst case 20 s, the limit is 34 s: 10 s mutating, in order + 10 s validating, the slowest',
  ]);
});

test('how long a certificate is good', () => {
  const certificate = {
    subject: 'CN=hooks',
    issuer: 'CN=ca',
    names: [],
    notBefore: 0,
    notAfter: Date.parse('2027-01-11T00:00:00Z'),
    serverName: 'hooks',
  };
  const now = Date.parse('2027-01-01T00:00:00Z');
  expect(healthSentence({ outcome: 'reachable', address: 'https://h:1', certificate }, now)).toBe(
    'https://h:1 accepts connections, certificate CN=hooks until 2027-01-11 (10d left)',
  );
  expect(healthSentence({ outcome: 'reachable', address: 'http://h:1' }, now)).toBe('http://h:1 accepts connections');
});
