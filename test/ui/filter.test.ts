import { expect, test } from 'vitest';
import { collectChoices, type Filter, filterRequests, noFilter, isHousekeeping } from '../../src/ui/filter.ts';
import { someSummary } from '../harness/trace-summary.ts';
import type { WebhookNames } from '../../src/explain/trace/trace-summary.ts';

const all = [
  someSummary({ id: 'web', name: 'web', webhooks: { called: ['a.example.com'], denied: [], failed: [], skipped: [] } }),
  someSummary({
    id: 'bad',
    name: 'bad',
    verdict: 'refused',
    code: 403,
    message: 'names must not be Bad',
    webhooks: { called: [], denied: ['b.example.com'], failed: [], skipped: [] },
  }),
  someSummary({
    id: 'config',
    name: 'config',
    resource: 'configmaps',
    user: 'bob',
    webhooks: { called: [], denied: [], failed: ['a.example.com'], skipped: [] },
  }),
];

const rows: readonly [fact: string, filter: Partial<Filter>, ids: readonly string[]][] = [
  ['nothing set lets all pass', {}, ['web', 'bad', 'config']],
  ['a verdict', { verdict: 'refused' }, ['bad']],
  ['denied by a webhook', { verdict: 'webhook denied' }, ['bad']],
  ['a webhook failed, whatever became of the request', { verdict: 'webhook failed' }, ['config']],
  ['a webhook that was called or failed', { webhook: 'a.example.com' }, ['web', 'config']],
  ['a resource', { resource: 'configmaps' }, ['config']],
  ['a user', { user: 'alice' }, ['web', 'bad']],
  ['words of the message, in any case', { text: 'NAMES bad' }, ['bad']],
  ['all words must occur', { text: 'shop 201 bob' }, ['config']],
  ['namespace and name', { text: 'shop/web' }, ['web']],
  ['all parts together', { user: 'alice', verdict: 'admitted', text: 'pods' }, ['web']],
];

test('with findings: rows with known findings that pass the other filters', () => {
  const marked = (filter: Partial<Filter>) =>
    filterRequests(all, { ...noFilter, ...filter }, ({ id }) => id !== 'web').map(({ id }) => id);
  expect(marked({ verdict: 'with findings' })).toEqual(['bad', 'config']);
  expect(marked({ verdict: 'with findings', user: 'bob' })).toEqual(['config']);
  expect(marked({})).toEqual(['web', 'bad', 'config']);
});

test.each(rows)('%s', (_fact, filter, ids) => {
  expect(filterRequests(all, { ...noFilter, ...filter }).map(({ id }) => id)).toEqual(ids);
});

const own = someSummary({ id: 'own', name: 'own', user: 'system:apiserver' });

test('writes of controllers are hidden, unless they or their user are selected', () => {
  const ids = (filter: Partial<Filter>) =>
    filterRequests([own, ...all], { ...noFilter, ...filter }).map(({ id }) => id);
  expect(ids({ withControllers: false })).toEqual(['web', 'bad', 'config']);
  expect(ids({ withControllers: true })).toEqual(['own', 'web', 'bad', 'config']);
  expect(ids({ user: 'system:apiserver' })).toEqual(['own']);
});

test('choices are the present values, sorted', () => {
  expect(collectChoices(all)).toEqual({
    webhooks: ['a.example.com', 'b.example.com'],
    resources: ['configmaps', 'pods'],
    users: ['alice', 'bob'],
  });
});

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

test.each(['called', 'denied', 'failed'] as const)(
  'a write with a called webhook is not housekeeping: %s',
  (outcome) => {
    expect(
      isHousekeeping(
        someSummary({ id: 'web', name: 'web', user, webhooks: { ...none, [outcome]: ['a.example.com'] } }),
      ),
    ).toBe(false);
  },
);

test('skipped webhooks make no difference, a refusal does', () => {
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
