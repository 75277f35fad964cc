import { expect, test } from 'vitest';
import type { CallReply, WebhookCall } from '../../../src/apiserver/admission/webhooks/call.ts';
import type { JsonObject, JsonValue } from '../../../src/machinery/json/json.ts';
import { convertByWebhook } from '../../../src/apiserver/custom-resources/convert-by-webhook.ts';
import { converted, converting, reply, type Review } from './widgets.ts';

const object = {
  apiVersion: 'example.com/v1',
  kind: 'Widget',
  metadata: { name: 'x', namespace: 'default', uid: 'u', labels: { a: 'b' }, finalizers: ['example.com/f'] },
  spec: { a: 'b' },
};

async function convert(answer: (call: WebhookCall) => CallReply, versions?: readonly string[]) {
  const calls: WebhookCall[] = [];
  const { converted: outcome } = await convertByWebhook(
    converted(versions),
    { object, to: 'example.com/v2', timeoutMs: 30_000 },
    {
      callWebhook: async (call) => {
        calls.push(call);
        return answer(call);
      },
      newUid: () => 'review-uid',
      parseYaml: async () => ({ outcome: 'unreadable', error: 'no YAML' }),
    },
  );
  return { outcome, calls };
}

test.each([
  [['v1'], 'v1'],
  [['v2', 'v1beta1', 'v1'], 'v1beta1'],
])('of %j the first version that is known is spoken', async (versions, spoken) => {
  const { outcome, calls } = await convert(reply, versions);
  expect(outcome).toEqual({ outcome: 'converted', object: { ...object, apiVersion: 'example.com/v2' } });
  expect(JSON.parse(calls[0]?.body ?? '')).toEqual({
    kind: 'ConversionReview',
    apiVersion: `apiextensions.k8s.io/${spoken}`,
    request: { uid: 'review-uid', desiredAPIVersion: 'example.com/v2', objects: [object] },
    response: { uid: '', convertedObjects: null, result: { metadata: {} } },
  });
  expect(calls[0]).toMatchObject({ timeoutMs: 30_000, clientConfig: { url: 'https://converter.example' } });
});

// Source: apiextensions-apiserver pkg/apiserver/conversion/webhook_converter.go; apimachinery UnstructuredJSONScheme; seen beside v1.36.2.
test('a converter reads the fields of an object in the order of their names', async () => {
  const { calls } = await convert(reply);
  expect(calls[0]?.body).toBe(
    '{"kind":"ConversionReview","apiVersion":"apiextensions.k8s.io/v1","request":{"uid":"review-uid","desiredAPIVersion":"example.com/v2",' +
      '"objects":[{"apiVersion":"example.com/v1","kind":"Widget","metadata":{"finalizers":["example.com/f"],"labels":{"a":"b"},"name":"x",' +
      '"namespace":"default","uid":"u"},"spec":{"a":"b"}}]},"response":{"uid":"","convertedObjects":null,"result":{"metadata":{}}}}\n',
  );
});

test('labels and annotations may be changed, other metadata is put back', async () => {
  const change = (one: JsonObject): JsonObject => ({
    ...one,
    metadata: { name: 'x', namespace: 'default', uid: 'u', annotations: { c: 'd' }, finalizers: [], generation: 9 },
  });
  const { outcome } = await convert((call) =>
    reply(
      call,
      converting((objects) => ({ convertedObjects: objects.map(change) })),
    ),
  );
  const { labels: _labels, ...metadata } = object.metadata;
  expect(outcome).toEqual({
    outcome: 'converted',
    object: { ...object, apiVersion: 'example.com/v2', metadata: { ...metadata, annotations: { c: 'd' } } },
  });
});

const subject = 'conversion webhook for example.com/v1, Kind=Widget';
const first = (objects: readonly JsonObject[]): JsonObject => objects[0] ?? {};
const withMeta = (metadata: JsonValue): ((call: WebhookCall) => CallReply) =>
  said(converting((objects) => ({ convertedObjects: [{ ...first(objects), metadata }] })));
const said =
  (make: (review: Review, objects: readonly JsonObject[]) => JsonValue) =>
  (call: WebhookCall): CallReply =>
    reply(call, make);
const response = (parts: JsonObject): ((call: WebhookCall) => CallReply) => said(converting(() => parts));
const http =
  (code: number, body: string): (() => CallReply) =>
  () => ({
    outcome: 'answered',
    code,
    contentType: 'application/json',
    body: new TextEncoder().encode(body),
  });

