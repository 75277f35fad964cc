import { afterAll, expect, test } from 'vitest';
import type { CallReply, WebhookCall } from '../../../src/apiserver/admission/webhooks/call.ts';
import { createStubRegistry } from '../../../src/testing/stubs/stub-registry.ts';
import { createStubCaller, createStubDialing } from '../../../src/testing/stubs/stub-caller.ts';
import { createVirtualClock } from '../../../src/testing/stubs/virtual-clock.ts';
import type { WebhookSpec } from '../../../src/testing/stubs/webhook-spec.ts';
import { createWebhookClient } from '../../../src/adapters/webhook-client/webhook-client.ts';
import { serverPark } from '../../adapters/webhook-client/servers.ts';

const park = serverPark();
const dialOverrides = createStubDialing();
const client = createWebhookClient({
  cluster: { get: () => undefined, list: () => [] },
  dialOverride: dialOverrides.dialOverride,
});
afterAll(async () => {
  await client.close();
  await park.close();
});

const start = Date.UTC(2026, 0, 1);

interface Outcome {
  readonly said: string;
  /** On the virtual clock. */
  readonly milliseconds: number;
  readonly heard: readonly string[];
}

/** The result of a call; requests in the shop go to the registry, and the process answers what it was asked. */
async function callOf(spec: Partial<WebhookSpec>, call: Partial<WebhookCall> = {}): Promise<Outcome> {
  const process = await park.http((_request, response) => void response.end('from the process'));
  const clock = createVirtualClock(start);
  const stubRegistry = createStubRegistry([{ name: 'w', does: [], faults: [], ...spec }], 1);
  const caller = createStubCaller({
    stubRegistry,
    clock,
    hold: clock.hold,
    callProcess: (asked, to) => dialOverrides.sendTo(client.call, asked, to.replace('PORT', String(process.port))),
    otherwise: async ({ webhookName }) => ({
      outcome: 'failed',
      phase: 'client',
      error: `${webhookName} is elsewhere`,
    }),
  });
  const service = { namespace: 'ns', name: 'hook', path: '/mutate' };
  const body = '{"apiVersion":"admission.k8s.io/v1","request":{"uid":"u"}}';
  const reply = await clock.drive(
    caller({ webhookName: 'w', clientConfig: { service }, body, timeoutMs: 10_000, ...call }),
  );
  const heard = process.seen.map(({ method, url }) => `${method} ${url}`);
  return { said: textOf(reply), milliseconds: clock.now() - start, heard };
}

const textOf = (reply: CallReply): string =>
  reply.outcome === 'answered' ? new TextDecoder().decode(reply.body) : `${reply.phase}: ${reply.error}`;

const to = 'http://127.0.0.1:PORT/base/';
const asked = ['POST /base/mutate?timeout=10s'];
const twoSeconds = { type: 'fixed', milliseconds: 2000 } as const;
const minute = { type: 'fixed', milliseconds: 60_000 } as const;
const late = 'timeout: Post "https://hook.ns.svc:443/mutate?timeout=10s": context deadline exceeded';
const lateBody =
  'timeout: unexpected error when reading response body. Please retry. Original error: context deadline exceeded';
const wrong =
  '{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1","response":{"uid":"00000000-0000-0000-0000-000000000000","allowed":true}}';

// Issue 5, parts 2 and 3: faults also come between kadmit and a real process.
const processes: readonly [fact: string, faults: WebhookSpec['faults'], outcome: Outcome][] = [
  ['without a fault', [], { said: 'from the process', milliseconds: 0, heard: asked }],
  [
    'after a delay',
    [{ what: { type: 'delay', delay: twoSeconds } }],
    { said: 'from the process', milliseconds: 2000, heard: asked },
  ],
  ['too late', [{ what: { type: 'delay', delay: minute } }], { said: late, milliseconds: 10_000, heard: [] }],
  [
    'with a body that comes too late',
    [{ what: { type: 'slow-body', delay: minute } }],
    { said: lateBody, milliseconds: 10_000, heard: asked },
  ],
  ['that hangs', [{ what: { type: 'hang' } }], { said: late, milliseconds: 10_000, heard: [] }],
  ['whose answer is replaced', [{ what: { type: 'wrong-uid' } }], { said: wrong, milliseconds: 0, heard: [] }],
];

test.each(processes)('a real process %s', async (_fact, faults, outcome) => {
  expect(await callOf({ to, faults })).toEqual(outcome);
});

test.each([
  ['no path: that of the call', 'http://127.0.0.1:PORT', 'POST /mutate?timeout=10s'],
  ['a slash: that of the call', 'http://127.0.0.1:PORT/', 'POST /mutate?timeout=10s'],
  [
    'a path that ends in a slash precedes that of the call',
    'http://127.0.0.1:PORT/base/',
    'POST /base/mutate?timeout=10s',
  ],
  ['a path replaces that of the call', 'http://127.0.0.1:PORT/pods/v1', 'POST /pods/v1?timeout=10s'],
])('the URL of a real process has %s', async (_fact, url, heard) => {
  expect(await callOf({ to: url })).toEqual({ said: 'from the process', milliseconds: 0, heard: [heard] });
  const clientConfig = { url: 'https://hook.example.com/mutate' };
  expect((await callOf({ to: url }, { clientConfig })).heard).toEqual([heard]);
});

const elsewhere: readonly [fact: string, call: Partial<WebhookCall>, said: string][] = [
  ['another webhook', { webhookName: 'x' }, 'client: x is elsewhere'],
  ['what is no review', { body: '{}' }, 'client: w is elsewhere'],
  [
    'a configuration without an address',
    { clientConfig: {} },
    'client: failed calling webhook "w": webhook configuration must have either service or URL',
  ],
];

test.each(elsewhere)('%s is not for a stub', async (_fact, call, said) => {
  expect((await callOf({}, call)).said).toBe(said);
});

test('a script that never ends is cut off in real time, and virtual time goes with it', async () => {
  const outcome = await callOf({ does: [{ type: 'script', run: () => new Promise(() => {}) }] }, { timeoutMs: 30 });
  const said = 'timeout: Post "https://hook.ns.svc:443/mutate?timeout=1s": context deadline exceeded';
  expect(outcome).toEqual({ said, milliseconds: 30, heard: [] });
});

test('a client that goes in the middle ends the call', async () => {
  const gone = new AbortController();
  const run = (): Promise<never> => {
    gone.abort();
    return new Promise(() => {});
  };
  const { said } = await callOf({ does: [{ type: 'script', run }] }, { signal: gone.signal });
  expect(said).toBe('canceled: Post "https://hook.ns.svc:443/mutate?timeout=10s": context canceled');
});

test('the last call of several is cut by what is left of the request', async () => {
  // What the chain gives a call is its timeout or the rest, whichever is less (rule FAIL-42); the text rounds up.
  const outcome = await callOf({ faults: [{ what: { type: 'hang' } }] }, { timeoutMs: 2999.5 });
  const said = 'timeout: Post "https://hook.ns.svc:443/mutate?timeout=3s": context deadline exceeded';
  expect(outcome).toEqual({ said, milliseconds: 2999.5, heard: [] });
});
