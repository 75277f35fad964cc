import { afterAll, expect, test } from 'vitest';
import type { CallReply, CallWebhook, ClientConfig } from '../../../src/apiserver/admission/webhooks/call.ts';
import { issueCertificate } from '../../../src/adapters/certificates/issue-certificate.ts';
import { createStubRegistry } from '../../../src/testing/stubs/stub-registry.ts';
import { createStubCaller, createStubDialing } from '../../../src/testing/stubs/stub-caller.ts';
import { startStubServer } from '../../../src/testing/stubs/stub-server.ts';
import { createStubCertificates } from '../../../src/testing/stubs/stub-certificates.ts';
import { createVirtualClock } from '../../../src/testing/stubs/virtual-clock.ts';
import type { Behaviour, Fault, FaultKind } from '../../../src/testing/stubs/webhook-spec.ts';
import { createWireCaller } from '../../../src/testing/stubs/wire-caller.ts';
import { createWebhookClient } from '../../../src/adapters/webhook-client/webhook-client.ts';
import { realClock } from './real-clock.ts';

const noStub: CallWebhook = async () => ({ outcome: 'failed', phase: 'client', error: 'no stub' });
const certificates = createStubCertificates(issueCertificate);
const closers: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const close of closers) await close();
});

interface Stub {
  readonly does?: readonly Behaviour[];
  readonly faults?: readonly Fault[];
}

/** A caller without sockets on virtual time, and one over the wire on real time, for the same stub. */
function callersOf({ does = [], faults = [] }: Stub): { readonly inProcess: CallWebhook; readonly wire: CallWebhook } {
  const specs = [{ name: 'w.example.com', does, faults }];
  const virtual = createVirtualClock(Date.UTC(2026, 0, 1));
  const callProcess = (): Promise<CallReply> => Promise.reject(new Error('there is none'));
  const inProcess = createStubCaller({
    stubRegistry: createStubRegistry(specs, 7),
    clock: virtual,
    hold: virtual.hold,
    callProcess,
    otherwise: noStub,
  });
  const stubRegistry = createStubRegistry(specs, 7);
  const server = startStubServer({ stubRegistry, certificates, clock: realClock });
  const { dialOverride, send } = createStubDialing();
  const client = createWebhookClient({ cluster: { get: () => undefined, list: () => [] }, dialOverride });
  const wire = createWireCaller({
    stubRegistry,
    clock: realClock,
    hold: (work) => work,
    callProcess,
    otherwise: noStub,
    server,
    sendTo: (call, address) => send(client.call, call, address),
  });
  closers.push(client.close, server.close);
  return { inProcess: (call) => virtual.drive(inProcess(call)), wire };
}

const service: ClientConfig = { service: { namespace: 'ns', name: 'hook', path: '/mutate' } };
const named: ClientConfig = { url: 'https://hook.example.com:8443/mutate' };
const addressed: ClientConfig = { url: 'https://10.1.2.3:8443' };

let reviews = 0;
const body = (): string =>
  `${JSON.stringify({
    kind: 'AdmissionReview',
    apiVersion: 'admission.k8s.io/v1',
    request: { uid: `u${(reviews += 1) % 2}`, namespace: 'shop', object: { kind: 'Pod', metadata: {}, spec: {} } },
  })}\n`;

interface Asked {
  readonly clientConfig?: ClientConfig;
  readonly timeoutMs?: number;
  readonly signal?: () => AbortSignal;
}

async function ask(call: CallWebhook, { clientConfig = service, timeoutMs = 10_000, signal }: Asked): Promise<unknown> {
  reviews = 0;
  const reply = await call({
    webhookName: 'w.example.com',
    configuration: 'c',
    clientConfig,
    body: body(),
    timeoutMs,
    ...(signal ? { signal: signal() } : {}),
  });
  // Only over the wire is there an address that was called.
  if (reply.outcome === 'answered') return { ...reply, url: undefined, body: new TextDecoder().decode(reply.body) };
  const timeless = (text?: string): string | undefined => text?.replace(/(?<=current time )\S+/, 'NOW');
  return { ...reply, url: undefined, error: timeless(reply.error), detail: timeless(reply.detail) };
}

async function both(stub: Stub, asked: Asked = {}): Promise<unknown> {
  const { inProcess, wire } = callersOf(stub);
  const without = await ask(inProcess, asked);
  expect(await ask(wire, asked)).toEqual(without);
  return without;
}

