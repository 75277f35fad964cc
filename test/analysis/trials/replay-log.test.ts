import { afterAll, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/machinery/json/json.ts';
import type { WebhookSpec } from '../../../src/testing/stubs/webhook-spec.ts';
import { createWorlds } from '../../../src/app/in-process/worlds.ts';
import { type LeftOut, loggedRequest, type LoggedRequest } from '../../../src/analysis/trials/logged-request.ts';
import { type LogPart, type LogReport, replayPart, mergeParts } from '../../../src/analysis/trials/replay-log.ts';
import { configMap, manifest, scenarioOf } from '../../harness/scenario.ts';

const worlds = createWorlds((bug) => {
  throw bug;
});
afterAll(() => worlds.close());

const event = (verb: string, change: JsonObject = {}, ref: JsonObject = {}): JsonObject => ({
  kind: 'Event',
  apiVersion: 'audit.k8s.io/v1',
  stage: 'ResponseComplete',
  verb,
  requestURI: '/api/v1/namespaces/shop/configmaps',
  user: { username: 'bob', groups: ['dev'] },
  objectRef: { resource: 'configmaps', namespace: 'shop', name: 'a', apiVersion: 'v1', ...ref },
  responseStatus: { code: 201 },
  requestObject: configMap('a'),
  ...change,
});

/** Source: apiserver pkg/apis/audit/v1/types.go. */
const events: readonly [
  fact: string,
  event: unknown,
  read: Partial<LoggedRequest['request']> | { readonly leftOut: LeftOut },
][] = [
  [
    'a create goes to the collection',
    event('create'),
    { method: 'POST', path: '/api/v1/namespaces/shop/configmaps', as: { username: 'bob', groups: ['dev'] } },
  ],
  [
    'an update to the object',
    event('update', {}, { apiGroup: 'apps', resource: 'deployments', subresource: 'status' }),
    { method: 'PUT', path: '/apis/apps/v1/namespaces/shop/deployments/a/status' },
  ],
  ['a namespace is in none', event('create', {}, { resource: 'namespaces' }), { path: '/api/v1/namespaces' }],
  [
    'a list of operations is a JSON patch',
    event('patch', { requestObject: [{ op: 'remove', path: '/data' }] }),
    { contentType: 'application/json-patch+json' },
  ],
  ['a list is a read', event('list'), { leftOut: 'a read' }],
  [
    'what was refused then is left out',
    event('create', { responseStatus: { code: 403 } }),
    { leftOut: 'refused in the log' },
  ],
  [
    'level Metadata has no body',
    event('create', { requestObject: null }),
    { leftOut: 'no body: the level is Metadata' },
  ],
  ['another stage is the same request', event('create', { stage: 'RequestReceived' }), { leftOut: 'another stage' }],
  [
    'a dry run wrote nothing',
    event('create', { requestURI: '/api/v1/namespaces/shop/configmaps?dryRun=All' }),
    { leftOut: 'a dry run' },
  ],
  [
    "the server's own objects are written by every server",
    event(
      'update',
      { user: { username: 'system:apiserver' } },
      { apiGroup: 'flowcontrol.apiserver.k8s.io', resource: 'flowschemas' },
    ),
    { leftOut: 'a write of the server itself' },
  ],
  ['no object at all', 7, { leftOut: 'not an event' }],
];

test.each(events)('%s', (_fact, given, read) => {
  const found = loggedRequest(given);
  expect(typeof found === 'string' ? { leftOut: found } : found.request).toMatchObject(read);
});

const policy: JsonObject = {
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'ValidatingAdmissionPolicy',
  metadata: { name: 'no-bob' },
  spec: {
    matchConstraints: {
      resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['*'], resources: ['configmaps'] }],
    },
    validations: [
      { expression: "request.userInfo.username != 'bob' || request.operation == 'DELETE'", message: 'not bob' },
    ],
  },
};
const binding: JsonObject = {
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'ValidatingAdmissionPolicyBinding',
  metadata: { name: 'no-bob' },
  spec: { policyName: 'no-bob', validationActions: ['Deny'] },
};

const replayed = async (all: readonly JsonObject[]): Promise<LogReport> => mergeParts([await partOf(all, () => true)]);

