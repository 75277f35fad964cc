import { expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/machinery/json/json.ts';
import { webhookTokenSource } from '../../../../src/apiserver/auth/webhook/webhook-tokens.ts';
import type { SendReview } from '../../../../src/apiserver/auth/webhook/webhook-authorizer.ts';

const own = ['https://kubernetes.default.svc'];

/** A source whose webhook answers this, what it was sent, and its clock. */
function asking(status: JsonObject, cachedMs = 120_000) {
  const sent: string[] = [];
  const time = { now: 0 };
  const sendReview: SendReview = async (review) => {
    sent.push(JSON.stringify(review));
    return { outcome: 'reviewed', status, bytes: 1 };
  };
  const source = webhookTokenSource(
    { version: 'v1', cachedMs, apiAudiences: own },
    { sendReview, now: () => time.now },
  );
  return { sent, time, source };
}

// Source: kube-apiserver v1.36.2 sends this body.
test('a TokenReview', async () => {
  const { sent, source } = asking({});
  await source('t', own);
  expect(sent).toEqual([
    '{"kind":"TokenReview","apiVersion":"authentication.k8s.io/v1","metadata":{},"spec":{"token":"t","audiences":["https://kubernetes.default.svc"]},"status":{"user":{}}}',
  ]);
});

const user = { username: 'jane', uid: 'u', groups: ['g'], extra: { 'a/b': ['c'] } };
const bare = { username: 'x', uid: '', groups: [], extra: {} };

// Source: apiserver plugin/pkg/authenticator/token/webhook/webhook.go
test.each<[fact: string, status: JsonObject, wanted: readonly string[], verdict: object | undefined]>([
  [
    'a user it knows serves who asks',
    { authenticated: true, user },
    own,
    { outcome: 'verified', user, audiences: own },
  ],
  [
    'as far as the webhook says',
    { authenticated: true, user: { username: 'x' }, audiences: ['b', 'c'] },
    ['a', 'b'],
    { outcome: 'verified', user: bare, audiences: ['b'] },
  ],
  [
    'one of those it says is enough',
    { authenticated: true, user: { username: 'x' }, audiences: ['b'] },
    ['a', 'b'],
    { outcome: 'verified', user: bare, audiences: ['b'] },
  ],
  [
    'a token without audiences is accepted',
    { authenticated: true, user: { username: 'x' } },
    [],
    { outcome: 'verified', user: bare, audiences: [] },
  ],
  ['a token for other audiences is unknown', { authenticated: true, user, audiences: ['c'] }, ['a', 'b'], undefined],
  ['as one for others than us', { authenticated: true, user }, ['a'], undefined],
  ['one it does not know', { authenticated: false, user: { username: 'x' } }, own, undefined],
  ['one it objects to', { error: 'no luck' }, own, { outcome: 'invalid', error: 'no luck' }],
])('%s', async (_fact, status, wanted, verdict) => {
  expect(await asking(status).source('t', wanted)).toEqual(verdict);
});

test.each<[fact: string, status: JsonObject, cachedMs: number, later: readonly [atMs: number, calls: number]]>([
  ['who came in is remembered', { authenticated: true, user }, 120_000, [119_999, 1]],
  ['for a while', { authenticated: true, user }, 120_000, [120_000, 2]],
  ['for ten seconds at least', { authenticated: true, user }, 0, [9_999, 1]],
  ['who did not come in, too', { authenticated: false }, 120_000, [119_999, 1]],
  ['unless that is switched off', { authenticated: false }, 0, [0, 2]],
  ['an objection is not', { error: 'e' }, 120_000, [0, 2]],
])('%s', async (_fact, status, cachedMs, [atMs, calls]) => {
  const { sent, time, source } = asking(status, cachedMs);
  await source('t', own);
  time.now = atMs;
  await source('t', own);
  expect(sent).toHaveLength(calls);
});
