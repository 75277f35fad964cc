import { expect, test } from 'vitest';
import type { CallReply } from '../../../../src/apiserver/admission/webhooks/call.ts';
import { callBackend } from '../../../../src/apiserver/admission/webhooks/call-backend.ts';
import { httpReply } from '../../../harness/admission.ts';

const review = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenReview' };
const reviewed = httpReply(JSON.stringify({ ...review, status: { authenticated: true } }), 200);
const broken = (error: string): CallReply => ({ outcome: 'failed', phase: 'headers', error });

/** How often the backend is called, what is slept between, and what comes of it. */
async function asking(replies: readonly CallReply[]) {
  const { calls, slept, result } = await askingPaused(replies);
  return { calls, slept, outcome: result.outcome };
}

async function askingPaused(replies: readonly CallReply[]) {
  const slept: number[] = [];
  let calls = 0;
  const result = await callBackend(
    {
      name: 'authn',
      backend: { url: 'https://127.0.0.1/', caBundle: '', insecure: false, user: undefined },
      review,
      scheme: 'scheme.go:1',
      timeoutMs: 1000,
      retryBackoffMs: 100,
    },
    {
      callWebhook: async () => replies[Math.min(calls++, replies.length - 1)] ?? reviewed,
      sleep: async (milliseconds) => void slept.push(milliseconds),
      random: () => 0.5,
    },
  );
  return { calls, slept, result };
}

// Source: apiserver pkg/util/webhook/webhook.go DefaultShouldRetry, DefaultRetryBackoffWithInitialDelay.
test.each<[answer: number, calls: number]>([
  [400, 1],
  [404, 1],
  [429, 5],
  [500, 5],
  [501, 1],
  [503, 1],
  [504, 5],
  [505, 1],
])('a backend that answers %i is called %i times', async (code, calls) => {
  expect(await asking([httpReply('', code)])).toMatchObject({ calls, outcome: 'failed' });
});

test.each<[error: string, calls: number]>([
  ['Post "https://127.0.0.1/": read tcp: connection reset by peer', 5],
  ['Post "https://127.0.0.1/": dial tcp: connect: connection refused', 1],
  ['context deadline exceeded', 1],
])('a backend that fails with %s is called %i times', async (error, calls) => {
  expect(await asking([broken(error)])).toMatchObject({ calls, outcome: 'failed' });
});

test('what recovers is asked no more, and each wait is half as long again', async () => {
  expect(await asking([httpReply('', 500), httpReply('', 429), httpReply('', 504), reviewed])).toEqual({
    calls: 4,
    slept: [110, 165, 247.5].map((wait) => expect.closeTo(wait, 6)),
    outcome: 'reviewed',
  });
});

const texts = (count: number): string => JSON.stringify(Array.from({ length: count }, (_, at) => `g${at}`));
const said = (status: string): CallReply =>
  httpReply(`{"apiVersion":"${review.apiVersion}","kind":"TokenReview","status":${status}}`, 200);

// Source: apimachinery pkg/runtime/serializer/recognizer/recognizer.go, json/json.go; how many values is ours.
test.each<[what: string, answer: CallReply, result: object]>([
  [
    'YAML',
    httpReply('apiVersion: authentication.k8s.io/v1\nkind: TokenReview\nstatus: {a: 1}', 200),
    { status: { a: 1 } },
  ],
  ['no status', httpReply(JSON.stringify(review), 200), { status: {} }],
  [
    'half of one',
    httpReply('{"kind":', 200),
    { error: "couldn't get version/kind; json parse error: unexpected end of JSON input" },
  ],
  ['too many values', said(texts(100_001)), { error: 'kadmit takes at most 100000 values in a body' }],
  [
    'too many values in YAML',
    httpReply(Array.from({ length: 100_001 }, () => '- a').join('\n'), 200),
    { error: 'kadmit takes at most 100000 values in a body' },
  ],
])('a backend that answers with %s', async (_what, answer, result) => {
  expect((await askingPaused([answer])).result).toMatchObject(result);
});
