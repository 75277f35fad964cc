import { afterAll, beforeAll, expect, test } from 'vitest';
import { issueCertificate } from '../../src/adapters/certificates/issue-certificate.ts';
import type { JsonObject } from '../../src/machinery/json/json.ts';
import type { Scenario } from '../../src/testing/scenario/format.ts';
import type { ScenarioOutcome } from '../../src/testing/scenario/outcome.ts';
import { runScenario } from '../../src/testing/scenario/run.ts';
import { connectTarget, type TargetServer } from '../../src/testing/scenario/target/target-worlds.ts';
import {
  configMap,
  configuration,
  failuresOf,
  here,
  manifest,
  runOptions,
  scenarioOf,
  step,
  webhook,
  expectWebhook,
} from '../harness/scenario.ts';
import { type Kadmit, startKadmit } from '../harness/start-kadmit.ts';
import { callHttp1 } from '../adapters/http/https-client.ts';

let server: Kadmit;
let target: TargetServer;

beforeAll(async () => {
  server = await startKadmit({ controllers: ['*'] });
  const access = { url: server.url, ca: server.caPem, certificate: undefined, key: undefined, token: server.token };
  target = await connectTarget({ access, issueCertificate });
});

afterAll(async () => {
  await target.close();
  await server.close();
});

const run = (scenario: Partial<Scenario>): Promise<ScenarioOutcome> =>
  runScenario(scenarioOf(scenario), target, runOptions({ on: 'target' }));

const get = async (path: string): Promise<number | undefined> =>
  (
    await callHttp1(
      { port: server.port, ca: server.caPem },
      { method: 'GET', path, headers: { authorization: `Bearer ${server.token}` } },
    )
  ).status;

const shop = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop', labels: { team: 'blue' } } };
const inShop = (name: string, change: JsonObject = {}): JsonObject => ({
  ...configMap(name, change),
  metadata: { name, namespace: 'shop' },
});

