import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import type { Trace } from '../../../src/explain/trace/trace.ts';
import { asObject, asString, type JsonObject, type JsonValue } from '../../../src/machinery/json/json.ts';
import type { RecordedCall } from '../../../src/testing/record-replay/pick-call.ts';
import { recordedReviews } from '../../../src/testing/record-replay/recorded-reviews.ts';
import { loadReviews } from '../../../src/testing/scenario/reviews/load-reviews.ts';
import { runReviews } from '../../../src/testing/scenario/reviews/run-reviews.ts';
import { base64, tracedCall } from '../../harness/traced-call.ts';
import { temporaryFolder } from '../../harness/temporary-folder.ts';

const folder = temporaryFolder();
let count = 0;

const traceOf = (...admission: readonly RecordedCall[]): Trace => ({
  traceVersion: 1,
  id: 't-1',
  startedAt: 0,
  milliseconds: 1,
  verdict: 'admitted',
  request: { resource: 'configmaps', group: '' } as Trace['request'],
  stages: [],
  admission,
  objectBefore: null,
  objectAfter: null,
  response: { code: 201, status: null, warnings: [] },
  auditAnnotations: {},
});

/** Writes the reviews, reads them as `kadmit test --call` does, and sends them to a webhook with this response. */
async function sendAgain(calls: readonly RecordedCall[], response: JsonObject): Promise<readonly string[]> {
  const own = join(folder, String((count += 1)));
  for (const [path, text] of recordedReviews([traceOf(...calls)], false).files) {
    mkdirSync(dirname(join(own, path)), { recursive: true });
    writeFileSync(join(own, path), text);
  }
  const loading = loadReviews([own]);
  if (loading.outcome === 'unreadable') throw new Error(JSON.stringify(loading.problems));
  const results: string[] = [];
  for (const suite of loading.suites) {
    const body = JSON.stringify({ kind: 'AdmissionReview', response });
    const { steps } = await runReviews(suite, { now: () => 0, send: async () => ({ body, error: '' }) });
    results.push(...steps.map(({ outcome, failures }) => [outcome, ...failures.map(({ what }) => what)].join(' ')));
  }
  return results;
}

const operations = [{ op: 'add', path: '/metadata/labels', value: { team: 'a' } }];
const allowed = { allowed: true };
const answered = (response: JsonObject, more: Partial<RecordedCall> = {}): RecordedCall =>
  tracedCall({ answer: { kind: 'AdmissionReview', response: { uid: 'u-1', ...response } }, ...more });
const denied = (message: string, more: JsonObject = {}): JsonObject => ({
  allowed: false,
  status: { metadata: {}, code: 403, message, ...more },
});

// controller-runtime also sends a status with an allowed response, and `metadata: {}` in any.
const rows: readonly [fact: string, recorded: RecordedCall, response: JsonObject, results: readonly string[]][] = [
  ['the same response passes', answered(allowed), allowed, ['passed']],
  ['a status beside allowed', answered({ allowed: true, status: { code: 200 } }), allowed, ['passed']],
  ['a denial instead', answered(allowed), denied('no'), ['failed allowed']],
  ['a patch instead of none', answered(allowed), { allowed: true, patch: operations }, ['failed patch']],
  [
    'a patch in base64 is expected as operations',
    answered({ allowed: true, patchType: 'JSONPatch', patch: base64(operations) }, { patch: operations }),
    { allowed: true, patchType: 'JSONPatch', patch: base64(operations) },
    ['passed'],
  ],
  ['the same denial', answered(denied('no'), { outcome: 'denied' }), denied('no'), ['passed']],
  ['another message', answered(denied('no'), { outcome: 'denied' }), denied('nope'), ['failed status.message']],
  [
    'a message between slashes is no pattern',
    answered(denied('/a.c/'), { outcome: 'denied' }),
    denied('abc'),
    ['failed status.message'],
  ],
  ['and matches itself', answered(denied('/a.c/'), { outcome: 'denied' }), denied('/a.c/'), ['passed']],
  ['the same warnings', answered({ ...allowed, warnings: ['old'] }), { ...allowed, warnings: ['old'] }, ['passed']],
  ['no warning any more', answered({ ...allowed, warnings: ['old'] }), allowed, ['failed warnings']],
  [
    'another audit annotation',
    answered({ ...allowed, auditAnnotations: { by: 'me' } }),
    { ...allowed, auditAnnotations: { by: 'you' } },
    ['failed auditAnnotations'],
  ],
  ['of a failed call nothing is expected', answered(allowed, { outcome: 'failed-open' }), denied('no'), ['passed']],
  [
    'of a call without a response either',
    tracedCall({ answer: 'busy', outcome: 'failed-closed' }),
    allowed,
    ['passed'],
  ],
];

test.each(rows)('%s', async (_fact, recorded, response, results) => {
  expect(await sendAgain([recorded], response)).toEqual(results);
});

test('a folder for each webhook, a file for each call in the order of the calls', () => {
  const { files, ...counts } = recordedReviews(
    [
      traceOf(tracedCall(), tracedCall({ name: 'judge.example.com', phase: 'validating', outcome: 'failed-open' })),
      traceOf(tracedCall({ round: 1 })),
    ],
    false,
  );
  expect([...files.keys()]).toEqual([
    'mutating/labels/team.example.com/001-create-configmaps-shop-a.json',
    'mutating/labels/team.example.com/001-create-configmaps-shop-a.expected.json',
    'validating/labels/judge.example.com/001-create-configmaps-shop-a.json',
    'mutating/labels/team.example.com/002-create-configmaps-shop-a.json',
    'mutating/labels/team.example.com/002-create-configmaps-shop-a.expected.json',
  ]);
  expect(counts).toEqual({ reviews: 3, webhooks: 2 });
});

test('names with characters that a file system lacks', () => {
  const { review } = tracedCall();
  const request = { ...asObject(review['request']), name: 'system:kube/x?', subResource: 'status' };
  const { files } = recordedReviews([traceOf(tracedCall({ review: { ...review, request } }))], false);
  expect([...files.keys()][0]).toBe(
    'mutating/labels/team.example.com/001-create-configmaps-status-shop-system-kube-x-.json',
  );
});

test('names of a foreign trace do not leave the folder', () => {
  const { files } = recordedReviews([traceOf(tracedCall({ configuration: '..', name: '../..' }))], false);
  expect([...files.keys()][0]).toBe('mutating/-/--../001-create-configmaps-shop-a.json');
});

test('values of Secrets are masked, unless they are wanted', () => {
  const { review } = tracedCall();
  const object = { kind: 'Secret', apiVersion: 'v1', metadata: { name: 'a' }, stringData: { password: 'hunter22' } };
  const call = tracedCall({ review: { ...review, request: { ...asObject(review['request']), object } } });
  const secret = {
    ...traceOf(call),
    request: { resource: 'secrets', group: '' } as Trace['request'],
    objectAfter: object,
  };
  const passwordIn = (reveal: boolean): JsonValue | undefined => {
    const [text = ''] = recordedReviews([secret], reveal).files.values();
    const written = asObject(asObject(asObject(asObject(JSON.parse(text))['request'])['object'])['stringData']);
    return asString(written['password']);
  };
  expect([passwordIn(false), passwordIn(true)]).toEqual(['‹masked 1›', 'hunter22']);
});