const post = (cause: string, url = 'https://hook.ns.svc:443/mutate?timeout=10s'): string => `Post "${url}": ${cause}`;
const atNamed = 'https://hook.example.com:8443/mutate?timeout=10s';
const atAddress = 'https://10.1.2.3:8443/?timeout=10s';
const refused = 'connect: connection refused';
const reset = 'read: connection reset by peer';
const x509 = 'tls: failed to verify certificate: x509:';

// Source: rule FAIL-4, facts failure-refused-*, failure-untrusted-ca-*, failure-wrong-san-*; Go's net, crypto/tls, crypto/x509.
const failures: readonly [what: FaultKind, config: ClientConfig, phase: string, error: string][] = [
  [{ type: 'refuse' }, service, 'connect', post(`dial tcp 127.0.0.1:443: ${refused}`)],
  [{ type: 'refuse' }, addressed, 'connect', post(`dial tcp 10.1.2.3:8443: ${refused}`, atAddress)],
  [{ type: 'reset' }, service, 'headers', post(`read tcp 127.0.0.1:50000->127.0.0.1:443: ${reset}`)],
  [{ type: 'reset' }, named, 'headers', post(`read tcp 127.0.0.1:50000->127.0.0.1:8443: ${reset}`, atNamed)],
  [{ type: 'dns' }, service, 'resolve', post('service "hook" not found')],
  [
    { type: 'dns' },
    named,
    'resolve',
    post('dial tcp: lookup hook.example.com on 10.96.0.10:53: no such host', atNamed),
  ],
  [{ type: 'tls-unknown-ca' }, service, 'tls', post(`${x509} certificate signed by unknown authority`)],
  [{ type: 'tls-unknown-ca' }, addressed, 'tls', post(`${x509} certificate signed by unknown authority`, atAddress)],
  [
    { type: 'tls-wrong-name' },
    service,
    'tls',
    post(`${x509} certificate is valid for wrong-name.kadmit.invalid, not hook.ns.svc`),
  ],
  [
    { type: 'tls-wrong-name' },
    addressed,
    'tls',
    post(`${x509} cannot validate certificate for 10.1.2.3 because it doesn't contain any IP SANs`, atAddress),
  ],
  [
    { type: 'tls-expired' },
    service,
    'tls',
    post(`${x509} certificate has expired or is not yet valid: current time NOW is after 2019-01-01T00:00:00Z`),
  ],
  [{ type: 'tls-old-protocol' }, service, 'tls', post('remote error: tls: protocol version not supported')],
];

test.each(failures)('%j of %j fails alike with and without sockets', async (what, clientConfig, phase, error) => {
  expect(await both({ faults: [{ what }] }, { clientConfig })).toMatchObject({ outcome: 'failed', phase, error });
});

const cut = post('context deadline exceeded', 'https://hook.ns.svc:443/mutate?timeout=1s');
const cutBody = 'unexpected error when reading response body. Please retry. Original error: context deadline exceeded';
const minute = { type: 'fixed', milliseconds: 60_000 } as const;

// Source: facts failure-timeout-*, failure-tcp-hang-*; rules FAIL-4, RSP-10.
const cuts: readonly [what: FaultKind, error: string][] = [
  [{ type: 'hang' }, cut],
  [{ type: 'delay', delay: minute }, cut],
  [{ type: 'slow-body', delay: minute }, cutBody],
];

// A slow answer has begun within its second, even on a busy machine.
test.each(cuts)('%j ends at the timeout', async (what, error) => {
  const outcome = await both({ faults: [{ what }] }, { timeoutMs: 1000 });
  expect(outcome).toMatchObject({ outcome: 'failed', phase: 'timeout', error });
});

test.each(cuts.map(([what]) => what))('%j ends when the client goes', async (what) => {
  const outcome = await both({ faults: [{ what }] }, { timeoutMs: 1000, signal: () => AbortSignal.abort() });
  const canceled = post('context canceled', 'https://hook.ns.svc:443/mutate?timeout=1s');
  expect(outcome).toMatchObject({ outcome: 'failed', phase: 'canceled', error: canceled });
});

test('a call without any time left is not answered', async () => {
  const outcome = await both({}, { timeoutMs: 0 });
  const error = post('context deadline exceeded', 'https://hook.ns.svc:443/mutate?timeout=0s');
  expect(outcome).toMatchObject({ outcome: 'failed', phase: 'timeout', error });
});

const json = { code: 200, contentType: 'application/json' };
const allowed = '{"uid":"u1","allowed":true}';
const reviewOf = (response: string, version = 'v1'): string =>
  `{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/${version}","response":${response}}`;
