import { expect, test } from 'vitest';
import type { JsonValue } from '../../../src/machinery/json/json.ts';
import { maskTrace } from '../../../src/explain/trace/mask.ts';
import { traceText } from '../../../src/adapters/traces/trace-file.ts';
import type { Trace, TracedWebhook } from '../../../src/explain/trace/trace.ts';

const secret = (data: Record<string, string>) => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: {
    name: 's',
    annotations: {
      'kubectl.kubernetes.io/last-applied-configuration':
        '{"apiVersion":"v1","kind":"Secret","stringData":{"password":"hunter2-first"}}',
    },
  },
  data,
});

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const first = base64('hunter2-first');
const second = base64('hunter2-second');

const webhook: TracedWebhook = {
  type: 'webhook',
  configuration: 'c',
  name: 'w.example.com',
  phase: 'mutating',
  round: 0,
  index: 0,
  outcome: 'called',
  startedAt: 0,
  milliseconds: 1,
  conditions: [
    { condition: 'c', result: 'false', values: [{ expression: 'object.data.p', value: '"hunter2-first"' }] },
  ],
  review: { request: { object: secret({ password: first }) } },
  answer: { response: { patch: base64(`[{"op":"add","path":"/data/x","value":"${second}"}]`) } },
  patch: [
    { op: 'add', path: '/data/x', value: second },
    { op: 'add', path: '/metadata/labels/seen', value: 'yes' },
  ],
  warnings: ['the password hunter2-first is weak'],
  holds: [
    {
      moment: 'after',
      startedAt: 0,
      milliseconds: 1,
      ended: 'answered',
      by: 'x',
      replaced: { response: { patch: base64(`[{"op":"add","path":"/data/y","value":"${second}"}]`) } },
    },
  ],
};

const traceOf = (over: Partial<Trace>, resource = 'secrets'): Trace => ({
  traceVersion: 1,
  id: 'id',
  startedAt: 0,
  milliseconds: 1,
  verdict: 'admitted',
  request: {
    method: 'POST',
    path: '/api/v1/namespaces/d/secrets',
    query: '',
    verb: 'create',
    group: '',
    version: 'v1',
    resource,
    subresource: '',
    namespace: 'd',
    name: 's',
    dryRun: false,
    userAgent: '',
    user: null,
  },
  stages: [],
  admission: [],
  objectBefore: null,
  objectAfter: null,
  response: { code: 201, status: null, warnings: [] },
  auditAnnotations: {},
  ...over,
});

const whole = traceOf({
  objectBefore: secret({ password: first, same: base64('stays') }),
  objectAfter: secret({ password: second, same: base64('stays') }),
  admission: [webhook],
  response: {
    code: 403,
    status: { kind: 'Status', message: `no: ${first}` },
    warnings: ['hunter2-second'],
  },
  auditAnnotations: {
    'patch.webhook.admission.k8s.io/round_0_index_0': `{"patch":[{"value":"${second}"}]}`,
    'w.example.com/note': 'saw hunter2-first',
  },
});

test('no value of a Secret is left, in any encoding', () => {
  const text = traceText(maskTrace(whole));
  const patches = base64(`[{"op":"add","path":"/data/`).slice(0, 20);
  for (const spelling of ['hunter2', first, second, base64('stays'), base64(second), patches])
    expect(text).not.toContain(spelling);
});

test('changes remain visible, and other values stay', () => {
  const { objectBefore, objectAfter, admission } = maskTrace(whole);
  const before = objectBefore?.['data'] as Record<string, string>;
  const after = objectAfter?.['data'] as Record<string, string>;
  expect(before['password']).toMatch(/^‹masked \d+›$/);
  expect(before['password']).not.toBe(after['password']);
  expect(before['same']).toBe(after['same']);
  expect(admission[0]).toMatchObject({ name: 'w.example.com', configuration: 'c', patch: [{}, { value: 'yes' }] });
});

test.each([
  ['text', 'kind: Secret\nstringData: {password: hunter2-yaml}'],
  ['a merge patch', { stringData: { password: 'hunter2-merge' }, metadata: { labels: { seen: 'yes' } } }],
  ['a JSON patch', [{ op: 'replace', path: '/data/password', value: second }]],
  ['an object', secret({ password: second })],
])('values from the client are masked: %s', (_what, body) => {
  const { request } = traceOf({});
  const masked = maskTrace(traceOf({ request: { ...request, body }, objectReceived: secret({ password: first }) }));
  for (const spelling of ['hunter2', first, second]) expect(traceText(masked)).not.toContain(spelling);
});

