import { expect, test } from 'vitest';
import type { CallReply, HttpExchange } from '../../../src/apiserver/admission/webhooks/call.ts';
import type { JsonObject } from '../../../src/machinery/json/json.ts';
import { renderExplanation } from '../../../src/explain/render/explain.ts';
import { httpReply, type Respond } from '../../harness/admission.ts';
import { type SentRequest, traceOf } from '../../harness/trace-requests.ts';

const name = 'hook.example.com';
const configMaps = '/api/v1/namespaces/default/configmaps';
const create: SentRequest = ['POST', configMaps, { metadata: { name: 'm' }, data: { k: 'v' } }];
const remove: SentRequest = ['DELETE', `${configMaps}/m`];

const allowingReview = (uid: string, response: JsonObject): CallReply =>
  httpReply({
    apiVersion: 'admission.k8s.io/v1',
    kind: 'AdmissionReview',
    response: { uid, allowed: true, ...response },
  });

/** The explanation in one line. */
async function textOf(respond: Respond, sent = [create], phase: 'validating' | 'mutating' = 'validating') {
  const trace = await traceOf({ [phase]: [{ name }], responses: { [name]: respond }, sent });
  return renderExplanation(trace).replaceAll(/\s+/g, ' ');
}

const url = 'https://hook.example.com/v?timeout=10s';
const post: HttpExchange = { method: 'POST', url };
const get: HttpExchange = { method: 'GET', url: 'https://hook.example.com/login', code: 200 };
const page = httpReply('<html>log in</html>', 200, 'text/html');
const followed = 'hint: kube-apiserver follows this redirect with a GET, without the review: ';
const to = (code: number, location: string): HttpExchange => ({ ...post, code, location });

// Source: Go's net/http client.go redirectBehavior; client-go rest/with_retry.go.
const redirects: readonly [fact: string, exchanges: readonly HttpExchange[], lines: readonly string[]][] = [
  [
    'a login page',
    [to(302, '/login'), get],
    [
      'redirected: 302 to /login, repeated as GET without the review',
      `${followed}an ingress or proxy in front of the webhook requires a login: allow /v without one`,
    ],
  ],
  [
    'a trailing slash',
    [to(301, '/v/'), { ...get, url: 'https://hook.example.com/v/' }],
    [
      'redirected: 301 to /v/, repeated as GET without the review',
      `${followed}the server redirects to /v/, but kube-apiserver removes trailing slashes: respond at /v`,
    ],
  ],
  [
    'plain http',
    [to(301, 'http://hook.example.com/v'), { ...get, url: 'http://hook.example.com/v' }],
    [`${followed}the server redirects https to http: respond over https`],
  ],
  [
    'another host that gets the review',
    [to(307, 'https://b.example.com/x'), { ...post, url: 'https://b.example.com/x', code: 200 }],
    [
      'redirected: 307 to https://b.example.com/x, the review was posted there',
      'hint: the webhook redirects: respond at /v, or put the target of the redirect into clientConfig.url',
    ],
  ],
  [
    'two repetitions',
    [
      { ...post, code: 503, retryAfter: 1 },
      { ...post, code: 429, retryAfter: 2 },
      { ...post, code: 200 },
    ],
    [
      'answered 503 with Retry-After: 1, called again after 1 s',
      'answered 429 with Retry-After: 2, called again after 2 s',
    ],
  ],
];

test.each(redirects)('each HTTP exchange of a failed call is explained: %s', async (_fact, exchanges, lines) => {
  const text = await textOf(() => ({ ...page, exchanges }));
  for (const line of lines) expect(text).toContain(line);
});

test('a call that was answered elsewhere names the redirect too', async () => {
  const exchanges = [to(307, '/x'), { ...post, url: 'https://hook.example.com/x', code: 200 }];
  const text = await textOf(({ uid }) => ({ ...allowingReview(uid, {}), exchanges }));
  expect(text).toContain('redirected: 307 to /x, the review was posted there');
});

