import { afterAll, expect, test } from 'vitest';
import type { CallReply } from '../../../src/apiserver/admission/webhooks/call.ts';
import { issueCertificate } from '../../../src/adapters/certificates/issue-certificate.ts';
import { createStubCertificates } from '../../../src/testing/stubs/stub-certificates.ts';
import { createStubRegistry, type StubRegistry } from '../../../src/testing/stubs/stub-registry.ts';
import { startStubServer, type StubServer } from '../../../src/testing/stubs/stub-server.ts';
import type { Fault } from '../../../src/testing/stubs/webhook-spec.ts';
import { createWebhookClient } from '../../../src/adapters/webhook-client/webhook-client.ts';
import { realClock } from './real-clock.ts';

// Another server than kadmit calls the stubs by url and caBundle, as issue 5 part 5 (--target) has it.

const client = createWebhookClient({ cluster: { get: () => undefined, list: () => [] } });
const certificates = createStubCertificates(issueCertificate);
const closers = [client.close];
afterAll(async () => {
  for (const close of closers) await close();
});

interface Running {
  readonly server: StubServer;
  readonly stubRegistry: StubRegistry;
}

function running(faults: readonly Fault[], name?: string): Running {
  const stubRegistry = createStubRegistry([{ name: 'w.example.com', does: [{ type: 'deny' }], faults }], 1);
  const options = { stubRegistry, certificates, clock: realClock };
  const server = startStubServer(name === undefined ? options : { ...options, name });
  closers.push(server.close);
  return { server, stubRegistry };
}

async function ask({ server }: Running, path = 'c/w.example.com', timeoutMs = 5000): Promise<string> {
  const [configuration = '', webhook = ''] = path.split('/');
  const review = { apiVersion: 'admission.k8s.io/v1', request: { uid: 'u', namespace: 'shop' } };
  const reply = await client.call({
    webhookName: webhook,
    clientConfig: { ...(await server.addressOf(configuration, webhook)) },
    body: JSON.stringify(review),
    timeoutMs,
  });
  return textOf(reply);
}

const textOf = (reply: CallReply): string =>
  reply.outcome === 'answered'
    ? `${reply.code} ${new TextDecoder().decode(reply.body).trim()}`
    : `${reply.phase} ${reply.error
        .replace(/^Post "[^"]*": /, '')
        .replaceAll(/(?<=:)\d{4,5}\b/g, 'PORT')
        .replace(/(?<=current time )\S+/, 'NOW')
        .replace(/ on \S+:53:/, ':')}`;

const denied =
  '200 {"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1","response":{"uid":"u","allowed":false}}';
const x509 = 'tls tls: failed to verify certificate: x509:';
const expired = `${x509} certificate has expired or is not yet valid: current time NOW is after 2019-01-01T00:00:00Z`;
const reset = 'read: connection reset by peer';
const readReset = `headers read tcp 127.0.0.1:PORT->127.0.0.1:PORT: ${reset}`;
const old = 'tls remote error: tls: protocol version not supported';

const seen: readonly [fact: string, faults: readonly Fault[], answers: readonly string[]][] = [
  ['no fault', [], [denied, denied]],
  ['refuse', [{ what: { type: 'refuse' } }], ['connect dial tcp 127.0.0.1:PORT: connect: connection refused']],
  ['dns', [{ what: { type: 'dns' } }], ['resolve dial tcp: lookup no-such-host.kadmit.invalid: no such host']],
  ['reset', [{ what: { type: 'reset' }, calls: [2] }], [denied, readReset, denied]],
  ['tls-expired', [{ what: { type: 'tls-expired' }, calls: [1, 3] }], [expired, denied, expired, denied]],
  ['tls-unknown-ca', [{ what: { type: 'tls-unknown-ca' } }], [`${x509} certificate signed by unknown authority`]],
  ['tls-old-protocol', [{ what: { type: 'tls-old-protocol' }, calls: [2] }], [denied, old, denied]],
  [
    'tls-wrong-name',
    [{ what: { type: 'tls-wrong-name' } }],
    [`${x509} cannot validate certificate for 127.0.0.1 because it doesn't contain any IP SANs`],
  ],
  ['status', [{ what: { type: 'status', code: 503, body: 'later' }, calls: [1] }], ['503 later', denied]],
  ['status in a namespace', [{ what: { type: 'status', code: 503, body: 'no' }, namespaces: ['shop'] }], ['503 no']],
  ['a TLS fault in a namespace, which cannot happen', [{ what: { type: 'tls-expired' }, namespaces: ['a'] }], [denied]],
];

test.each(seen)('another server meets %s', async (_fact, faults, answers) => {
  const stub = running(faults);
  const said = [];
  for (const _answer of answers) said.push(await ask(stub));
  expect(said).toEqual(answers);
  const unheard = faults.some(({ what: { type } }) => type === 'refuse' || type === 'dns');
  expect(stub.stubRegistry.calls()).toHaveLength(unheard ? 0 : answers.length);
});

test('another server meets a hang', async () => {
  expect(await ask(running([{ what: { type: 'hang' } }]), 'c/w.example.com', 100)).toBe(
    'timeout context deadline exceeded',
  );
});

test('the stubs have the name that is asked for', async () => {
  const stub = running([], 'localhost');
  expect((await stub.server.addressOf('my c', 'w.example.com')).url).toMatch(
    /^https:\/\/localhost:\d+\/my%20c\/w\.example\.com$/,
  );
  expect(await ask(stub)).toBe(denied);
});

test('a webhook that is none is not found', async () => {
  expect(await ask(running([]), 'c/other.example.com')).toBe('404 no stub answers /c/other.example.com?timeout=5s');
});

test('what is no AdmissionReview is refused', async () => {
  const { server } = running([]);
  const clientConfig = { ...(await server.addressOf('c', 'w.example.com')) };
  const reply = await client.call({ webhookName: 'w', clientConfig, body: '[]', timeoutMs: 5000 });
  expect(textOf(reply)).toBe('400 this is a webhook: send it an AdmissionReview');
});
