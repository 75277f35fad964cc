import { join } from 'node:path';
import { expect, test } from 'vitest';
import { renderExplanation } from '../../../src/explain/render/explain.ts';
import { modelOf } from '../../../src/explain/render/model.ts';
import type { CertificateCause, FailureCause } from '../../../src/apiserver/admission/webhooks/call.ts';
import type { JsonObject, JsonValue } from '../../../src/machinery/json/json.ts';
import { httpReply, reviewBody, type Respond } from '../../harness/admission.ts';
import { type RequestStory, type SentRequest, traceOf } from '../../harness/trace-requests.ts';

const name = 'hook.example.com';
const configMaps = '/api/v1/namespaces/default/configmaps';
const configMap = { metadata: { name: 'm' }, data: { k: 'v' } };
const create: SentRequest = ['POST', configMaps, configMap];
const uid = /00000000-0000-4000-8000-\d{12}/g;
const add = (path: string, value: JsonValue): JsonObject => ({ op: 'add', path, value });

type Phase = 'resolve' | 'connect' | 'tls' | 'headers' | 'timeout' | 'canceled';

const failing = (phase: Phase, detail: string, cause?: FailureCause): Respond => {
  const error = `Post "https://hooks.default.svc:443/hook?timeout=10s": ${detail}`;
  return () => ({ outcome: 'failed', phase, error, detail, ...(cause && { cause }) });
};

const refused: FailureCause = { because: 'connection-refused', address: '127.0.0.1:1' };

const day = 24 * 60 * 60 * 1000;
const certificate = {
  subject: 'CN=hooks',
  issuer: 'CN=team-ca',
  names: ['hooks.default.svc', '127.0.0.1'],
  notBefore: 1_767_225_600_000 - 30 * day,
  notAfter: 1_767_225_600_000 - day,
  serverName: 'other.default.svc',
};
const untrusted =
  (because: CertificateCause, text: string): Respond =>
  () => {
    const error = `tls: failed to verify certificate: x509: ${text}`;
    return { outcome: 'failed', phase: 'tls', error, cause: { because }, certificate };
  };

const service = { clientConfig: { service: { namespace: 'default', name: 'hooks', path: '/hook' } } };
const asked = (respond: Respond, webhook: object = {}): RequestStory => ({
  validating: [{ name, ...webhook }],
  responses: { [name]: respond },
  sent: [create],
});

const expired =
  'certificate has expired or is not yet valid: current time 2026-01-01T00:00:00Z is after 2025-12-31T00:00:00Z';
const condition = { name: 'in-production', expression: "object.metadata.namespace == 'prod'" };