const story: Partial<Scenario> = {
  load: [
    manifest(shop),
    manifest(
      configuration('Mutating', 'labels', [
        { name: 'a.example.com', clientConfig: { service: { namespace: 'shop', name: 'a' } } },
        { name: 'red.example.com', namespaceSelector: { matchLabels: { team: 'red' } } },
      ]),
    ),
    manifest(configuration('Validating', 'gate', [{ name: 'gate.example.com' }])),
    manifest({ apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', metadata: { name: 'story:reader' } }),
  ],
  webhooks: [
    webhook('a.example.com', {
      does: [
        { type: 'label', labels: { seen: 'yes' } },
        { type: 'warn', warnings: ['a "quoted" one'] },
      ],
    }),
    webhook('gate.example.com'),
  ],
  steps: [
    step(
      { type: 'create', object: inShop('one') },
      {
        code: 201,
        warnings: [{ exact: 'a "quoted" one' }],
        object: { metadata: { labels: { seen: 'yes' } } },
        webhooks: [
          expectWebhook('a.example.com', { outcome: 'called', times: 1 }),
          expectWebhook('red.example.com', { outcome: 'skipped', because: 'namespaceSelector' }),
        ],
      },
    ),
    step({ type: 'configure', webhook: 'gate.example.com', change: { does: [{ type: 'deny', message: 'not now' }] } }),
    step({ type: 'create', object: inShop('two') }, { outcome: 'refused', deniedBy: 'gate.example.com', code: 400 }),
    step({ type: 'configure', webhook: 'gate.example.com', change: { faults: [{ what: { type: 'refuse' } }] } }),
    step(
      { type: 'create', object: inShop('two') },
      {
        outcome: 'refused',
        code: 500,
        webhooks: [expectWebhook('gate.example.com', { outcome: 'failed-closed', phase: 'connect' })],
      },
    ),
    step({
      type: 'configure',
      webhook: 'gate.example.com',
      change: { does: [], faults: [{ what: { type: 'tls-expired' } }] },
    }),
    step(
      { type: 'create', object: inShop('two') },
      {
        outcome: 'refused',
        webhooks: [expectWebhook('gate.example.com', { outcome: 'failed-closed', phase: 'tls' })],
      },
    ),
    step({ type: 'configure', webhook: 'gate.example.com', change: { faults: [] } }),
    step({ type: 'create', object: inShop('two') }),
    step({ type: 'advance', milliseconds: 60_000 }),
    step(
      { type: 'get', target: { resource: 'cm', subresource: '', namespace: 'shop', name: 'two' } },
      { outcome: 'refused', code: 403 },
      { as: { username: 'jane' } },
    ),
  ],
};

test('a scenario runs against a server over HTTPS and leaves nothing there', async () => {
  const outcome = await run(story);
  expect(failuresOf(outcome)).toEqual([]);
  expect(outcome.problem).toBeUndefined();
  expect(outcome.outcome).toBe('passed');
  expect(outcome.steps.map((one) => one.outcome)).toContain('left-out');
  expect(outcome.steps.flatMap(({ leftOut }) => leftOut)).toEqual(['time passes by itself on this server']);
  const group = '/apis/admissionregistration.k8s.io/v1';
  const paths = [
    '/api/v1/namespaces/shop',
    `${group}/mutatingwebhookconfigurations/labels`,
    `${group}/validatingwebhookconfigurations/gate`,
    '/apis/rbac.authorization.k8s.io/v1/clusterroles/story:reader',
  ];
  expect(await Promise.all(paths.map(get))).toEqual([404, 404, 404, 404]);
});

test('it can be run repeatedly, and cleans up after a failure and despite a finalizer', async () => {
  const held = { ...configMap('held'), metadata: { name: 'held', finalizers: ['example.com/hold'] } };
  const again: Partial<Scenario> = {
    ...story,
    steps: [
      step({ type: 'create', object: held }),
      step({ type: 'create', object: inShop('one') }, { outcome: 'refused' }),
    ],
  };
  expect(await run(again)).toMatchObject({ outcome: 'failed', steps: [{ outcome: 'passed' }, { outcome: 'failed' }] });
  expect(await get('/api/v1/namespaces/default/configmaps/held')).toBe(404);
  expect(await get('/api/v1/namespaces/shop')).toBe(404);
});

test('users are unrestricted with AlwaysAllow, and only then', async () => {
  const asJane = step({ type: 'create', object: configMap('janes') }, {}, { as: { username: 'jane' } });
  expect(await run({ authorizationMode: 'AlwaysAllow', steps: [asJane] })).toMatchObject({ outcome: 'passed' });
  expect(await get('/apis/rbac.authorization.k8s.io/v1/clusterrolebindings/kadmit-test:jane')).toBe(404);
  expect(await run({ authorizationMode: 'RBAC', steps: [asJane] })).toMatchObject({ outcome: 'failed' });
});

test('objects of other clients are not deleted with a collection', async () => {
  const collection = { resource: 'cm', namespace: 'default', labelSelector: '', fieldSelector: '' };
  const outcome = await run({ steps: [step({ type: 'deletecollection', target: collection })] });
  expect(failuresOf(outcome)).toEqual([
    'deletecollection: /api/v1/namespaces/default/configmaps may contain objects of others; on a target a scenario changes only what it has made',
  ]);
});

test('existing objects of the server are not changed', async () => {
  const place = { ...here, line: 3 };
  const taken = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'default' } };
  const outcome = await run({ load: [manifest(shop), { object: taken, place }] });
  expect(outcome).toMatchObject({
    outcome: 'broken',
    problem: {
      message: 'Namespace default is on the server already; nothing was changed. Remove it, or use another server',
      place,
    },
  });
  expect(await get('/api/v1/namespaces/default')).toBe(200);
  expect(await get('/api/v1/namespaces/shop')).toBe(404);
});

test('an unreachable server is reported in one line', async () => {
  const access = { url: 'https://127.0.0.1:1', ca: undefined, certificate: undefined, key: undefined, token: 'x' };
  await expect(connectTarget({ access, issueCertificate })).rejects.toThrow(
    'https://127.0.0.1:1 cannot be reached: connect ECONNREFUSED 127.0.0.1:1',
  );
});

test('a server that refuses the user is reported in one line', async () => {
  const access = { url: server.url, ca: server.caPem, certificate: undefined, key: undefined, token: 'wrong' };
  await expect(connectTarget({ access, issueCertificate })).rejects.toThrow('is the kubeconfig right?');
});
