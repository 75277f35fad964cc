import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/machinery/json/json.ts';
import type { ScenarioOutcome } from '../../../src/testing/scenario/outcome.ts';
import { problemText } from '../../../src/testing/scenario/read/problems.ts';
import { loadReviews } from '../../../src/testing/scenario/reviews/load-reviews.ts';
import { runReviews } from '../../../src/testing/scenario/reviews/run-reviews.ts';
import { temporaryFolder } from '../../harness/temporary-folder.ts';

const folder = temporaryFolder();

let count = 0;

function write(files: Readonly<Record<string, string>>): string {
  const own = join(folder, String((count += 1)), 'reviews');
  mkdirSync(own, { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(own, name), text);
  return own;
}

const review = JSON.stringify({
  kind: 'AdmissionReview',
  apiVersion: 'admission.k8s.io/v1',
  request: {
    uid: 'u',
    operation: 'CREATE',
    resource: { resource: 'pods' },
    namespace: 'shop',
    name: 'web',
    object: {},
  },
});

/** Asks a webhook that answers with this one review, of which this is expected. */
async function ask(response: JsonObject, expected?: string, error = ''): Promise<ScenarioOutcome> {
  const own = write({ 'pod.json': review, ...(expected === undefined ? {} : { 'pod.expected.yaml': expected }) });
  const loading = loadReviews([own]);
  if (loading.outcome === 'unreadable') throw new Error(loading.problems.map(problemText).join('\n'));
  const [suite] = loading.suites;
  if (!suite) throw new Error('there is no suite');
  const body = JSON.stringify({ kind: 'AdmissionReview', response });
  return runReviews(suite, { now: () => 0, send: async () => ({ body, error }) });
}

const denied = { uid: 'u', allowed: false, status: { code: 403, message: 'no privileged containers' } };
const patch = [{ op: 'add', path: '/metadata/labels', value: { team: 'a' } }];
const patched = { allowed: true, patchType: 'JSONPatch', patch: Buffer.from(JSON.stringify(patch)).toString('base64') };

test('an answer of which nothing is expected is shown', async () => {
  const outcome = await ask(denied);
  expect(outcome).toMatchObject({
    outcome: 'passed',
    scenario: { name: 'reviews' },
    steps: [{ name: 'pod.json: CREATE pods shop/web', note: 'denied with 403: no privileged containers' }],
  });
});

test('an answer that kube-apiserver does not take fails', async () => {
  const { outcome, steps } = await ask(denied, undefined, 'expected response.uid="u", got ""');
  expect(outcome).toBe('failed');
  expect(steps[0]?.failures).toMatchObject([{ what: 'answer', message: 'expected response.uid="u", got ""' }]);
});

const passing: readonly [expected: string, response: JsonObject][] = [
  ['allowed: false', denied],
  ['allowed: false\nstatus: { message: /privileged/, code: 403 }', denied],
  ['response: { allowed: true }', patched],
  ['patch: [{ op: add, path: /metadata/labels, value: { team: a } }]', patched],
  [`patchType: JSONPatch\npatch: ${patched.patch}`, patched],
  ['warnings: [careful, { contains: b }]', { allowed: true, warnings: ['careful', 'abc'] }],
  ['auditAnnotations: { why: /not/ }', { allowed: true, auditAnnotations: { why: 'why not', other: 'x' } }],
];

test.each(passing)('%j is met', async (expected, response) => {
  expect(await ask(response, expected)).toMatchObject({ outcome: 'passed' });
});

const failing: readonly [expected: string, response: JsonObject, failure: object][] = [
  [
    'allowed: true',
    denied,
    { what: 'allowed', message: 'it was to be allowed, and is denied with 403: no privileged containers' },
  ],
  ['allowed: false', patched, { what: 'allowed', message: 'it was to be denied, and is allowed, 1 operation' }],
  ['status: { code: 400 }', denied, { what: 'status.code', message: '400 was expected, and it is 403' }],
  [
    'status: { message: /root/ }',
    denied,
    { what: 'status.message', message: '/root/ was expected, and it is "no privileged containers"' },
  ],
  ['status: { reason: Bad }', denied, { what: 'status.reason', message: '"Bad" was expected, and there is none' }],
  ['patch: []', patched, { what: 'patch', expected: '[]\n' }],
  [
    'warnings: []',
    { allowed: true, warnings: ['careful'] },
    { what: 'warnings', message: 'none was expected, and there is "careful"' },
  ],
  [
    'auditAnnotations: { why: because }',
    { allowed: true },
    { what: 'auditAnnotations', message: 'why: "because" was expected, and there is none' },
  ],
  ['- 1', denied, { what: 'expected', message: 'is no response of an AdmissionReview' }],
];

test.each(failing)('%j is not met', async (expected, response, failure) => {
  const { outcome, steps } = await ask(response, expected);
  expect(outcome).toBe('failed');
  expect(steps[0]?.failures).toMatchObject([failure]);
  expect(steps[0]?.failures[0]?.place.file).toMatch(/pod\.expected\.yaml$/);
});

const unreadable: readonly [fact: string, files: Readonly<Record<string, string>>, problem: string][] = [
  ['no review', { 'a.json': '{"kind": "Pod"}' }, 'a.json:1:1: is no AdmissionReview with a request'],
  ['no JSON', { 'a.json': '{' }, 'a.json:1:2: Flow map must end with a }'],
  ['an empty file', { 'a.yaml': '' }, 'a.yaml:1:1: the file is empty'],
];

test.each(unreadable)('%s is an error that says where', (_fact, files, problem) => {
  const own = write(files);
  const loading = loadReviews([own]);
  expect(loading.outcome === 'unreadable' && loading.problems.map(problemText)).toEqual([join(own, problem)]);
});

test('a folder without reviews, and none at all', () => {
  const own = write({});
  const problems = [own, join(own, 'x')].map((path) => {
    const loading = loadReviews([path]);
    return loading.outcome === 'unreadable' ? loading.problems.map(({ message }) => message) : [];
  });
  expect(problems).toEqual([
    ['there is no AdmissionReview in this folder or below it'],
    ['there is no such file or folder'],
  ]);
});
