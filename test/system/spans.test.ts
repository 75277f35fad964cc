import https from 'node:https';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { type Kadmit, startKadmit } from '../harness/start-kadmit.ts';
import { startStubWebhooks, type StubWebhooks } from '../harness/stub-webhooks.ts';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import protobuf from 'protobufjs';

let collector: OtlpReceiver;
let stubs: StubWebhooks;
// A server that is closed sends what is left for half a second: reading the exporter may take longer where much else runs.
beforeAll(() => import('@opentelemetry/exporter-trace-otlp-proto'));
beforeEach(async () => {
  [collector, stubs] = await Promise.all([startOtlpReceiver(), startStubWebhooks()]);
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await Promise.all([collector.close(), stubs.close()]);
});

const configMaps = '/api/v1/namespaces/default/configmaps';
const traceId = '0af7651916cd43dd8448eb211c80319c';
const parent = 'b7ad6b7169203331';

function post({ url, token }: Kadmit, path: string, body: object, headers: object = {}): Promise<number> {
  const all = { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers };
  return new Promise((resolve, reject) => {
    const options = { method: 'POST', headers: all, rejectUnauthorized: false, agent: false };
    const request = https.request(`${url}${path}`, options, (response) => {
      response.resume().once('end', () => resolve(response.statusCode ?? 0));
    });
    request.on('error', reject);
    request.end(JSON.stringify(body));
  });
}

const configurationOf = (port: number | undefined) => ({
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'MutatingWebhookConfiguration',
  metadata: { name: 'hooks' },
  webhooks: [
    {
      name: 'a.b.c',
      clientConfig: { url: `https://127.0.0.1:${port}/patch`, caBundle: stubs.caBundle },
      rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['*'], resources: ['configmaps'] }],
      admissionReviewVersions: ['v1'],
      sideEffects: 'None',
    },
  ],
});

const isOf = (verb: string) => (span: ReceivedSpan) => span.attributes['http.request.method'] === verb;

test('a create with a webhook is four spans of the client’s trace', async () => {
  vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', collector.url);
  stubs.answerWith({ '/patch': { patch: [{ op: 'add', path: '/data', value: { k: 'v' } }] } });
  const server = await startKadmit();
  const registered = '/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations';
  await post(server, registered, configurationOf(stubs.ports.get(18_443)), {
    traceparent: `00-${traceId}-${parent}-00`,
  });
  const headers = { traceparent: `00-${traceId}-${parent}-01`, tracestate: 'a=b', 'audit-id': 'mine' };
  expect(await post(server, configMaps, { metadata: { name: 'a' } }, headers)).toBe(201);
  await server.close();

  const spans = collector.spans().filter((span) => span.traceId === traceId);
  expect(spans.map(({ name, kind }) => [name, kind])).toEqual([
    ['POST /api/v1/namespaces/{:namespace}/configmaps', 2],
    ['Create', 1],
    ['Call mutating webhook', 1],
    ['HTTP POST', 3],
  ]);
  const [own, handler, call, request] = spans;
  expect(spans.map((span) => span.parentSpanId)).toEqual([parent, own?.spanId, handler?.spanId, call?.spanId]);
  expect(own?.attributes).toMatchObject({
    'http.request.method': 'POST',
    'http.response.status_code': '201',
    'http.target': configMaps,
    'audit-id': 'mine',
    'client.address': '127.0.0.1',
  });
  expect(call?.attributes).toEqual({
    configuration: 'hooks',
    webhook: 'a.b.c',
    resource: '/v1, Resource=configmaps',
    subresource: '',
    operation: 'CREATE',
    UID: expect.stringMatching(/^[0-9a-f-]{36}$/),
  });
  expect(handler?.events).toEqual([
    'About to convert to expected version',
    'Conversion done',
    'About to check admission control',
    'Write to database call succeeded',
  ]);
  expect(call?.events).toEqual(['Request completed', 'Patch applied']);
  expect(own?.milliseconds).toBeGreaterThanOrEqual(handler?.milliseconds ?? Infinity);
  expect(collector.resource()).toMatchObject({ 'service.name': 'apiserver' });
  const sent = stubs.takeHeaders().at(-1);
  expect(sent).toMatchObject({ traceparent: `00-${traceId}-${request?.spanId}-01`, tracestate: 'a=b' });
});

test('without a collector nothing is sent; a webhook still receives the client’s trace context', async () => {
  const server = await startKadmit();
  await post(
    server,
    '/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations',
    configurationOf(stubs.ports.get(18_443)),
  );
  await post(server, configMaps, { metadata: { name: 'a' } }, { traceparent: `00-${traceId}-${parent}-01` });
  await post(server, configMaps, { metadata: { name: 'b' } });
  await server.close();
  expect(collector.spans()).toEqual([]);
  expect(stubs.takeHeaders().map(({ traceparent }) => traceparent)).toEqual([`00-${traceId}-${parent}-01`, undefined]);
});

