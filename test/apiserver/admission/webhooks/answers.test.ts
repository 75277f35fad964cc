import { expect, test } from 'vitest';
import { readReview } from '../../../../src/apiserver/admission/webhooks/read-review.ts';
import type { CallReply } from '../../../../src/apiserver/admission/webhooks/call.ts';
import { asString, type JsonObject, type JsonValue } from '../../../../src/machinery/json/json.ts';
import type { Status } from '../../../../src/machinery/meta/status.ts';
import {
  admissionWorld,
  httpReply,
  configMap,
  creating,
  noLimits,
  webhookConfiguration,
} from '../../../harness/admission.ts';

/** What a client reads when the only webhook, w.example.com, says this. */
async function refusalOf(phase: 'mutating' | 'validating', reply: CallReply): Promise<Status | undefined> {
  const kind = phase === 'mutating' ? 'MutatingWebhookConfiguration' : 'ValidatingWebhookConfiguration';
  const configuration = webhookConfiguration(kind, 'w', [{ name: 'w.example.com' }]);
  const world = admissionWorld({
    [phase]: [configuration],
    responses: { 'w.example.com': () => reply },
    ports: {
      newUid: () => 'uid-1',
      parseYaml: async (text) =>
        text.startsWith('"') || text === 'hello'
          ? { outcome: 'read', value: text }
          : { outcome: 'unreadable', error: 'yaml: line 1: did not find expected node content' },
    },
  });
  const request = creating(configMap());
  const result =
    phase === 'mutating' ? await world.chain.mutate(request, noLimits) : await world.chain.validate(request, noLimits);
  return result.verdict.outcome === 'refused' ? result.verdict.status : undefined;
}

