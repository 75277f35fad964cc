import { expect, test } from 'vitest';
import { createStubRegistry } from '../../../src/testing/stubs/stub-registry.ts';
import { createStubConfigurations } from '../../../src/testing/scenario/target/stub-configurations.ts';
import { configuration, webhook } from '../../harness/scenario.ts';
import { discoverResources, findResource } from '../../../src/adapters/config/kubeconfig/discovery.ts';
import { createdPath, rejectForeignWrites } from '../../../src/testing/scenario/target/target-worlds.ts';
import { createTargetSend, warningTexts } from '../../../src/testing/scenario/target/send.ts';
import type { JsonObject } from '../../../src/machinery/json/json.ts';
import type { WorldAnswer, WorldRequest } from '../../../src/testing/scenario/world.ts';

const answer = (code: number, body: JsonObject): WorldAnswer => ({
  code,
  body,
  warnings: [],
  milliseconds: 0,
  trace: undefined,
});

const created = '2026-01-01T00:00:00Z';
const later = Date.parse(created) + 60_000;
const old = async (): Promise<WorldAnswer> => answer(200, { metadata: { creationTimestamp: created } });
const core = '/api/v1/namespaces';

/** What a scenario may do on a server that others use; `ground` is what was refused. */
const touches: readonly [fact: string, request: WorldRequest, ground: string][] = [
  ['read anything', { method: 'GET', path: '/api/v1/nodes/n' }, ''],
  ['create anything', { method: 'POST', path: `${core}/default/pods` }, ''],
  ['try anything dry', { method: 'PUT', path: '/api/v1/nodes/n', query: { dryRun: 'All' } }, ''],
  ['change what it made', { method: 'PUT', path: `${core}/default/pods/mine` }, ''],
  ['change the status of what it made', { method: 'PATCH', path: `${core}/default/pods/mine/status` }, ''],
  ['change anything in its own namespace', { method: 'DELETE', path: `${core}/shop/pods` }, ''],
  [
    'not a Pod with a longer name than its own',
    { method: 'PUT', path: `${core}/default/pods/mine-too` },
    `${core}/default/pods/mine-too was on the server before`,
  ],
  ['not a namespace', { method: 'PUT', path: `${core}/default/finalize` }, `${core}/default was on the server before`],
  [
    'not a scale',
    { method: 'PATCH', path: '/apis/apps/v1/namespaces/default/deployments/web/scale' },
    '/apis/apps/v1/namespaces/default/deployments/web was on the server before',
  ],
  [
    'not a cluster-scoped object',
    { method: 'DELETE', path: '/apis/rbac.authorization.k8s.io/v1/clusterroles/view' },
    '/apis/rbac.authorization.k8s.io/v1/clusterroles/view was on the server before',
  ],
  [
    'not a collection',
    { method: 'DELETE', path: `${core}/default/configmaps` },
    `${core}/default/configmaps may contain objects of others`,
  ],
  [
    'not a collection of the cluster',
    { method: 'DELETE', path: '/api/v1/nodes' },
    '/api/v1/nodes may contain objects of others',
  ],
];

test.each(touches)('a scenario may %s', async (_fact, request, ground) => {
  const made = new Set([`${core}/shop`, `${core}/default/pods/mine`]);
  const said = await rejectForeignWrites(request, old, { made, since: later }).then(
    () => '',
    (error: unknown) => String(error),
  );
  expect(said).toBe(ground === '' ? '' : `Error: ${ground}; on a target a scenario changes only what it has made`);
});

test('what came while the scenario ran may be changed, and what is not there', async () => {
  const request: WorldRequest = { method: 'DELETE', path: `${core}/default/pods/of-a-deployment` };
  const made = new Set<string>();
  await expect(rejectForeignWrites(request, old, { made, since: Date.parse(created) })).resolves.toBeUndefined();
  const gone = async (): Promise<WorldAnswer> => answer(404, {});
  await expect(rejectForeignWrites(request, gone, { made, since: later })).resolves.toBeUndefined();
});

const named = { metadata: { name: 'a' } };