const plain = 'text/plain; charset=utf-8';
const short = { type: 'uniform', from: 1, to: 5 } as const;
const badPatch = Buffer.from('[{"op":"replace","path":"/no/such/field","value":null}]').toString('base64');

const answers: readonly [fact: string, stub: Stub, answer: object][] = [
  ['no fault', {}, { ...json, body: reviewOf(allowed) }],
  ['delay', { faults: [{ what: { type: 'delay', delay: short } }] }, { ...json, body: reviewOf(allowed) }],
  ['slow-body', { faults: [{ what: { type: 'slow-body', delay: short } }] }, { ...json, body: reviewOf(allowed) }],
  [
    'status',
    { faults: [{ what: { type: 'status', code: 503, body: 'later' } }] },
    { code: 503, contentType: plain, body: 'later' },
  ],
  [
    'status without a body',
    { faults: [{ what: { type: 'status', code: 500 } }] },
    { code: 500, contentType: plain, body: '' },
  ],
  [
    'status with JSON',
    { faults: [{ what: { type: 'status', code: 429, body: '{"kind":"Status"}' } }] },
    { code: 429, contentType: 'application/json', body: '{"kind":"Status"}' },
  ],
  [
    'status that has no body',
    { faults: [{ what: { type: 'status', code: 204, body: 'x' } }] },
    { code: 204, contentType: plain, body: '' },
  ],
  [
    'garbage',
    { faults: [{ what: { type: 'garbage' } }] },
    { code: 200, contentType: 'text/html', body: '<html><body><h1>It works!</h1></body></html>\n' },
  ],
  [
    'garbage of one’s own',
    { faults: [{ what: { type: 'garbage', body: '{', contentType: 'application/json' } }] },
    { ...json, body: '{' },
  ],
  [
    'wrong-uid',
    { faults: [{ what: { type: 'wrong-uid' } }] },
    { ...json, body: reviewOf('{"uid":"00000000-0000-0000-0000-000000000000","allowed":true}') },
  ],
  ['wrong-version', { faults: [{ what: { type: 'wrong-version' } }] }, { ...json, body: reviewOf(allowed, 'v1beta1') }],
  [
    'bad-patch',
    { faults: [{ what: { type: 'bad-patch' } }] },
    { ...json, body: reviewOf(`{"uid":"u1","allowed":true,"patchType":"JSONPatch","patch":"${badPatch}"}`) },
  ],
  [
    'a script that throws',
    {
      does: [
        {
          type: 'script',
          run: () => {
            throw new Error('out of tea');
          },
        },
      ],
    },
    { code: 500, contentType: plain, body: 'out of tea\n' },
  ],
];

test.each(answers)('%s is answered alike with and without sockets', async (_fact, stub, answer) => {
  expect(await both(stub)).toEqual({ outcome: 'answered', ...answer });
});

test('the same calls meet the same chance with and without sockets', async () => {
  const { inProcess, wire } = callersOf({
    faults: [
      { what: { type: 'status', code: 500 }, calls: [2] },
      { what: { type: 'status', code: 501 }, namespaces: ['other'] },
      { what: { type: 'status', code: 502 }, probability: 0.4 },
    ],
  });
  const codes: unknown[][] = [];
  for (const caller of [inProcess, wire]) {
    const said = [];
    for (let count = 0; count < 12; count += 1) said.push(await ask(caller, {}));
    codes.push(said.map((one) => (typeof one === 'object' && one !== null ? Reflect.get(one, 'code') : one)));
  }
  expect(codes[0]).toEqual(codes[1]);
  expect([codes[0]?.[1], codes[0]?.includes(501)]).toEqual([500, false]);
  expect(new Set(codes[0])).toEqual(new Set([200, 500, 502]));
});

// The wire caller never sends these: here the texts are held against the client itself.
test('an unknown name has the text of the webhook client', async () => {
  const { inProcess } = callersOf({ faults: [{ what: { type: 'dns' } }] });
  const client = createWebhookClient({ cluster: { get: () => undefined, list: () => [] } });
  closers.push(client.close);
  for (const clientConfig of [service, { url: 'https://no-such-host.invalid/w' }]) {
    const withoutServer = (said: unknown): string => JSON.stringify(said).replaceAll(/ on \S+:53:/g, ':');
    expect(withoutServer(await ask(client.call, { clientConfig }))).toBe(
      withoutServer(await ask(inProcess, { clientConfig })),
    );
  }
});