test('a Secret inside the review of another request is masked too', () => {
  const text = traceText(maskTrace(traceOf({ admission: [webhook] }, 'configmaps')));
  expect(text).not.toContain(first);
  expect(text).not.toContain('hunter2');
});

test('an issued token is masked', () => {
  const objectAfter = { kind: 'TokenRequest', status: { token: 'eyJhbGciOi' } };
  const { request } = traceOf({});
  const trace = traceOf({ objectAfter, request: { ...request, resource: 'serviceaccounts', subresource: 'token' } });
  expect(traceText(maskTrace(trace))).not.toContain('eyJ');
});

test('a trace without Secrets is the same', () => {
  const plain = traceOf({ objectAfter: { kind: 'ConfigMap', data: { password: 'public' } } }, 'configmaps');
  expect(maskTrace(plain)).toBe(plain);
});

const { review: _review, answer: _answer, patch: _patch, holds: _holds, ...calm } = webhook;
const quiet: TracedWebhook = { ...calm, conditions: [], warnings: [] };

const hooks = (url: string) => ({
  kind: 'ValidatingWebhookConfiguration',
  metadata: { name: 'a' },
  webhooks: [{ name: 'w.example.com', clientConfig: { url } }],
});

test.each([
  ['in its path', 'https://hooks.example.com/services/T00000000/0a1b2c3d4e5f6g7h8i9j0k', '0a1b2c3d4e5f6g7h8i9j0k'],
  ['as a user', 'https://me:hunter2-user@hooks.example.com/', 'hunter2-user'],
  ['in its query', 'https://hooks.example.com/?token=hunter2-query&timeout=10s', 'hunter2-query'],
])('a token in the url of a webhook is masked: %s', (_where, url, token) => {
  const resource = 'validatingwebhookconfigurations';
  const request = { ...traceOf({}).request, resource, body: hooks(url) };
  const failure: TracedWebhook = { ...quiet, error: `Post "${url}": EOF`, url };
  const traces = [traceOf({ request, objectAfter: hooks(url) }), traceOf({ admission: [failure] }, 'configmaps')];
  for (const trace of traces) {
    const text = traceText(maskTrace(trace));
    expect(text).not.toContain(token);
    expect(text).toContain('hooks.example.com');
  }
});

test('arguments of exec are masked, except flags', () => {
  const command = ['sh', '-c', 'curl -H "Authorization: Bearer hunter2"'];
  const query = `${command.map((word) => `command=${encodeURIComponent(word)}`).join('&')}&stdin=true`;
  const trace = traceOf({
    request: { ...traceOf({}).request, resource: 'pods', subresource: 'exec', query },
    admission: [{ ...quiet, review: { request: { object: { kind: 'PodExecOptions', command } } } }],
    response: { code: 403, status: { message: `not allowed: ${command[2]}` }, warnings: [] },
  });
  const masked = maskTrace(trace);
  expect(traceText(masked)).not.toContain('hunter2');
  expect(new URLSearchParams(masked.request.query).getAll('command')).toEqual([
    'sh',
    '-c',
    expect.stringMatching(/^‹masked \d+›$/),
  ]);
});

const misspelt: readonly [what: string, body: JsonValue][] = [
  ['a field', { ...secret({}), Data: { password: 'hunter2-field' } }],
  ['a field of a body without kind', { metadata: { name: 's' }, stringdata: { password: 'hunter2-kindless' } }],
  ['a path of a JSON patch', [{ op: 'add', path: '/stringDta', value: { password: 'hunter2-patch' } }]],
];

test.each(misspelt)('%s of a Secret that is misspelt is masked', (_what, body) => {
  const { request } = traceOf({});
  const trace = traceOf({ request: { ...request, body } });
  expect(traceText(maskTrace(trace))).not.toContain('hunter2');
});

test('a reference to a Secret stays', () => {
  const reference = { kind: 'Secret', apiVersion: 'v1', name: 'the-name', namespace: 'd' };
  const trace = traceOf({ objectAfter: { kind: 'Event', involvedObject: reference } }, 'events');
  expect(maskTrace(trace)).toBe(trace);
});

// The shortest that is sought in other texts has four characters: see maskTrace.
test.each([
  ['four characters', 'abcd', '‹masked›'],
  ['three are left in other texts', 'abc', 'abc'],
])('%s', (_what, password, shown) => {
  const objectAfter = { ...secret({ password: base64(password) }), metadata: { name: 's' } };
  const masked = maskTrace(
    traceOf({ objectAfter, response: { code: 201, status: null, warnings: [`(${password})`, password] } }),
  );
  expect(masked.response.warnings.map((text) => text.replaceAll(/‹masked \d+›/g, '‹masked›'))).toEqual([
    `(${shown})`,
    shown,
  ]);
});