/** The report of one part of the events. */
async function partOf(all: readonly JsonObject[], isMine: (at: number) => boolean): Promise<LogPart> {
  const load = [policy, binding, { ...configMap('there'), metadata: { name: 'there', namespace: 'default' } }].map(
    manifest,
  );
  return replayPart(scenarioOf({ authorizationMode: 'AlwaysAllow', load }), worlds, async function* () {
    for (const [at, one] of all.entries()) if (isMine(at)) yield { at, one: loggedRequest(one) };
  });
}

/** One of each that is refused, left out and let pass, in an order in which the last part has what is first. */
const mixed = [
  event('get'),
  event('create', { requestObject: configMap('a') }, { name: 'a' }),
  event('create', { user: { username: 'ann' } }),
  event('create', { responseStatus: { code: 403 } }),
  event('update', { requestObject: configMap('gone') }, { name: 'gone' }),
  event('create', { requestObject: { kind: 'ConfigMap', data: 7 } }, { name: 'b' }),
  event('create', { requestObject: configMap('c') }, { name: 'c' }),
  event('get'),
  event('create', { requestObject: configMap('d') }, { name: 'd' }),
  event('create', { requestObject: configMap('e') }, { name: 'e' }),
];

test.each([2, 3, 11])('the report of a log in %i parts is that of the whole', async (of) => {
  const parts = await Promise.all(
    Array.from({ length: of }, (_none, index) => partOf(mixed, (at) => at % of === of - 1 - index)),
  );
  const whole = await replayed(mixed);
  const merged = mergeParts(parts);
  expect(merged).toEqual(whole);
  expect(Object.keys(merged.leftOut)).toEqual(Object.keys(whole.leftOut));
});

test('a request that a policy would refuse now is reported by policy, with examples; what cannot be replayed is counted', async () => {
  const there = { namespace: 'default', name: 'there' };
  const report = await replayed([
    ...['a', 'b', 'c', 'd'].map((name) => event('create', { requestObject: configMap(name) }, { name })),
    event('create', { user: { username: 'ann' } }),
    event('patch', { requestObject: { data: { a: '1' } } }, there),
    event('delete', { requestObject: null }, there),
    event('update', { requestObject: configMap('gone') }, { name: 'gone' }),
    event('get'),
  ]);
  expect(report).toMatchObject({
    events: 9,
    replayed: 7,
    admitted: 2,
    leftOut: { 'its object is not loaded': 1, 'a read': 1 },
    refusals: [{ by: 'policy no-bob', code: 422, count: 5 }],
  });
  expect(report.refusals[0]?.examples.map(({ request }) => request)).toEqual(
    ['a', 'b', 'c'].map((name) => `create configmaps shop/${name} by bob`),
  );
});

test('an update or a patch of another version of the object is no conflict', async () => {
  const there = { namespace: 'default', name: 'there' };
  const metadata = { ...there, uid: '7d3b2c6e-0000-4000-8000-000000000000', resourceVersion: '123456789' };
  const by = (name: string): JsonObject => ({ user: { username: name, groups: ['dev'] } });
  const report = await replayed([
    event('update', { ...by('ann'), requestObject: { ...configMap('there'), metadata, data: { a: '1' } } }, there),
    event(
      'patch',
      { ...by('ann'), requestObject: { metadata: { resourceVersion: '123456789' }, data: { a: '2' } } },
      there,
    ),
    event('update', { ...by('bob'), requestObject: { ...configMap('there'), metadata } }, there),
  ]);
  expect(report).toMatchObject({ replayed: 3, admitted: 2, refusals: [{ by: 'policy no-bob', code: 422, count: 1 }] });
});

const microseconds = (seconds: number): string => `2026-01-01T00:00:${seconds.toFixed(6).padStart(9, '0')}Z`;

/** An event of a request that took so long; of more than 500 ms kube-apiserver shows what for. */
const took = (name: string, seconds: number, webhooks?: readonly [mutating: string, validating: string]): JsonObject =>
  event(
    'create',
    {
      user: { username: 'ann' },
      requestObject: configMap(name),
      requestReceivedTimestamp: microseconds(1),
      stageTimestamp: microseconds(1 + seconds),
      annotations: webhooks
        ? {
            'apiserver.latency.k8s.io/total': `${seconds}s`,
            'apiserver.latency.k8s.io/mutating-webhook': webhooks[0],
            'apiserver.latency.k8s.io/validating-webhook': webhooks[1],
          }
        : {},
    },
    { name },
  );