test('requests without a trace begin one; a watch and a refused login are spans too', async () => {
  vi.stubEnv('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', `${collector.url}/v1/traces`);
  const server = await startKadmit();
  await post({ ...server, token: 'wrong' }, configMaps, {});
  await post(server, configMaps, { metadata: { name: '' } });
  await server.close();
  const posts = collector.spans().filter(isOf('POST'));
  expect(posts.map(({ attributes }) => attributes['http.response.status_code'])).toEqual(['401', '422']);
  expect(new Set(posts.map((span) => span.traceId)).size).toBe(2);
  expect(posts.map((span) => span.parentSpanId)).toEqual(['', '']);
});

test('an unreachable collector does not affect requests', async () => {
  vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', 'http://127.0.0.1:9');
  const server = await startKadmit();
  expect(await post(server, configMaps, { metadata: { name: 'a' } })).toBe(201);
  await server.close();
});

/** What a collector reads of a span. */
interface ReceivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string;
  readonly name: string;
  readonly kind: number;
  readonly milliseconds: number;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly events: readonly string[];
  readonly error: boolean;
}

interface OtlpReceiver {
  readonly url: string;
  readonly spans: () => readonly ReceivedSpan[];
  /** The attributes of the resource that sent the first spans. */
  readonly resource: () => Readonly<Record<string, unknown>>;
  readonly close: () => Promise<void>;
}

// Source: opentelemetry-proto v1, collector/trace/v1/trace_service.proto and trace/v1/trace.proto.
const { root } = protobuf.parse(`
  syntax = "proto3";
  message AnyValue { oneof value { string string_value = 1; bool bool_value = 2; int64 int_value = 3; double double_value = 4; } }
  message KeyValue { string key = 1; AnyValue value = 2; }
  message Resource { repeated KeyValue attributes = 1; }
  message Event { fixed64 time_unix_nano = 1; string name = 2; }
  message Status { string message = 2; int32 code = 3; }
  message Span {
    bytes trace_id = 1; bytes span_id = 2; string trace_state = 3; bytes parent_span_id = 4; string name = 5; int32 kind = 6;
    fixed64 start_time_unix_nano = 7; fixed64 end_time_unix_nano = 8; repeated KeyValue attributes = 9;
    repeated Event events = 11; Status status = 15;
  }
  message ScopeSpans { repeated Span spans = 2; }
  message ResourceSpans { Resource resource = 1; repeated ScopeSpans scope_spans = 2; }
  message Request { repeated ResourceSpans resource_spans = 1; }
`);
const requestType = root.lookupType('Request');

interface Message {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly KeyValue[] };
    readonly scopeSpans: readonly { readonly spans: readonly WireSpan[] }[];
  }[];
}

interface KeyValue {
  readonly key: string;
  readonly value: Readonly<Record<string, unknown>>;
}

interface WireSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly KeyValue[];
  readonly events: readonly { readonly name: string }[];
  readonly status: { readonly code: number } | null;
}

/** A collector that takes OTLP over HTTP on a free port of this machine, and decodes it. */
async function startOtlpReceiver(): Promise<OtlpReceiver> {
  const messages: Message[] = [];
  const server = http.createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      if (request.url === '/v1/traces') messages.push(decoded(Buffer.concat(chunks)));
      response.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    spans: () =>
      messages
        .flatMap(({ resourceSpans }) => resourceSpans.flatMap(({ scopeSpans }) => scopeSpans))
        .flatMap(({ spans }) => spans.map(received)),
    resource: () => valuesOf(messages[0]?.resourceSpans[0]?.resource.attributes ?? []),
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

const decoded = (bytes: Buffer): Message =>
  requestType.toObject(requestType.decode(bytes), {
    bytes: String,
    longs: String,
    arrays: true,
    defaults: true,
    oneofs: true,
  }) as Message;

const received = (span: WireSpan): ReceivedSpan => ({
  traceId: hex(span.traceId),
  spanId: hex(span.spanId),
  parentSpanId: hex(span.parentSpanId),
  name: span.name,
  kind: span.kind,
  milliseconds: Number(BigInt(span.endTimeUnixNano) - BigInt(span.startTimeUnixNano)) / 1e6,
  attributes: valuesOf(span.attributes),
  events: span.events.map(({ name }) => name),
  error: span.status?.code === 2,
});

const hex = (base64: string): string => Buffer.from(base64, 'base64').toString('hex');

const valuesOf = (pairs: readonly KeyValue[]): Readonly<Record<string, unknown>> =>
  Object.fromEntries(pairs.map(({ key, value }) => [key, value[String(value['value'])]]));
