import { expect, test } from 'vitest';
import { type PausedRequest, readAction } from '../../../src/adapters/breakpoints/paused-requests.ts';

const held = (phase: 'mutating' | 'validating', version = 'v1'): PausedRequest => ({
  id: '1',
  moment: 'before',
  since: 0,
  configuration: 'labels',
  webhook: 'team.example.com',
  phase,
  review: { kind: 'AdmissionReview', apiVersion: `admission.k8s.io/${version}`, request: { uid: 'u-1' } },
});

const operations = [{ op: 'add', path: '/metadata/labels', value: { a: 'b' } }];
const base64 = Buffer.from(JSON.stringify(operations)).toString('base64');

const answered = async (response: object, version?: string): Promise<unknown> => {
  const reading = await readAction({ action: 'answer', response: { ...response } }, held('mutating', version));
  return reading.outcome === 'read' && reading.action.action === 'answer' ? JSON.parse(reading.action.body) : reading;
};

const review = (response: object, version = 'v1'): object => ({
  kind: 'AdmissionReview',
  apiVersion: `admission.k8s.io/${version}`,
  response,
});

test('continue needs nothing else', async () => {
  expect(await readAction({ action: 'continue' }, held('mutating'))).toEqual({
    outcome: 'read',
    action: { action: 'continue' },
  });
});

// What may be left out is filled in.
test.each<[string, object, object]>([
  ['only allowed', { allowed: true }, { uid: 'u-1', allowed: true }],
  [
    'operations',
    { allowed: true, patch: operations },
    { uid: 'u-1', allowed: true, patch: base64, patchType: 'JSONPatch' },
  ],
  ['no operations', { allowed: true, patch: [], patchType: 'JSONPatch' }, { uid: 'u-1', allowed: true }],
  [
    'base64',
    { uid: 'u-1', allowed: true, patch: base64, patchType: 'JSONPatch' },
    { uid: 'u-1', allowed: true, patch: base64, patchType: 'JSONPatch' },
  ],
  ['a whole review', review({ uid: 'u-1', allowed: false }), { uid: 'u-1', allowed: false }],
])('an answer of %s becomes a review', async (_what, given, response) => {
  expect(await answered(given)).toEqual(review(response));
});

test('the review has the version of the question', async () => {
  expect(await answered({ allowed: true }, 'v1beta1')).toEqual(review({ uid: 'u-1', allowed: true }, 'v1beta1'));
});

// Source: spec rules RSP-6, RSP-20 to RSP-26 for the texts after "response: " and "no AdmissionReview: "
test.each<[unknown, string]>([
  [[], 'the body is no JSON object: '],
  [{ action: 'stop' }, 'action "stop" is neither continue nor answer: '],
  [{ action: 'answer' }, 'an answer needs a response: '],
  [{ action: 'answer', response: {} }, 'response.allowed is missing: say true or false'],
  [{ action: 'answer', response: { allowed: true, uid: 'x' } }, 'response: expected response.uid="u-1", got "x"'],
  [
    { action: 'answer', response: { allowed: 'yes' } },
    'response is no AdmissionReview: json: cannot unmarshal string into Go struct field AdmissionResponse.response.allowed',
  ],
  [
    { action: 'answer', response: { allowed: true, patch: base64 } },
    'response: webhook returned response.patch but not response.patchType',
  ],
])('%j is refused in one line', async (json, problem) => {
  const reading = await readAction(json as object as {}, held('mutating'));
  expect(reading.outcome === 'wrong' ? reading.problem : '').toMatch(problem);
});

test('the error of a number that JavaScript cannot represent is one line, too', async () => {
  const problem = expect.stringContaining('action 9007199254740993 is neither continue nor answer');
  expect(await readAction({ action: 9007199254740993n }, held('mutating'))).toEqual({ outcome: 'wrong', problem });
});

test('a validating webhook may not patch', async () => {
  const response = { allowed: true, patch: operations };
  expect(await readAction({ action: 'answer', response }, held('validating'))).toEqual({
    outcome: 'wrong',
    problem: 'response: validating webhook may not return response.patch',
  });
});
