import { expect, test } from 'vitest';
import { isHousekeeping } from '../../src/ui/filter.ts';
import { someSummary } from '../harness/some-summary.ts';
import type { WebhookNames } from '../../src/explain/trace/trace-summary.ts';

const users: readonly [user: string, isHousekeeping: boolean][] = [
  ['system:apiserver', true],
  ['system:kube-scheduler', true],
  ['system:node:node-1', true],
  ['system:serviceaccount:kube-system:replicaset-controller', true],
  ['system:serviceaccount:shop:operator', false],
  ['system:admin', false],
  ['admin', false],
];

test.each(users)('a write of %s is housekeeping: %s', (user, expected) => {
  expect(isHousekeeping(someSummary({ id: 'web', name: 'web', user }))).toBe(expected);
});

const none: WebhookNames = { called: [], denied: [], failed: [], skipped: [] };
const user = 'system:serviceaccount:kube-system:replicaset-controller';

test.each(['called', 'denied', 'failed'] as const)('not with a called webhook: %s', (outcome) => {
  expect(
    isHousekeeping(someSummary({ id: 'web', name: 'web', user, webhooks: { ...none, [outcome]: ['a.example.com'] } })),
  ).toBe(false);
});

test('webhooks passed over make no difference, a refusal does', () => {
  expect(
    isHousekeeping(someSummary({ id: 'web', name: 'web', user, webhooks: { ...none, skipped: ['a.example.com'] } })),
  ).toBe(true);
  expect(isHousekeeping(someSummary({ id: 'web', name: 'web', user, verdict: 'refused' }))).toBe(false);
});

test.each([
  [409, true],
  [403, false],
])('a component that got %i is housekeeping: %s', (code, expected) => {
  const user = 'system:serviceaccount:kube-system:replicaset-controller';
  expect(isHousekeeping(someSummary({ id: 'web', name: 'web', user, verdict: 'refused', code }))).toBe(expected);
});
