import { expect, test } from 'vitest';
import type { AdmissionAttributes } from '../../../../src/apiserver/admission/chain/attributes.ts';
import {
  createImagePolicyWebhook,
  type ImagePolicy,
} from '../../../../src/apiserver/admission/plugins/image-policy-webhook.ts';
import type { CallReply, WebhookCall } from '../../../../src/apiserver/admission/webhooks/call.ts';
import type { JsonObject } from '../../../../src/machinery/json/json.ts';
import { withMetadata } from '../../../../src/machinery/meta/object.ts';
import { clusterOf, creating, creatingPod, object, portsOf, refusalOf } from '../../../harness/builtin-plugin.ts';

/** A configuration of ImagePolicyWebhook that remembers approvals for a second and denials not at all. */
const imagePolicy: ImagePolicy = {
  kubeconfigFile: 'backend.kubeconfig',
  backend: { url: 'https://127.0.0.1:1/image', caBundle: '', insecure: true, user: undefined },
  allowMs: 1000,
  denyMs: 0,
  retryBackoffMs: 500,
  defaultAllow: false,
};

/** An ImageReview as its backend answers it. */
const reviewed = (status: object, code = 200): CallReply => ({
  outcome: 'answered',
  code,
  contentType: 'application/json',
  body: Buffer.from(JSON.stringify({ apiVersion: 'imagepolicy.k8s.io/v1alpha1', kind: 'ImageReview', status })),
});

const refused: CallReply = { outcome: 'failed', phase: 'connect', error: 'dial tcp: connection refused' };

/** A plugin whose backend responds with this, and its requests. */
function asking(reply: CallReply, more: Partial<ImagePolicy> = {}) {
  const plugin = createImagePolicyWebhook({ ...imagePolicy, ...more });
  const asked: unknown[] = [];
  const callWebhook = async ({ body }: WebhookCall): Promise<CallReply> => {
    asked.push(JSON.parse(typeof body === 'string' ? body : Buffer.from(body).toString()));
    return reply;
  };
  const send = async (request: AdmissionAttributes) => {
    const answer = await plugin.validate?.(request, { ...portsOf(clusterOf({})), callWebhook });
    return answer?.ok ? answer.value : undefined;
  };
  return { send, asked };
}

const pod = (spec: JsonObject, annotations?: Readonly<Record<string, string>>) =>
  withMetadata(object('v1', 'Pod', 'p', { spec }), { ...(annotations && { annotations }) });
const of = (
  spec: JsonObject,
  fields: Partial<AdmissionAttributes> = {},
  annotations?: Readonly<Record<string, string>>,
) => creating(pod(spec, annotations), 'pods', fields);
const images = (...names: readonly string[]): readonly JsonObject[] => names.map((image) => ({ name: 'c', image }));
const everything = {
  containers: images('a', 'b'),
  initContainers: images('i'),
  ephemeralContainers: images('e'),
};

// Source: kubernetes plugin/pkg/admission/imagepolicy/admission.go Validate and admission_test.go
test.each<[fact: string, request: AdmissionAttributes, spec: object]>([
  [
    'containers, then init containers',
    of(everything),
    { containers: [{ image: 'a' }, { image: 'b' }, { image: 'i' }], namespace: 'ns' },
  ],
  ['one container', of({ containers: images('a') }), { containers: [{ image: 'a' }], namespace: 'ns' }],
  ['one without an image', of({ containers: images('') }), { containers: [{}], namespace: 'ns' }],
  ['no container', of({}), { namespace: 'ns' }],
  [
    'ephemeral containers that are added, by themselves',
    of(everything, { operation: 'UPDATE', subresource: 'ephemeralcontainers' }),
    { containers: [{ image: 'e' }], namespace: 'ns' },
  ],
  ['no namespace', of({}, { namespace: '' }), {}],
  [
    'its own annotations, by name',
    of(
      {},
      {},
      { 'b.image-policy.k8s.io/x': '1', 'a.image-policy.k8s.io/x': '2', 'image-policy.k8s.io/x': '3', x: '4' },
    ),
    { annotations: { 'a.image-policy.k8s.io/x': '2', 'b.image-policy.k8s.io/x': '1' }, namespace: 'ns' },
  ],
])('sends the backend %s', async (_fact, request, spec) => {
  const { send, asked } = asking(reviewed({ allowed: true }));
  await send(request);
  expect(asked.map((review) => JSON.stringify(review))).toEqual([
    JSON.stringify({
      kind: 'ImageReview',
      apiVersion: 'imagepolicy.k8s.io/v1alpha1',
      metadata: {},
      spec,
      status: { allowed: false },
    }),
  ]);
});

