import { expect, test } from 'vitest';
import type { CallReply } from '../../../src/apiserver/admission/webhooks/call.ts';
import type { JsonObject } from '../../../src/machinery/json/json.ts';
import type { Respond } from '../../harness/admission.ts';
import { createVirtualClock, epoch, type VirtualClock } from '../../harness/virtual-clock.ts';
import type { WorldAnswer } from '../../harness/world-answer.ts';
import { createTestWorld } from '../../harness/world.ts';

interface Hook {
  readonly phase: 'mutating' | 'validating';
  readonly seconds: number;
  readonly policy?: 'Fail' | 'Ignore';
  /** How long it takes to answer; more than its timeout by default. */
  readonly takes?: number;
}

interface Outcome {
  readonly answer: string;
  /** Seconds until the answer. */
  readonly after: number;
  /** The time each webhook was given, in the order of the calls. */
  readonly given: readonly number[];
  readonly exists: boolean;
}

const configMaps = '/api/v1/namespaces/default/configmaps';
const selector = { matchLabels: { slow: 'yes' } };
const slow = { metadata: { name: 'a', labels: { slow: 'yes' } } };

/** Sends a request to webhooks that are slow to answer, and lets time pass until it is answered. */
async function sendSlowly(
  hooks: readonly Hook[],
  request: readonly [method: string, target: string],
): Promise<Outcome> {
  const clock = createVirtualClock();
  const names = hooks.map((_hook, index) => `h${index}.example.com`);
  const responses = Object.fromEntries(hooks.map((hook, index) => [names[index], slowly(clock, hook)]));
  const world = await createTestWorld({ clock, responses });
  const [method, target] = request;
  if (method === 'DELETE') await world.send('POST', configMaps, slow);
  for (const phase of ['mutating', 'validating']) {
    const webhooks = hooks.flatMap((hook, index) => (hook.phase === phase ? [webhookOf(hook, names[index])] : []));
    const path = `/apis/admissionregistration.k8s.io/v1/${phase}webhookconfigurations`;
    await world.send('POST', path, { metadata: { name: phase }, webhooks });
  }
  let answer: WorldAnswer | undefined;
  let after = 0;
  const sending = world.send(method, target, method === 'POST' ? slow : undefined).then((answered) => {
    answer = answered;
    after = (clock.now() - epoch) / 1000;
  });
  while (!answer && clock.now() < epoch + 120_000) await clock.advance(500);
  await sending;
  return {
    answer: `${answer?.code} ${answer?.message}`.trim(),
    after,
    given: world.calls.map(({ timeoutMs }) => timeoutMs / 1000),
    exists: (await world.send('GET', `${configMaps}/a`)).code === 200,
  };
}

const webhookOf = ({ seconds, policy = 'Ignore' }: Hook, name: string | undefined): JsonObject => ({
  name: name ?? '',
  clientConfig: { url: 'https://example.com' },
  rules: [{ operations: ['CREATE', 'DELETE'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] }],
  objectSelector: selector,
  timeoutSeconds: seconds,
  failurePolicy: policy,
  sideEffects: 'None',
  admissionReviewVersions: ['v1'],
});

const timedOut = 'Post "https://example.com?timeout=2s": context deadline exceeded';

const slowly =
  (clock: VirtualClock, { takes = Infinity }: Hook): Respond =>
  async (_request, _turn, timeoutMs) => {
    await clock.sleep(Math.min(timeoutMs, takes * 1000), new AbortController().signal);
    const failed: CallReply = { outcome: 'failed', phase: 'timeout', error: timedOut };
    return takes * 1000 <= timeoutMs ? {} : failed;
  };

const many = (count: number, hook: Hook): readonly Hook[] => Array.from({ length: count }, () => hook);
const mutating = { phase: 'mutating', seconds: 10 } as const;
const validating = { phase: 'validating', seconds: 10 } as const;
const create = (query = ''): readonly [string, string] => ['POST', `${configMaps}${query}`];
const remove = (target = '/a'): readonly [string, string] => ['DELETE', `${configMaps}${target}`];