const hook = (kind: 'Mutating' | 'Validating', ...names: readonly string[]): JsonObject => ({
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: `${kind}WebhookConfiguration`,
  metadata: { name: kind.toLowerCase() },
  webhooks: names.map((name) => ({
    name,
    admissionReviewVersions: ['v1'],
    sideEffects: 'None',
    timeoutSeconds: 2,
    clientConfig: { url: 'https://hook.example.com/' },
    rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] }],
  })),
});

const slow = (name: string, milliseconds: number): WebhookSpec => ({
  name,
  does: [],
  faults: [{ what: { type: 'delay', delay: { type: 'fixed', milliseconds } } }],
});

const timed = async (webhooks: readonly WebhookSpec[], all: readonly JsonObject[]): Promise<LogReport> => {
  const load = [
    hook('Mutating', 'a.example.com', 'b.example.com'),
    hook('Validating', 'c.example.com', 'd.example.com'),
  ];
  const scenario = scenarioOf({ authorizationMode: 'AlwaysAllow', load: load.map(manifest), webhooks });
  return mergeParts([
    await replayPart(scenario, worlds, async function* () {
      for (const [at, one] of all.entries()) yield { at, one: loggedRequest(one) };
    }),
  ]);
};

// Source: apiserver pkg/endpoints/filters/audit.go writeLatencyToAnnotation, pkg/endpoints/request/webhook_duration.go.
test('slower now: mutating webhooks by their sum and validating ones by the slowest, held against what the log shows', async () => {
  const times = { 'a.example.com': 100, 'b.example.com': 200, 'c.example.com': 50, 'd.example.com': 400 };
  const { slower } = await timed(
    Object.entries(times).map(([name, milliseconds]) => slow(name, milliseconds)),
    [
      took('quick', 0.02),
      took('slow', 0.9, ['300ms', '100ms']),
      took('as-slow', 0.9, ['300ms', '400ms']),
      took('unknown', 0.8),
      took('none-then', 1.2, ['0s', '0s']),
      event('create', { user: { username: 'ann' } }),
    ],
  );
  const webhooks = Object.keys(times);
  const examples = [
    { request: 'create configmaps shop/none-then by ann', now: 700, before: 0, of: 'webhooks' },
    { request: 'create configmaps shop/quick by ann', now: 700, before: 20, of: 'request' },
    { request: 'create configmaps shop/slow by ann', now: 700, before: 400, of: 'webhooks' },
  ];
  expect(slower).toEqual({ called: 6, slower: 3, unknown: 2, groups: [{ webhooks, count: 3, examples }] });
});

test('a webhook that takes longer than its timeout refuses, and what it took counts', async () => {
  const { slower, refusals } = await timed([slow('a.example.com', 5000)], [took('quick', 0.02)]);
  expect(refusals).toMatchObject([{ by: 'webhook a.example.com', code: 500, count: 1 }]);
  expect(slower.groups).toMatchObject([{ webhooks: ['a.example.com'], examples: [{ now: 2000, before: 20 }] }]);
});

test('webhooks of which nothing is said make nothing slower', async () => {
  const { slower } = await timed([], [took('quick', 0.02), took('unknown', 0.8)]);
  expect(slower).toEqual({ called: 2, slower: 0, unknown: 0, groups: [] });
});

test('changed now: what a webhook writes that the answer of then does not have', async () => {
  const labels: WebhookSpec = { name: 'a.example.com', does: [{ type: 'label', labels: { team: 'red' } }], faults: [] };
  const answered = (name: string, team: string): JsonObject => ({
    ...took(name, 0.02),
    responseObject: { kind: 'ConfigMap', metadata: { name, labels: { team, more: 'x' } } },
  });
  const all = [took('a', 0.02), answered('b', 'red'), answered('c', 'blue'), answered('d', 'red')];
  const { changes } = await timed([labels], all);
  expect(changes).toEqual([
    {
      by: 'webhook a.example.com',
      count: 2,
      examples: ['a', 'c'].map((name) => ({
        request: `create configmaps shop/${name} by ann`,
        fields: ['/metadata/labels'],
      })),
    },
  ]);
});