test.each<[fact: string, request: AdmissionAttributes]>([
  ['a status', of(everything, { operation: 'UPDATE', subresource: 'status' })],
  ['another resource', { ...of(everything), resource: { group: '', version: 'v1', resource: 'nodes' } }],
  [
    'pods of another group',
    { ...of(everything), resource: { group: 'metrics.k8s.io', version: 'v1', resource: 'pods' } },
  ],
  ['no object', { ...of(everything), object: null }],
])('does not call the backend for %s', async (_fact, request) => {
  const { send, asked } = asking(reviewed({ allowed: false }));
  expect(await send(request)).not.toHaveProperty('refusal.code');
  expect(asked).toEqual([]);
});

const prefix = 'imagepolicywebhook.image-policy.k8s.io/';

test.each<[fact: string, reply: CallReply, more: Partial<ImagePolicy>, answer: object]>([
  ['approval', reviewed({ allowed: true }), {}, { annotations: {} }],
  [
    'approval and annotations',
    reviewed({ allowed: true, auditAnnotations: { a: '1', b: '2' } }),
    {},
    { annotations: { [`${prefix}a`]: '1', [`${prefix}b`]: '2' } },
  ],
  [
    'denial, annotations and a reason',
    reviewed({ allowed: false, reason: 'old', auditAnnotations: { a: '1' } }),
    {},
    {
      annotations: { [`${prefix}a`]: '1' },
      refusal: { message: 'pods "p" is forbidden: image policy webhook backend denied one or more images: old' },
      refusedBy: {
        field: 'the backend https://127.0.0.1:1/image (kubeConfigFile backend.kubeconfig) of ImagePolicyWebhook',
      },
    },
  ],
  [
    'no response',
    refused,
    {},
    {
      refusal: { message: 'pods "p" is forbidden: dial tcp: connection refused' },
      refusedBy: { field: 'defaultAllow: false of ImagePolicyWebhook' },
    },
  ],
  [
    'no response, which defaultAllow admits',
    refused,
    { defaultAllow: true },
    { annotations: { [`${prefix}failed-open`]: 'true' } },
  ],
])('the backend responds with %s', async (_fact, reply, more, answer) => {
  const said = await asking(reply, more).send(of({ containers: images('a') }));
  expect(said).toMatchObject(answer);
  expect('refusal' in (said ?? {})).toBe('refusal' in answer);
});

// Ours: the creator of a Pod chooses the length of a review.
test('caches at most 64 Ki characters of request and response', async () => {
  const status = reviewed({ allowed: true });
  const reply = 'body' in status ? status.body.length : 0;
  const shortest = JSON.stringify({ containers: [{ image: '' }], namespace: 'ns' }).length;
  const callsFor = async (length: number): Promise<number> => {
    const { send, asked } = asking(status);
    const request = of({ containers: images('x'.repeat(length - shortest - reply)) });
    await send(request);
    await send(request);
    return asked.length;
  };
  expect([await callsFor(64 * 1024), await callsFor(64 * 1024 + 1)]).toEqual([1, 2]);
});

const broken = reviewed({}, 500);
const reset: CallReply = { outcome: 'failed', phase: 'headers', error: 'read: connection reset by peer' };
const rejected = 'pods "p" is forbidden: one or more images rejected by webhook backend';
const serverError =
  'pods "p" is forbidden: an error on the server ("unknown") has prevented the request from succeeding';
const unreachable = 'pods "p" is forbidden: dial tcp: connection refused';

// Source: the same, apiserver pkg/util/webhook/webhook.go.
test.each<
  [
    fact: string,
    replies: readonly CallReply[],
    requestsAt: readonly number[],
    messages: readonly string[],
    calls: number,
  ]
>([
  ['caches an approval for its time', [reviewed({ allowed: true })], [0, 999, 1000], ['', '', ''], 2],
  ['caches no denial where that is off', [reviewed({ allowed: false })], [0, 1], [rejected, rejected], 2],
  ['calls five times for a server error', [broken], [0], [serverError], 5],
  ['retries after a connection reset', [reset, reviewed({ allowed: true })], [0], [''], 2],
  ['does not retry a refused connection', [refused], [0], [unreachable], 1],
])('%s', async (_fact, ...[replies, requestsAt, messages, calls]) => {
  const plugin = createImagePolicyWebhook(imagePolicy);
  const request = creatingPod({ containers: images('i') });
  let called = 0;
  const seen: (string | undefined)[] = [];
  for (const at of requestsAt) {
    const answer = await plugin.validate?.(request, {
      ...portsOf(clusterOf({})),
      now: () => at,
      callWebhook: async () => replies[Math.min(called++, replies.length - 1)] ?? refused,
    });
    seen.push(refusalOf(answer)?.message ?? '');
  }
  expect(seen).toEqual(messages);
  expect(called).toBe(calls);
});