// Source: conversations conversion-fails-* and conversion-metadata-* with kube-apiserver v1.36.2.
test.each<readonly [fact: string, answer: (call: WebhookCall) => CallReply, error: string]>([
  ['no connection', () => ({ outcome: 'failed', phase: 'connect', error: 'EOF' }), `${subject} failed: EOF`],
  [
    'an HTTP error',
    http(500, 'broken'),
    `${subject} failed: an error on the server ("unknown") has prevented the request from succeeding`,
  ],
  [
    'an empty object',
    http(200, '{}'),
    `${subject} failed: expected webhook response of apiextensions.k8s.io/v1, Kind=ConversionReview, got /, Kind=`,
  ],
  ['no response', said(({ apiVersion, kind }) => ({ apiVersion, kind })), `${subject} failed: no response provided`],
  ['another uid', response({ uid: 'another' }), `${subject} failed: expected response.uid="review-uid", got "another"`],
  [
    'a failure',
    response({ result: { status: 'Failure', message: 'cannot do that' } }),
    `${subject} failed: cannot do that`,
  ],
  [
    'a failure without words',
    response({ result: {} }),
    `${subject} failed: response.result.status was '', not 'Success'`,
  ],
  [
    'another kind of review',
    said((review, objects) => ({ ...converting()(review, objects), kind: 'AdmissionReview' })),
    `${subject} failed: no kind "AdmissionReview" is registered for version "apiextensions.k8s.io/v1" in scheme "k8s.io/apiserver/pkg/util/webhook/client.go:71"`,
  ],
  [
    'another version of the review',
    said((review, objects) => ({ ...converting()(review, objects), apiVersion: 'apiextensions.k8s.io/v1beta1' })),
    `${subject} failed: converting (v1beta1.ConversionReview) to (v1.ConversionReview): unknown conversion`,
  ],
  // Source: answers of a converter to kube-apiserver v1.36.2.
  [
    'a Status',
    http(200, '{"kind":"Status","apiVersion":"v1","status":"Failure","message":"no"}'),
    `${subject} failed: converting (v1.Status) to (v1.ConversionReview): unknown conversion`,
  ],
  [
    'a definition',
    http(200, '{"kind":"CustomResourceDefinition","apiVersion":"apiextensions.k8s.io/v1beta1"}'),
    `${subject} failed: converting (v1beta1.CustomResourceDefinition) to (v1.ConversionReview): unknown conversion`,
  ],
  ['no objects', response({ convertedObjects: [] }), `${subject} returned 0 objects, expected 1`],
  [
    'two objects',
    said(converting((objects) => ({ convertedObjects: [...objects, ...objects] }))),
    `${subject} returned 2 objects, expected 1`,
  ],
  [
    'the version it was',
    response({ convertedObjects: [object] }),
    `${subject} returned invalid object at index 0: invalid groupVersion (expected example.com/v2, received example.com/v1)`,
  ],
  ['no metadata', withMeta({}), `${subject} returned invalid object: must have the same name: x != `],
  [
    'another namespace',
    withMeta({ name: 'x', namespace: 'other', uid: 'u' }),
    `${subject} returned invalid object: must have the same namespace: default != other`,
  ],
  [
    'another uid of the object',
    withMeta({ name: 'x', namespace: 'default', uid: 'v' }),
    `${subject} returned invalid object: must have the same UID: u != v`,
  ],
  [
    'a label that is no text',
    withMeta({ name: 'x', namespace: 'default', uid: 'u', labels: { a: 1 } }),
    `${subject} returned invalid metadata: metadata.labels[a] must be a string, but is int64 in converted object`,
  ],
])('%s', async (_fact, answer, error) => {
  const { outcome } = await convert(answer);
  expect(outcome).toEqual({ outcome: 'inconvertible', error, isBare: true });
});

test('without a common version no webhook is called', async () => {
  const { outcome, calls } = await convert(reply, ['v2']);
  expect(outcome).toMatchObject({ error: 'no supported conversion review versions' });
  expect(calls).toEqual([]);
});

const labelled = (count: number) =>
  withMeta({
    name: 'x',
    namespace: 'default',
    uid: 'u',
    labels: Object.fromEntries(Array.from({ length: count }, (_, at) => [`bad key ${at}`, 'a'])),
  });

test('an answer with more values than anybody means to send is not read', async () => {
  const { outcome } = await convert(labelled(100_001));
  const error = `${subject} failed: kadmit takes at most 100000 values in a body`;
  expect(outcome).toEqual({ outcome: 'inconvertible', error, isBare: true });
});