const called = `500 Internal error occurred: failed calling webhook "h0.example.com": failed to call webhook: ${timedOut}`;
const inHandler = '504 Timeout: request did not complete within requested timeout - context deadline exceeded';
const allotted = '504 Timeout: request did not complete within the allotted timeout';

type Row = readonly [sentence: string, hooks: readonly Hook[], request: readonly [string, string], outcome: Outcome];

// Source: rules FAIL-6, FAIL-13 and FAIL-40 to FAIL-45; test vectors TV-10 to TV-12 of spec/admission.md.
test.each<Row>([
  [
    'one that fails closed',
    [{ ...mutating, policy: 'Fail' }],
    create('?timeout=2s'),
    { answer: allotted, after: 2, given: [2], exists: false },
  ],
  [
    'one that validates and fails closed',
    [{ ...validating, policy: 'Fail' }],
    create('?timeout=2s'),
    { answer: allotted, after: 2, given: [2], exists: false },
  ],
  [
    'its own time is shorter',
    [{ ...validating, seconds: 1, policy: 'Fail' }],
    create('?timeout=2s'),
    { answer: called, after: 1, given: [1], exists: false },
  ],
  [
    'its own time is shorter and it fails open',
    [{ ...mutating, seconds: 1 }],
    create('?timeout=2s'),
    { answer: '201', after: 1, given: [1], exists: true },
  ],
  [
    'three that fail open, the first of which takes all',
    many(3, mutating),
    create('?timeout=3s'),
    { answer: allotted, after: 3, given: [3], exists: false },
  ],
  [
    'five that fail open within 34 seconds',
    many(5, mutating),
    create(),
    { answer: inHandler, after: 34, given: [10, 10, 10, 4], exists: false },
  ],
  [
    'five that fail open side by side',
    many(5, validating),
    create(),
    { answer: '201', after: 10, given: [10, 10, 10, 10, 10], exists: true },
  ],
  [
    'five that fail open when the time is up',
    many(5, validating),
    create('?timeout=2s'),
    { answer: allotted, after: 2, given: [2, 2, 2, 2, 2], exists: false },
  ],
  [
    'the mutating leave less to the validating',
    [...many(3, mutating), validating],
    create(),
    { answer: inHandler, after: 34, given: [10, 10, 10, 4], exists: false },
  ],
  [
    'a timeout above the default is the default',
    many(5, mutating),
    create('?timeout=5m'),
    { answer: inHandler, after: 34, given: [10, 10, 10, 4], exists: false },
  ],
  [
    'instant ones receive the remaining time',
    [
      { ...mutating, seconds: 20, takes: 0 },
      { ...mutating, seconds: 5, takes: 0 },
      { ...validating, seconds: 20, takes: 0 },
      { ...validating, seconds: 5, takes: 0 },
    ],
    create('?timeout=10s'),
    { answer: '201', after: 0, given: [10, 5, 10, 5], exists: true },
  ],
  [
    'those of a second each',
    [
      { ...mutating, seconds: 20, takes: 1 },
      { ...mutating, seconds: 5, takes: 1 },
      { ...mutating, seconds: 20, takes: 1 },
      { ...validating, seconds: 5, takes: 1 },
      { ...validating, seconds: 10, takes: 1 },
      { ...validating, seconds: 20, takes: 1 },
    ],
    create('?timeout=10s'),
    { answer: '201', after: 4, given: [10, 5, 8, 5, 7, 7], exists: true },
  ],
  [
    'a DELETE has 34 seconds',
    many(5, mutating),
    remove(),
    { answer: inHandler, after: 34, given: [10, 10, 10, 4], exists: true },
  ],
  [
    'a DELETE that is out of time',
    many(2, validating),
    remove('/a?timeout=2s'),
    { answer: allotted, after: 2, given: [2, 2], exists: true },
  ],
  [
    'a deletecollection has 60 seconds',
    many(7, mutating),
    remove(''),
    { answer: allotted, after: 60, given: [10, 10, 10, 10, 10, 10], exists: true },
  ],
])('slow webhooks: %s', async (_sentence, hooks, request, outcome) => {
  expect(await sendSlowly(hooks, request)).toEqual(outcome);
});
