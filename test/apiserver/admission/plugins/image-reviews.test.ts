import { expect, test } from 'vitest';
import type { AdmissionAttributes } from '../../../../src/apiserver/admission/chain/attributes.ts';
import {
  createImagePolicyWebhook,
  type ImagePolicy,
} from '../../../../src/apiserver/admission/plugins/image-policy-webhook.ts';
import type { CallReply, WebhookCall } from '../../../../src/apiserver/admission/webhooks/call.ts';
import type { JsonObject } from '../../../../src/machinery/json/json.ts';
import { withMetadata } from '../../../../src/machinery/meta/object.ts';
import { clusterOf, creating, object, portsOf } from '../../../harness/builtin-plugin.ts';
import { imagePolicy, reviewed } from '../../../harness/image-policy.ts';

const unheard: CallReply = { outcome: 'failed', phase: 'connect', error: 'dial tcp: connection refused' };

/** A plugin whose backend answers so, and what it was asked. */
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
  ['none', of({}), { namespace: 'ns' }],
  [
    'those that are added later, by themselves',
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
])('a backend is shown %s', async (_fact, request, spec) => {
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
  ['nothing', { ...of(everything), object: null }],
])('and is not asked about %s', async (_fact, request) => {
  const { send, asked } = asking(reviewed({ allowed: false }));
  expect(await send(request)).not.toHaveProperty('refusal.code');
  expect(asked).toEqual([]);
});

const prefix = 'imagepolicywebhook.image-policy.k8s.io/';

test.each<[fact: string, reply: CallReply, more: Partial<ImagePolicy>, answer: object]>([
  ['yes', reviewed({ allowed: true }), {}, { annotations: {} }],
  [
    'yes, with notes',
    reviewed({ allowed: true, auditAnnotations: { a: '1', b: '2' } }),
    {},
    { annotations: { [`${prefix}a`]: '1', [`${prefix}b`]: '2' } },
  ],
  [
    'no, with notes and a reason',
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
    'nothing',
    unheard,
    {},
    {
      refusal: { message: 'pods "p" is forbidden: dial tcp: connection refused' },
      refusedBy: { field: 'defaultAllow: false of ImagePolicyWebhook' },
    },
  ],
  [
    'nothing, and that is allowed',
    unheard,
    { defaultAllow: true },
    { annotations: { [`${prefix}failed-open`]: 'true' } },
  ],
])('a backend that says %s', async (_fact, reply, more, answer) => {
  const said = await asking(reply, more).send(of({ containers: images('a') }));
  expect(said).toMatchObject(answer);
  expect('refusal' in (said ?? {})).toBe('refusal' in answer);
});

// Ours: who makes a Pod may choose how long a question is.
test('64 Ki characters of question and answer are remembered, and not one more', async () => {
  const status = reviewed({ allowed: true });
  const reply = 'body' in status ? status.body.length : 0;
  const shortest = JSON.stringify({ containers: [{ image: '' }], namespace: 'ns' }).length;
  const timesAsked = async (length: number): Promise<number> => {
    const { send, asked } = asking(status);
    const request = of({ containers: images('x'.repeat(length - shortest - reply)) });
    await send(request);
    await send(request);
    return asked.length;
  };
  expect([await timesAsked(64 * 1024), await timesAsked(64 * 1024 + 1)]).toEqual([1, 2]);
});
