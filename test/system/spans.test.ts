import https from 'node:https';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { type Kadmit, startKadmit } from '../harness/start-kadmit.ts';
import { type OtlpReceiver, type ReceivedSpan, startOtlpReceiver } from '../harness/otlp-receiver.ts';
import { startStubWebhooks, type StubWebhooks } from '../harness/stub-webhooks.ts';

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

test('without a collector nothing is sent; a webhook is still told the client’s trace', async () => {
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

test('a collector that is not there disturbs nobody', async () => {
  vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', 'http://127.0.0.1:9');
  const server = await startKadmit();
  expect(await post(server, configMaps, { metadata: { name: 'a' } })).toBe(201);
  await server.close();
});