/** Every way of being called, failed and skipped that has words of its own; the whole page is the golden. */
const outcomes: readonly [outcome: string, story: RequestStory, early: string][] = [
  [
    'failed: no such host',
    asked(
      failing('resolve', 'dial tcp: lookup hooks.invalid on 127.0.0.1:53: no such host', { because: 'host-unknown' }),
    ),
    'correct it, or use an address',
  ],
  [
    'failed: no such service',
    asked(failing('resolve', 'service "hooks" not found', { because: 'service-missing' }), service),
    'kadmit map default/hooks=URL',
  ],
  [
    'failed: no endpoints',
    asked(failing('resolve', 'no endpoints available for service "hooks"', { because: 'no-endpoints' }), service),
    'add endpoints, or map it: kadmit map default/hooks=https://127.0.0.1:PORT',
  ],
  [
    'failed: nothing listens',
    asked(failing('connect', 'dial tcp 127.0.0.1:1: connect: connection refused', refused), service),
    'nothing listens at 127.0.0.1:1',
  ],
  [
    'failed: the proxy is away',
    asked(
      failing('connect', 'proxyconnect tcp: dial tcp 127.0.0.1:2: connect: connection refused', { because: 'proxy' }),
    ),
    'correct HTTPS_PROXY, or add the host to NO_PROXY',
  ],
  [
    'failed open: nothing listens',
    asked(failing('connect', 'dial tcp 127.0.0.1:1: connect: connection refused', refused), {
      failurePolicy: 'Ignore',
    }),
    'stored without the check of hook.example.com (checks): it failed and failurePolicy is Ignore',
  ],
  ['failed: certificate expired', asked(untrusted('expired', expired)), 'the certificate has expired: issue a new one'],
  [
    'failed: certificate for another name',
    asked(untrusted('name-mismatch', 'certificate is valid for hooks.default.svc, not other.default.svc')),
    'the certificate is not valid for other.default.svc',
  ],
  [
    'failed: unknown CA',
    asked(untrusted('unknown-authority', 'certificate signed by unknown authority')),
    'clientConfig has no caBundle',
  ],
  [
    'failed: unknown CA with a caBundle',
    asked(untrusted('unknown-authority', 'certificate signed by unknown authority'), {
      clientConfig: { url: 'https://127.0.0.1:1', caBundle: 'QUJD' },
    }),
    'the caBundle does not contain the issuing CA',
  ],
  [
    'failed: old protocol',
    asked(failing('tls', 'tls: server selected unsupported protocol version 301', { because: 'old-protocol' })),
    'enable TLS 1.2',
  ],
  [
    'failed: plain HTTP',
    asked(failing('tls', 'http: server gave HTTP response to HTTPS client', { because: 'plain-http' }), service),
    'kadmit map default/hooks=http://',
  ],
  ['failed: no answer', asked(failing('headers', 'EOF')), 'check its log'],
  [
    'failed: its own time was up',
    asked(failing('timeout', 'context deadline exceeded'), { timeoutSeconds: 5 }),
    'the call exceeded its timeoutSeconds, 5',
  ],
  [
    'failed: the time of the request was up',
    {
      ...asked(failing('timeout', 'context deadline exceeded')),
      sent: [['POST', `${configMaps}?timeout=4s`, configMap]],
    },
    'the call had only 4.0 s of its 10 s, since the webhooks of a request share',
  ],
  [
    'failed: not an AdmissionReview',
    asked(() => ({
      outcome: 'answered',
      code: 200,
      contentType: 'application/json',
      body: new TextEncoder().encode('ok'),
    })),
    'the response must be an AdmissionReview as JSON',
  ],
  [
    'failed: no such path',
    asked(() => ({
      outcome: 'answered',
      code: 404,
      contentType: 'text/plain',
      body: new TextEncoder().encode('404 page not found\n'),
    })),
    'correct the path in clientConfig',
  ],
  [
    'failed: another uid',
    asked(() => httpReply(reviewBody('admission.k8s.io/v1', 'another', {}))),
    'response.uid differs from request.uid',
  ],
  [
    'failed: patch does not apply',
    {
      mutating: [{ name }],
      responses: { [name]: () => ({ patch: [add('/metadata/annotations/a', 'b')] }) },
      sent: [create],
    },
    'add the parent first',
  ],
  [
    'refused: a matchCondition that fails',
    asked(() => ({}), { matchConditions: [{ name: 'data', expression: "object.data.missing == 'x'" }] }),
    'hint: object.data.missing may be missing: test it first, has(object.data.missing) && …',
  ],
  [
    'refused: a matchCondition that reads the object of a DELETE',
    {
      ...asked(() => ({}), {
        rules: [{ operations: ['DELETE'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] }],
        matchConditions: [{ name: 'team', expression: "object.metadata.labels.team == 'shop'" }],
      }),
      sent: [create, ['DELETE', `${configMaps}/m`]],
    },
    'hint: object is null in a delete: test object == null || … first',
  ],
  [
    'skipped: a matchCondition',
    asked(() => ({}), { matchConditions: [condition] }),
    'matchCondition in-production is false',
  ],
  [
    'skipped: an objectSelector',
    asked(() => ({}), { objectSelector: { matchLabels: { app: 'web' } } }),
    'objectSelector requires app=web; the ConfigMap m has no labels',
  ],
  [
    'skipped: configurations are exempt',
    {
      validating: [{ name, rules: [{ operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*'] }] }],
      sent: [['DELETE', '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations/checks']],
    },
    'kube-apiserver calls no webhook for a ValidatingWebhookConfiguration',
  ],
  [
    'refused: by a plugin',
    { validating: [{ name }], sent: [['POST', '/api/v1/namespaces/nowhere/configmaps', configMap]] },
    'plugin NamespaceLifecycle refused the request by its own rule about metadata.namespace',
  ],
  [
    'refused: before admission',
    {
      validating: [{ name }],
      sent: [['POST', '/api/v1/namespaces/default/configmaps', { metadata: { name: 'm' }, data: 5 }]],
    },
    'refused by the API server itself, before admission',
  ],
  [
    'refused: after the mutating webhooks',
    {
      mutating: [{ name }],
      responses: { [name]: () => ({ patch: [add('/metadata/labels', { 'not a key': 'x' })] }) },
      sent: [create],
    },
    'hook.example.com (checks) set label not a key, which the API server refuses',
  ],
  [
    'refused: for a field of a list that a webhook set, with a long text',
    {
      mutating: [{ name }],
      responses: { [name]: () => ({ patch: [add('/metadata/finalizers', ['x'.repeat(400)])] }) },
      sent: [create],
    },
    'hook.example.com (checks) set metadata.finalizers and metadata.finalizers[0], which the API server refuses',
  ],
  [
    'refused: every object of a collection',
    {
      validating: [{ name }],
      before: [create],
      responses: { [name]: () => ({ allowed: false }) },
      sent: [['DELETE', configMaps]],
    },
    'REFUSED  deletecollection configmaps in default by admin',
  ],
  [
    'called: a Secret stays masked',
    {
      mutating: [{ name, rules: [{ operations: ['*'], apiGroups: [''], apiVersions: ['*'], resources: ['secrets'] }] }],
      responses: { [name]: () => ({ patch: [add('/data/more', 'aHVudGVyMg==')] }) },
      sent: [
        ['POST', '/api/v1/namespaces/default/secrets', { metadata: { name: 's' }, data: { password: 'aHVudGVyMQ==' } }],
      ],
    },
    'was called',
  ],
  [
    'called: two webhooks set one field',
    {
      mutating: [{ name: 'a.example.com', reinvocationPolicy: 'IfNeeded' }, { name: 'b.example.com' }],
      responses: {
        'a.example.com': () => ({ patch: [add('/data/k', 'of a')] }),
        'b.example.com': () => ({ patch: [add('/data/k', 'of b')] }),
      },
      sent: [create],
    },
    'a.example.com (checks) reset data.k, which b.example.com (checks) had changed',
  ],
  [
    'skipped: a rule for CREATE and a DELETE',
    {
      validating: [
        { name, rules: [{ operations: ['CREATE'], apiGroups: [''], apiVersions: ['*'], resources: ['*'] }] },
      ],
      before: [create],
      sent: [['DELETE', `${configMaps}/m`]],
    },
    'no webhook was called: the only webhook does not match delete of configmaps',
  ],
  [
    'called: a chain with two rounds',
    {
      mutating: [
        { name: 'again.example.com', reinvocationPolicy: 'IfNeeded' },
        { name: 'changes.example.com' },
        { name: 'elsewhere.example.com', namespaceSelector: { matchLabels: { team: 'a' } } },
        {
          name: 'secrets.example.com',
          rules: [{ operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['secrets'] }],
        },
      ],
      validating: [{ name: 'late.example.com', matchConditions: [condition] }, { name: 'allows.example.com' }],
      responses: {
        'changes.example.com': () => ({
          patch: [add('/data/more', 'x'), add('/metadata/labels', { team: 'a' })],
          warnings: ['be careful'],
        }),
      },
      sent: [create],
    },
    'elsewhere.example.com (checks) was not called: namespaceSelector requires team=a',
  ],
];

test.each(outcomes)('%s', async (outcome, story, early) => {
  const text = renderExplanation(await traceOf(story));
  expect(text.split('\n').slice(0, 5).join('\n')).toContain(early);
  const file = outcome.replaceAll(/[^\w]+/g, '-');
  await expect(`${text.replaceAll(uid, '<uid>')}\n`).toMatchFileSnapshot(
    join(process.cwd(), `test/golden/explain/${file}.txt`),
  );
});

test('the row of a webhook that was called and is refused before its second call has both', async () => {
  const trace = await traceOf(asked(() => ({})));
  const status = { message: 'a match condition failed' };
  const admission = trace.admission.flatMap((one): readonly (typeof one)[] =>
    one.type === 'webhook' ? [one, { ...one, round: 1, outcome: 'refused', status }] : [one],
  );
  expect(modelOf({ ...trace, verdict: 'refused', admission }).table).toMatchObject([{ result: 'called, refused' }]);
});

test('a webhook refuses a dry run because of its sideEffects', async () => {
  const trace = await traceOf(asked(() => ({})));
  // The API takes no such webhook any more; one stored long ago can have it.
  const admission = trace.admission.map((one): typeof one =>
    one.type === 'webhook'
      ? {
          ...one,
          outcome: 'failed-closed',
          failurePhase: 'dry-run',
          definition: { ...one.definition, sideEffects: 'Some' },
        }
      : one,
  );
  const text = renderExplanation({ ...trace, verdict: 'refused', admission });
  expect(text).toContain('failed because it does not support dry run; that refuses the request');
  expect(text).toContain('hint: its sideEffects are Some, so kube-apiserver refuses dry runs');
});
