import { createServer, type Server } from 'node:net';
import { afterAll, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/machinery/json/json.ts';
import type { Expectation } from '../../../src/testing/scenario/format.ts';
import type { WebhookSpec } from '../../../src/testing/stubs/webhook-spec.ts';
import {
  configMap,
  configuration,
  failuresOf,
  manifest,
  play,
  step,
  webhook,
  expectWebhook,
} from '../../harness/scenario.ts';

/** Closes each connection without a response, like a process that crashes. */
const crashing = createServer((socket) => void socket.resume().on('data', () => socket.destroy()));
afterAll(() => void crashing.close());

const listeningPort = (server: Server): Promise<number> =>
  new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      resolve(typeof address === 'object' && address ? address.port : 0);
    });
  });

/** A port where nothing listens. */
async function freePort(): Promise<number> {
  const server = createServer();
  const port = await listeningPort(server);
  await new Promise((resolve) => server.close(resolve));
  return port;
}

const [closedPort, crashingPort] = [await freePort(), await listeningPort(crashing)];

const to = `http://127.0.0.1:${closedPort}`;
const down = `a.example.com did not respond at ${to}: dial tcp 127.0.0.1:${closedPort}: connect: connection refused`;
const failure = `webhooks: ${down}. Start it, or expect failed-open or failed-closed`;

/** Failures of one create with the webhook at a port where nothing listens. */
async function failuresWith(
  fields: JsonObject,
  expected: Partial<Expectation>,
  spec: Partial<WebhookSpec> = {},
): Promise<readonly string[]> {
  const outcome = await play({
    load: [manifest(configuration('Validating', 'gate', [{ name: 'a.example.com', timeoutSeconds: 30, ...fields }]))],
    webhooks: [webhook('a.example.com', { to, ...spec })],
    steps: [step({ type: 'create', object: configMap('a') }, expected)],
  });
  return failuresOf(outcome);
}

const ignore = { failurePolicy: 'Ignore' };
const refuse: WebhookSpec['faults'] = [{ what: { type: 'refuse' } }];

const rows: readonly [
  fact: string,
  fields: JsonObject,
  expected: Partial<Expectation>,
  spec: Partial<WebhookSpec>,
  failures: readonly string[],
][] = [
  ['Ignore, nothing is expected', ignore, {}, {}, [failure]],
  ['Fail, any refusal is expected', {}, { outcome: 'refused' }, {}, [failure]],
  [
    'Ignore, the webhook is named without its failure',
    ignore,
    { webhooks: [expectWebhook('a.example.com', { times: 1 })] },
    {},
    [failure],
  ],
  [
    'failed-open is expected',
    ignore,
    { webhooks: [expectWebhook('a.example.com', { outcome: 'failed-open' })] },
    {},
    [],
  ],
  [
    'failed-closed is expected',
    {},
    { webhooks: [expectWebhook('gate/a.example.com', { outcome: 'failed-closed' })] },
    {},
    [],
  ],
  ['the phase is expected', ignore, { webhooks: [expectWebhook('a.example.com', { phase: 'connect' })] }, {}, []],
  ['the code of the failure is expected', {}, { code: 500 }, {}, []],
  ['a fault is injected', ignore, {}, { faults: refuse }, []],
];

test.each(rows)('a webhook with `to` that is down: %s', async (...[, fields, expected, spec, failures]) => {
  expect(await failuresWith(fields, expected, spec)).toEqual(failures);
});

test('a process that closes the connection without a response', async () => {
  const failures = await failuresWith(ignore, {}, { to: `http://127.0.0.1:${crashingPort}` });
  expect(failures).toEqual([
    expect.stringMatching(/^webhooks: a\.example\.com did not respond at .*: .*(?:EOF|reset)/),
  ]);
});

test('a webhook that is down is reported for the writes of controllers', async () => {
  const outcome = await play({
    load: [
      manifest(
        configuration('Validating', 'gate', [
          {
            name: 'a.example.com',
            timeoutSeconds: 30,
            ...ignore,
            rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['serviceaccounts'] }],
          },
        ]),
      ),
    ],
    webhooks: [webhook('a.example.com', { to })],
    steps: [step({ type: 'create', object: { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } } })],
  });
  expect(failuresOf(outcome)).toEqual([failure]);
});