const review = (response: JsonValue, fields: JsonObject = {}): CallReply =>
  httpReply({ apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', response, ...fields });

const allowing = (fields: JsonObject): CallReply => review({ uid: 'uid-1', allowed: true, ...fields });

const noVersion = "couldn't get version/kind; json parse error: ";

// Source: client-go rest/request.go, beside what the recorded conversations of group response state;
// apimachinery pkg/api/errors/errors.go, apiserver webhook/request/admissionreview.go for the rest
const failures: readonly [fact: string, phase: 'mutating' | 'validating', reply: CallReply, reason: string][] = [
  ['400', 'validating', httpReply('no', 400), 'the server rejected our request for an unknown reason'],
  ['401', 'validating', httpReply('{}', 401), 'the server has asked for the client to provide credentials'],
  ['403 with a text', 'validating', httpReply(' go away ', 403, 'text/plain'), 'go away'],
  ['403 with JSON', 'validating', httpReply('{}', 403), 'unknown'],
  ['404', 'validating', httpReply('{}', 404), 'the server could not find the requested resource'],
  ['405', 'validating', httpReply('', 405), 'the server does not allow this method on the requested resource'],
  [
    '406',
    'validating',
    httpReply('{}', 406),
    'the server was unable to respond with a content type that the client supports',
  ],
  ['409', 'validating', httpReply('', 409), 'the server reported a conflict'],
  [
    '418',
    'validating',
    httpReply('', 418),
    'the server responded with the status code 418 but did not return more information',
  ],
  ['422', 'validating', httpReply('', 422), 'the server rejected our request due to an error in our request'],
  [
    '429',
    'validating',
    httpReply('', 429),
    'the server has received too many requests and has asked us to try again later',
  ],
  [
    '500 with a Status that is no failure',
    'mutating',
    httpReply({ kind: 'Status', apiVersion: 'v1', status: 'Success' }, 500),
    'an error on the server ("unknown") has prevented the request from succeeding',
  ],
  ['503', 'validating', httpReply('{}', 503), 'the server is currently unable to handle the request'],
  [
    '504',
    'validating',
    httpReply('', 504),
    'the server was unable to return a response in the time allotted, but may still be processing the request',
  ],
  [
    'a content type that is none',
    'validating',
    httpReply('{}', 200, '/'),
    'Internal error occurred: mime: no media type',
  ],
  [
    'a content type with two semicolons at its end',
    'validating',
    httpReply('{}', 200, 'application/json;;'),
    'Internal error occurred: mime: invalid media parameter',
  ],
  ['no YAML either', 'mutating', httpReply('[}'), 'yaml: line 1: did not find expected node content'],
  ['half an object', 'mutating', httpReply('{"kind":'), `${noVersion}unexpected end of JSON input`],
  [
    'code as a string',
    'mutating',
    review({ uid: 'uid-1', status: { code: '403' } }),
    'json: cannot unmarshal string into Go struct field Status.response.status.code of type int32',
  ],
  [
    'code above 32 bits',
    'mutating',
    review({ uid: 'uid-1', status: { code: 2_147_483_648 } }),
    'json: cannot unmarshal number 2147483648 into Go struct field Status.response.status.code of type int32',
  ],
  [
    'response as a list',
    'mutating',
    review([]),
    'json: cannot unmarshal array into Go struct field AdmissionReview.response of type v1.AdmissionResponse',
  ],
  [
    'a warning that is a number',
    'mutating',
    review({ uid: 'uid-1', warnings: [1] }),
    'json: cannot unmarshal number into Go struct field AdmissionResponse.response.warnings of type string',
  ],
  [
    'a patch of numbers of which one is no byte',
    'validating',
    review({ uid: 'uid-1', patch: [91, 256] }),
    'json: cannot unmarshal number 256 into Go struct field AdmissionResponse.response.patch of type uint8',
  ],
  [
    'a patch of texts',
    'mutating',
    review({ uid: 'uid-1', patch: ['['] }),
    'json: cannot unmarshal string into Go struct field AdmissionResponse.response.patch of type uint8',
  ],
  [
    'a Status of any version',
    'mutating',
    review({}, { kind: 'Status' }),
    'converting (v1.Status) to (v1.AdmissionReview): unknown conversion',
  ],
  [
    'a Status of any version with a code that is none of success',
    'mutating',
    httpReply({ kind: 'Status', apiVersion: 'a/v9', status: 'Failure', message: 'no' }, 500),
    'no',
  ],
  [
    'a Status without words',
    'validating',
    httpReply({ kind: 'Status', apiVersion: 'v1', status: 'Failure', reason: 'Conflict' }, 500),
    '',
  ],
  [
    'a connection that fails',
    'mutating',
    { outcome: 'failed', phase: 'connect', error: 'Post "https://x": EOF' },
    'Post "https://x": EOF',
  ],
];

test.each(failures)('the call fails on %s', async (_fact, phase, reply, reason) => {
  const error = `failed calling webhook "w.example.com": failed to call webhook: ${reason}`;
  expect(await refusalOf(phase, reply)).toEqual({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message: `Internal error occurred: ${error}`,
    reason: 'InternalError',
    details: { causes: [{ message: error }] },
    code: 500,
  });
});

const jsonPatch = (text: string): JsonObject => ({ patch: btoa(text), patchType: 'JSONPatch' });
const invalid = 'received invalid webhook response: ';
const undecodable = 'received undecodable patch in webhook response: ';

// Source: as above; spec rules RSP-20 to RSP-25, MUT-10, FAIL-2
const invalidReviews: readonly [fact: string, phase: 'mutating' | 'validating', reply: CallReply, reason: string][] = [
  [
    'another uid',
    'mutating',
    review({ uid: 'other', allowed: true }),
    `${invalid}expected response.uid="uid-1", got "other"`,
  ],
  ['no uid', 'validating', review({ allowed: true }), `${invalid}expected response.uid="uid-1", got ""`],
  [
    'a patch without its type',
    'mutating',
    allowing({ patch: 'W10=' }),
    `${invalid}webhook returned response.patch but not response.patchType`,
  ],
  [
    'a type without a patch',
    'mutating',
    allowing({ patchType: 'JSONPatch' }),
    `${invalid}webhook returned response.patchType but not response.patch`,
  ],
  [
    'an empty type',
    'mutating',
    allowing({ patch: 'W10=', patchType: '' }),
    `${invalid}webhook returned invalid response.patchType of ""`,
  ],
  [
    'a type without a patch in a denial',
    'mutating',
    review({ uid: 'uid-1', allowed: false, patchType: 'JSONPatch' }),
    `${invalid}webhook returned response.patchType but not response.patch`,
  ],
  [
    'a patchType of a validating webhook',
    'validating',
    allowing({ patchType: 'JSONPatch' }),
    `${invalid}validating webhook may not return response.patchType`,
  ],
  // Ours: a body may have no more, either.
  [
    'a patch of too many values',
    'mutating',
    allowing(jsonPatch(`[${'{},'.repeat(60_000)}{}]`)),
    `${undecodable}kadmit takes at most 100000 values in a webhook's patch`,
  ],
  [
    'more audit annotations than anybody reads',
    'validating',
    allowing({ auditAnnotations: Object.fromEntries(Array.from({ length: 100_001 }, (_none, at) => [`a${at}`, 'b'])) }),
    "failed to call webhook: kadmit takes at most 100000 values in a webhook's answer",
  ],
  [
    'another type of patch',
    'mutating',
    allowing({ ...jsonPatch('[{"op":"remove","path":"/data"}]'), patchType: 'Merge' }),
    'unsupported patch type "Merge"',
  ],
  [
    'no REST client',
    'mutating',
    { outcome: 'failed', phase: 'client', error: 'unable to load root certificates: x' },
    'could not get REST client: unable to load root certificates: x',
  ],
];

test.each(invalidReviews)('the webhook fails with %s', async (_fact, phase, reply, reason) => {
  const message = asString((await refusalOf(phase, reply))?.message);
  expect(message).toBe(`Internal error occurred: failed calling webhook "w.example.com": ${reason}`);
});

const applying = (operation: JsonObject): CallReply => allowing(jsonPatch(JSON.stringify([operation])));

// Source: recorded conversations of group patch; spec rules FAIL-22, FAIL-23, MUT-13
const patchErrors: readonly [fact: string, reply: CallReply, message: string][] = [
  [
    'an unknown kind',
    applying({ op: 'replace', path: '/kind', value: 'Nothing' }),
    'Internal error occurred: no kind "Nothing" is registered for version "v1" in scheme "k8s.io/kubernetes/pkg/api/legacyscheme/scheme.go:30"',
  ],
];

test.each(patchErrors)(
  'a patch with %s refuses the request without naming the webhook',
  async (_fact, reply, message) => {
    expect((await refusalOf('mutating', reply))?.message).toBe(message);
  },
);

const denying = (status?: JsonObject): CallReply =>
  review({ uid: 'uid-1', allowed: false, ...(status ? { status } : {}) });
const denied = 'admission webhook "w.example.com" denied the request';

// Source: recorded conversations of group response; spec rules RSP-40 to RSP-44
const denials: readonly [fact: string, reply: CallReply, status: JsonObject][] = [
  ['nothing said', denying(), { message: `${denied} without explanation`, code: 400 }],
  ['allowed missing', review({ uid: 'uid-1' }), { message: `${denied} without explanation`, code: 400 }],
  ['a message', denying({ message: 'it is Tuesday' }), { message: `${denied}: it is Tuesday`, code: 400 }],
  ['only a reason', denying({ reason: 'because' }), { message: `${denied}: because`, reason: 'because', code: 400 }],
  ['a code of its own', denying({ code: 418, message: 'teapot' }), { message: `${denied}: teapot`, code: 418 }],
  ['a code that is no error', denying({ code: 200, message: 'odd' }), { message: `${denied}: odd`, code: 400 }],
  ['a code of redirection', denying({ code: 300, message: 'odd' }), { message: `${denied}: odd`, code: 400 }],
  ['the last of those', denying({ code: 399, message: 'odd' }), { message: `${denied}: odd`, code: 400 }],
  ['the first that is one', denying({ code: 400, message: 'odd' }), { message: `${denied}: odd`, code: 400 }],
  ['a success', denying({ status: 'Success', message: 'odd' }), { message: `${denied}: odd`, code: 400 }],
  [
    'details',
    denying({
      code: 422,
      reason: 'Invalid',
      message: 'bad',
      details: { name: 'one', causes: [{ field: 'data.k', message: 'no', reason: '' }] },
    }),
    {
      message: `${denied}: bad`,
      reason: 'Invalid',
      details: { name: 'one', causes: [{ field: 'data.k', message: 'no' }] },
      code: 422,
    },
  ],
];

test.each(denials)('a denial with %s', async (_fact, reply, status) => {
  const expected = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', ...status };
  expect(await refusalOf('mutating', reply)).toEqual(expected);
  expect(await refusalOf('validating', reply)).toEqual(expected);
});

// Source: recorded conversations of group response
test.each<[fact: string, reply: CallReply]>([
  ['a status beside allowed', allowing({ status: { code: 403, message: 'ignored' } })],
  [
    'another content type',
    httpReply(
      { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', response: { uid: 'uid-1', allowed: true } },
      200,
      'text/plain',
    ),
  ],
  [
    'code 201',
    httpReply(
      { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', response: { uid: 'uid-1', allowed: true } },
      201,
    ),
  ],
  ['unknown fields', allowing({ Allowed: false, extra: 1 })],
])('%s does not matter', async (_fact, reply) => {
  expect(await refusalOf('mutating', reply)).toBeUndefined();
  expect(await refusalOf('validating', reply)).toBeUndefined();
});

// Source: encoding/json decode.go: only a text is base64; kube-rs sends numbers.
test('bytes may come as a list of numbers', async () => {
  const response = { uid: 'u', allowed: true, patch: [...Buffer.from('[{}]'), null] };
  const parseYaml = async () => ({ outcome: 'unreadable', error: 'not JSON' }) as const;
  const read = await readReview(JSON.stringify({ response }), 'v1', { parseYaml });
  const patch = Buffer.from('[{}]\0').toString('base64');
  expect(read).toEqual({ outcome: 'read', review: { response: { uid: 'u', allowed: true, patch } } });
});

test.each(['mutating', 'validating'] as const)('choosing among many %s webhooks yields before each', async (phase) => {
  let asked = 0;
  const kind = phase === 'mutating' ? 'MutatingWebhookConfiguration' : 'ValidatingWebhookConfiguration';
  const objectSelector = { matchLabels: { none: 'x' } };
  const hooks = Array.from({ length: 300 }, (_none, at) => ({ name: `w${at}.example.com`, objectSelector }));
  const world = admissionWorld({
    [phase]: [webhookConfiguration(kind, 'w', hooks)],
    responses: {},
    ports: { yieldIfLong: async () => void (asked += 1) },
  });
  const limits = noLimits;
  const request = creating(configMap());
  const result =
    phase === 'mutating' ? await world.chain.mutate(request, limits) : await world.chain.validate(request, limits);
  expect(result.verdict.outcome).toBe('admitted');
  expect(asked).toBeGreaterThanOrEqual(300);
});
