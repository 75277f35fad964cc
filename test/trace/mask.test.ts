import { expect, test } from 'vitest';
import { maskTrace } from '../../src/trace/mask.ts';
import { traceText } from '../../src/trace/trace-text.ts';
import type { Trace, TracedWebhook } from '../../src/trace/trace.ts';

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

test('nothing that a Secret holds is left anywhere, in any spelling', () => {
  const text = traceText(maskTrace(whole));
  const patches = base64(`[{"op":"add","path":"/data/`).slice(0, 20);
  for (const spelling of ['hunter2', first, second, base64('stays'), base64(second), patches])
    expect(text).not.toContain(spelling);
});

test('what changed can still be seen, and what is not secret stays', () => {
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
])('what the client sent is masked: %s', (_what, body) => {
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