test('a redirect with the review is no cause of an answer that breaks the rules', async () => {
  const exchanges = [to(307, '/x'), { ...post, url: 'https://hook.example.com/x', code: 200 }];
  const text = await textOf(() => ({ ...allowingReview('another', {}), exchanges }));
  expect(text).toContain('hint: response.uid differs from request.uid');
});

test('a plain server behind a mapping that wants https', async () => {
  const exchanges = [to(308, 'https://hook.example.com/v'), { ...post, url: 'https://hook.example.com/v', code: 200 }];
  const text = await textOf(() => ({ ...page, exchanges, url: 'http://127.0.0.1:8080/v' }));
  expect(text).toContain('hint: the server redirects http to https: call its https port');
});

const allowing =
  (response: JsonObject): Respond =>
  ({ uid }) =>
    allowingReview(uid, response);

// Source: apiserver pkg/endpoints/filters/warning.go, pkg/admission/attributes.go AddAnnotation (rules RSP-30 to RSP-34).
const losses: readonly [fact: string, response: JsonObject, line: string][] = [
  ['a line break', { warnings: ['a\nb'] }, 'dropped warning "a\\nb": a warning with control characters'],
  [
    'a tab, twice',
    { warnings: ['a\tb', 'a\tb'] },
    `${'dropped warning "a\\tb": a warning with control characters (line breaks, tabs) is not sent '.repeat(2)}`,
  ],
  ['an empty text', { warnings: [''] }, 'dropped warning "": an empty warning is not sent'],
  ['a repetition', { warnings: ['a', 'a'] }, 'dropped warning "a": the client received this warning already'],
  [
    'more than 4096 characters',
    { warnings: ['x'.repeat(4097)] },
    `dropped warning "${'x'.repeat(80)}…": only its first 256 characters are sent`,
  ],
  [
    'many long ones',
    { warnings: Array.from({ length: 18 }, (_none, at) => `${at}${'y'.repeat(299)}`) },
    `dropped warning "16${'y'.repeat(78)}…": the warnings of a response share 4096 characters`,
  ],
  [
    'a key with a slash',
    { auditAnnotations: { 'a/b': '1' } },
    'dropped audit annotation "a/b": a valid label key must',
  ],
  ['an empty key', { auditAnnotations: { '': '1' } }, 'dropped audit annotation "": name part must be non-empty'],
  [
    'a key of 70 characters',
    { auditAnnotations: { ['k'.repeat(70)]: '1' } },
    `dropped audit annotation "${'k'.repeat(70)}": name part must be no more than 63 bytes`,
  ],
  [
    'a key with a blank',
    { auditAnnotations: { 'a b': '1' } },
    'dropped audit annotation "a b": name part must consist',
  ],
];

test.each(losses)('dropped warnings are noted: %s', async (_fact, response, line) => {
  expect(await textOf(allowing(response))).toContain(line);
});

test('kept warnings have no note', async () => {
  const text = await textOf(allowing({ warnings: ['fine'], auditAnnotations: { k: 'v' } }));
  expect(text).toContain('warning: fine');
  expect(text).not.toContain('dropped');
});

const base64Hint =
  "hint: response.patch must be the base64 of the JSON patch (Buffer.from(JSON.stringify(ops)).toString('base64'))";
const patch = [{ op: 'add', path: '/metadata/labels', value: { a: 'b' } }];

test.each([
  ['a list', patch],
  ['a JSON text', JSON.stringify(patch)],
  ['an object', { op: 'add' }],
])('a patch that is %s instead of base64', async (_fact, wrong) => {
  expect(await textOf(allowing({ patch: wrong, patchType: 'JSONPatch' }), [create], 'mutating')).toContain(base64Hint);
});

test('another field of a wrong type is no matter of base64', async () => {
  expect(await textOf(allowing({ warnings: 'x' }))).not.toContain('base64');
});

test('an error on DELETE names the usual reason', async () => {
  const broken: Respond = ({ operation }) => (operation === 'DELETE' ? httpReply('TypeError', 500, 'text/plain') : {});
  expect(await textOf(broken, [create, remove])).toContain(
    'check its log (on DELETE object is null, oldObject has it)',
  );
  expect(await textOf(() => httpReply('TypeError', 500, 'text/plain'))).not.toContain('oldObject');
});
