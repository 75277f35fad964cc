import { expect, test } from 'vitest';
import type { CallReply } from '../../../src/apiserver/admission/webhooks/call.ts';
import { readYamlBody } from '../../../src/adapters/http/body-formats.ts';
import { compareVerdicts } from '../../../src/testing/record-replay/replay-call.ts';
import { checkReply, type ReplyVerdict, checkRecorded } from '../../../src/testing/record-replay/check-reply.ts';
import type { RecordedCall } from '../../../src/testing/record-replay/pick-call.ts';
import { aboutKind, base64, tracedCall } from '../../harness/traced-call.ts';

const reply = (body: object | string, code = 200): CallReply => ({
  outcome: 'answered',
  code,
  contentType: 'application/json',
  body: new TextEncoder().encode(typeof body === 'string' ? body : JSON.stringify(body)),
});

const review = (response: object, version = 'v1'): object => ({
  kind: 'AdmissionReview',
  apiVersion: `admission.k8s.io/${version}`,
  response: { uid: 'u-1', allowed: true, ...response },
});

const judged = (body: object | string, call: RecordedCall = tracedCall(), code = 200): Promise<ReplyVerdict> =>
  checkReply(reply(body, code), call, readYamlBody);

const team = (value: string): readonly object[] => [{ op: 'add', path: '/metadata/labels', value: { team: value } }];
const patching = (operations: readonly object[]): object => ({ patchType: 'JSONPatch', patch: base64(operations) });

test('a patch is applied to the object that was sent', async () => {
  expect(await judged(review({ ...patching(team('red')), warnings: ['w'], auditAnnotations: { a: 'b' } }))).toEqual({
    outcome: 'allowed',
    status: null,
    error: '',
    patch: team('red'),
    object: {
      kind: 'ConfigMap',
      apiVersion: 'v1',
      metadata: { name: 'a', namespace: 'shop', labels: { team: 'red' } },
    },
    warnings: ['w'],
    auditAnnotations: { a: 'b' },
  });
});

test('a custom resource keeps its fields though its schema is not here', async () => {
  const widget = { kind: 'Widget', apiVersion: 'example.com/v1', metadata: { name: 'a' }, spec: { size: 1 } };
  const call = aboutKind(tracedCall(), { group: 'example.com', version: 'v1', kind: 'Widget' }, widget);
  const { object } = await judged(review(patching([{ op: 'replace', path: '/spec/size', value: 2 }])), call);
  expect(object).toEqual({ ...widget, spec: { size: 2 } });
});

test('a denial is what the client reads', async () => {
  expect(await judged(review({ allowed: false, status: { message: 'no', code: 403 } }))).toMatchObject({
    outcome: 'denied',
    status: { message: 'admission webhook "team.example.com" denied the request: no', code: 403 },
  });
});

// Source: spec rules RSP-4, RSP-6, RSP-20 to RSP-26, FAIL-20, FAIL-21
test.each<[string, object | string, RegExp, number?]>([
  [
    'another uid',
    review({ uid: 'u-2' }),
    /: received invalid webhook response: expected response.uid="u-1", got "u-2"$/,
  ],
  ['no version', { response: { uid: 'u-1', allowed: true } }, /expected webhook response of admission.k8s.io\/v1/],
  ['no patchType', review({ patch: base64([]) }), /webhook returned response.patch but not response.patchType$/],
  ['code 500', 'boom', /^failed calling webhook "team.example.com": failed to call webhook: /, 500],
  ['no JSON', '{', /^failed calling webhook "team.example.com": failed to call webhook: couldn't get version\/kind/],
  [
    'a patch that does not fit',
    review(patching([{ op: 'remove', path: '/data/x' }])),
    /^failed calling webhook .*remove/,
  ],
])('an answer with %s fails as it does on the server', async (_what, body, error, code = 200) => {
  expect(await judged(body, tracedCall(), code)).toMatchObject({
    outcome: 'failed',
    error: expect.stringMatching(error),
  });
});

test('a validating webhook may not patch', async () => {
  const call = tracedCall({ phase: 'validating' });
  expect((await judged(review(patching(team('red'))), call)).error).toMatch('validating webhook may not return');
});

test('a review of v1beta1 is answered as such', async () => {
  const call = tracedCall({}, 'v1beta1');
  const body = { response: { allowed: true, patch: base64(team('red')) } };
  expect(await judged(body, call)).toMatchObject({ outcome: 'allowed', patch: team('red') });
});

test('a recorded failure keeps its text', async () => {
  const { answer: _answer, ...rest } = tracedCall({ outcome: 'failed-closed', error: 'failed calling webhook: EOF' });
  expect(await checkRecorded(rest, readYamlBody)).toMatchObject({
    outcome: 'failed',
    error: 'failed calling webhook: EOF',
  });
});

const lines = async (was: object, is: object): Promise<readonly string[]> => {
  const [before, after] = [await judged(review(was)), await judged(review(is))];
  return compareVerdicts(before, after).flatMap(({ part, lines: all }) => [
    part,
    ...all.map((one) => one.sign + one.text),
  ]);
};

test.each<[string, object, object, readonly string[]]>([
  ['nothing', patching(team('red')), patching(team('red')), []],
  [
    'another patch',
    patching(team('red')),
    patching(team('blue')),
    [
      'patch',
      '-{"op":"add","path":"/metadata/labels","value":{"team":"red"}}',
      '+{"op":"add","path":"/metadata/labels","value":{"team":"blue"}}',
      'object',
      ' metadata:',
      '   labels:',
      '-    team: red',
      '+    team: blue',
    ],
  ],
  ['a warning more', { warnings: ['a'] }, { warnings: ['a', 'b'] }, ['warnings', '+b']],
  [
    'warnings in another order',
    { warnings: ['a', 'b'] },
    { warnings: ['b', 'a'] },
    ['warnings', '-a', '-b', '+b', '+a'],
  ],
  ['an annotation', {}, { auditAnnotations: { a: 'b' } }, ['auditAnnotations', '+a: b']],
])('%s differs', async (_what, was, is, expected) => {
  expect(await lines(was, is)).toEqual(expected);
});

test('a denial in place of an allowance is reported first', async () => {
  const differences = await lines({}, { allowed: false, status: { message: 'no' } });
  expect(differences.slice(0, 4)).toEqual(['outcome', '-allowed', '+denied', 'status']);
});