/** What has to be removed afterwards. */
const makings: readonly [fact: string, request: WorldRequest, answer: WorldAnswer, path: string | undefined][] = [
  ['a POST to a collection', { method: 'POST', path: `${core}/shop/pods` }, answer(201, named), `${core}/shop/pods/a`],
  ['a Namespace', { method: 'POST', path: core }, answer(201, named), `${core}/a`],
  [
    'an apply that created',
    { method: 'PATCH', path: `${core}/shop/pods/a` },
    answer(201, named),
    `${core}/shop/pods/a`,
  ],
  ['an apply that changed makes none', { method: 'PATCH', path: `${core}/shop/pods/a` }, answer(200, named), undefined],
  [
    'an Eviction is none',
    { method: 'POST', path: `${core}/shop/pods/a/eviction` },
    answer(201, { kind: 'Status' }),
    undefined,
  ],
  ['a token is none', { method: 'POST', path: `${core}/shop/serviceaccounts/a/token` }, answer(201, named), undefined],
  [
    'a review is none',
    { method: 'POST', path: '/apis/authorization.k8s.io/v1/subjectaccessreviews' },
    answer(201, { metadata: {} }),
    undefined,
  ],
  ['a dry run makes none', { method: 'POST', path: core, query: { dryRun: 'All' } }, answer(201, named), undefined],
  ['a refusal makes none', { method: 'POST', path: core }, answer(403, named), undefined],
];

test.each(makings)('%s', (_fact, request, said, path) => {
  expect(createdPath(request, said)).toBe(path);
});

test.each([
  ['299 - "one"', ['one']],
  ['299 - "a \\"quoted\\" one, with 299 in it", 299 - "two"', ['a "quoted" one, with 299 in it', 'two']],
  ['nonsense', []],
])('the warnings in %s', (header, texts) => {
  expect(warningTexts(header)).toEqual(texts);
});

const legacy: Readonly<Record<string, JsonObject>> = {
  '/api/v1': {
    groupVersion: 'v1',
    resources: [
      { name: 'pods', singularName: '', namespaced: true, kind: 'Pod', shortNames: ['po'] },
      { name: 'pods/status', kind: 'Pod', namespaced: true },
    ],
  },
  '/apis': { kind: 'APIGroupList', groups: [{ name: 'apps', versions: [{ groupVersion: 'apps/v1' }] }] },
  '/apis/apps/v1': {
    groupVersion: 'apps/v1',
    resources: [
      { name: 'deployments', singularName: 'deployment', namespaced: true, kind: 'Deployment', shortNames: ['deploy'] },
    ],
  },
};

test('a server without aggregated discovery gets one request for each group', async () => {
  const found = await discoverResources(async (path) => legacy[path] ?? {});
  expect(found.map(({ resource }) => resource)).toEqual(['pods', 'deployments']);
  const words = ['po', 'Pod', 'deployments.apps', 'deployment', 'deploy', 'deployments.v1.apps', 'nothing'];
  expect(words.map((word) => findResource(word, found)?.resource)).toEqual([
    'pods',
    'pods',
    'deployments',
    'deployments',
    'deployments',
    'deployments',
    undefined,
  ]);
});

const written = configuration('Mutating', 'm', [{ name: 'a.example.com' }, { name: 'other.example.com' }]);
const path = '/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations';

/** As the server has it: with a default, and with an address that is not the scenario's. */
const stored = {
  ...written,
  webhooks: ['a.example.com', 'other.example.com'].map((name) => ({
    name,
    failurePolicy: 'Fail',
    clientConfig: { url: 'https://stub/' },
  })),
};

/** Configurations of a server elsewhere, whose stubs are at https://stub/CONFIGURATION/WEBHOOK. */
const stubbed = () =>
  createStubConfigurations(createStubRegistry([webhook('a.example.com')], 1), {
    addressOf: async (name, hook) => ({ url: `https://stub/${name}/${hook}`, caBundle: 'CA' }),
  });

const stub = { url: 'https://stub/m/a.example.com', caBundle: 'CA' };
const elsewhere = { url: 'https://webhook.invalid/' };

/** What is sent instead of what a scenario writes. */
const rewrites: readonly [fact: string, request: WorldRequest, body: JsonObject][] = [
  [
    'the webhooks of a scenario get the addresses of their stubs',
    { method: 'POST', path, body: written },
    {
      webhooks: [
        { name: 'a.example.com', clientConfig: stub },
        { name: 'other.example.com', clientConfig: elsewhere },
      ],
    },
  ],
  [
    'a JSON patch is of the configuration as the scenario knows it',
    {
      method: 'PATCH',
      path: `${path}/m`,
      contentType: 'application/json-patch+json',
      body: [
        { op: 'test', path: '/webhooks/1/clientConfig/url', value: 'https://webhook.invalid/' },
        { op: 'replace', path: '/webhooks/0/clientConfig', value: { url: 'https://new.invalid/' } },
        { op: 'replace', path: '/webhooks/1/failurePolicy', value: 'Ignore' },
      ],
    },
    { webhooks: [{ clientConfig: stub }, { clientConfig: elsewhere, failurePolicy: 'Ignore' }] },
  ],
  [
    'so is a merge patch',
    {
      method: 'PATCH',
      path: `${path}/m`,
      contentType: 'application/merge-patch+json',
      body: { metadata: { labels: { a: 'b' } } },
    },
    { metadata: { labels: { a: 'b' } }, webhooks: [{ clientConfig: stub }, { clientConfig: elsewhere }] },
  ],
];

test.each(rewrites)('%s', async (_fact, request, body) => {
  const configurations = stubbed();
  configurations.recordWrite(`${path}/m`, { method: 'POST', path, body: written }, answer(201, stored));
  expect((await configurations.rewrite(request)).body).toMatchObject(body);
});

test('other requests are sent as they are', async () => {
  const requests: readonly WorldRequest[] = [
    { method: 'POST', path: `${core}/default/pods`, body: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' } } },
    { method: 'PATCH', path: `${path}/unknown`, contentType: 'application/merge-patch+json', body: { webhooks: [] } },
    { method: 'DELETE', path: `${path}/m` },
  ];
  for (const request of requests) expect(await stubbed().rewrite(request)).toBe(request);
});

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly headers: object;
  readonly body: string | undefined;
}

/** A server that answers everything with this, and keeps traces under /kadmit/v1/traces. */
async function sendTo(
  request: WorldRequest,
  hasTraces: boolean,
): Promise<{ readonly sent: readonly Sent[]; readonly answer: WorldAnswer }> {
  const sent: Sent[] = [];
  const send = createTargetSend(
    {
      send: async (one) => {
        sent.push(one);
        const text = one.path.startsWith('/kadmit/')
          ? '{"traceVersion":1,"id":"x","admission":[]}'
          : '{"kind":"ConfigMap"}';
        return { code: 200, headers: { 'audit-id': 'a b' }, warnings: ['299 - "careful"'], text };
      },
      close: () => {},
    },
    hasTraces,
  );
  const { milliseconds: _took, ...said } = await send(request);
  return { sent, answer: { ...said, milliseconds: 0 } };
}

const asJane: WorldRequest = {
  method: 'PATCH',
  path: `${core}/default/configmaps/a`,
  query: { fieldManager: 'me', dryRun: 'All' },
  body: { data: { big: 9007199254740993n } },
  contentType: 'application/merge-patch+json',
  as: { username: 'jane', uid: '7', groups: ['one', 'two'], extra: { 'example.com/Team': ['red'] } },
};

test('a request goes out as client-go would send it, another user impersonated', async () => {
  const { sent, answer: said } = await sendTo(asJane, false);
  expect(sent).toEqual([
    {
      method: 'PATCH',
      path: `${core}/default/configmaps/a?fieldManager=me&dryRun=All`,
      headers: {
        'user-agent': 'kadmit',
        accept: 'application/json',
        'content-type': 'application/merge-patch+json',
        'impersonate-user': 'jane',
        'impersonate-uid': '7',
        'impersonate-group': ['one', 'two'],
        'impersonate-extra-example.com%2FTeam': ['red'],
      },
      body: '{"data":{"big":9007199254740993}}',
    },
  ]);
  expect(said).toEqual({
    code: 200,
    body: { kind: 'ConfigMap' },
    warnings: ['careful'],
    milliseconds: 0,
    trace: undefined,
  });
});

test('the trace of a write is fetched from a kadmit, and none for a read', async () => {
  const write = await sendTo(asJane, true);
  expect(write.sent.map((one) => one.path).slice(1)).toEqual(['/kadmit/v1/traces/a%20b']);
  expect(write.answer.trace).toMatchObject({ id: 'x' });
  const read = await sendTo({ method: 'GET', path: core }, true);
  expect(read.sent).toHaveLength(1);
});
