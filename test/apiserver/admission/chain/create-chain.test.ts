import type { CallLimits } from '../../../../src/apiserver/admission/chain/create-chain.ts';
import { createDeadline } from '../../../../src/machinery/meta/deadline.ts';
import { expect, test } from 'vitest';
import type { AdmissionResult } from '../../../../src/apiserver/admission/chain/outcome.ts';
import type { SyncPlugin } from '../../../../src/apiserver/admission/chain/plugin.ts';
import { newForbidden } from '../../../../src/apiserver/admission/chain/refusal.ts';
import { asObject, type JsonObject, valueAt, withValue } from '../../../../src/machinery/json/json.ts';
import { ok, refuse } from '../../../../src/machinery/meta/result.ts';
import {
  admissionWorld,
  type AdmissionWorld,
  httpReply,
  configMap,
  creating,
  noLimits,
  type Respond,
  webhookConfiguration,
  type WorldOptions,
} from '../../../harness/admission.ts';

const labels = (object: unknown): JsonObject => asObject(valueAt(asObject(object as JsonObject), 'metadata', 'labels'));

const add = (label: string, value = 'true'): JsonObject => ({ op: 'add', path: `/metadata/labels/${label}`, value });

/** The webhooks of upstream's reinvocation test. */
const behaviours: Readonly<Record<string, Respond>> = {
  noop: () => ({}),
  addlabel: ({ object }) => ('a' in labels(object) ? {} : { patch: [add('a')] }),
  conditionaladdlabel: ({ object }) => ('a' in labels(object) && !('b' in labels(object)) ? { patch: [add('b')] } : {}),
  settrue: () => ({ patch: [{ op: 'replace', path: '/metadata/labels/fight', value: 'true' }] }),
  setfalse: () => ({ patch: [{ op: 'replace', path: '/metadata/labels/fight', value: 'false' }] }),
  setclass: ({ object }) =>
    labels(object)['class'] === 'high'
      ? {}
      : { patch: [add('class', 'high'), { op: 'remove', path: '/metadata/labels/rank' }] },
  setinvalid: ({ object }) => (labels(object)['class'] === 'invalid' ? {} : { patch: [add('class', 'invalid')] }),
};

/** Stands for the Priority plugin: fills the label `rank` from the label `class`. */
const ranks: SyncPlugin = {
  name: 'Ranks',
  operations: ['CREATE'],
  mutate: (request) => {
    const { object } = request;
    const name = labels(object)['class'];
    if (object === null || name === undefined || 'rank' in labels(object)) {
      return name === 'invalid' && !('rank' in labels(object))
        ? refuse(newForbidden(request, 'no PriorityClass with name invalid was found'))
        : ok({ object });
    }
    if (name === 'invalid') return refuse(newForbidden(request, 'no PriorityClass with name invalid was found'));
    return ok({ object: withValue(object, ['metadata', 'labels', 'rank'], name === 'high' ? '10' : '1') });
  },
};

type Policy = 'IfNeeded' | 'Never';

const mutatingWorld = (
  hooks: readonly (readonly [name: string, policy: Policy, fields?: JsonObject])[],
): AdmissionWorld => {
  const webhooks = hooks.map(([name, reinvocationPolicy, fields]) => ({ name, reinvocationPolicy, ...fields }));
  const configuration = webhookConfiguration('MutatingWebhookConfiguration', 'C', webhooks);
  return admissionWorld({ mutating: [configuration], responses: behaviours, before: [ranks] });
};

const annotationsOf = (result: AdmissionResult, prefix: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    result.annotations
      .filter(({ key }) => key.startsWith(`${prefix}.webhook.admission.k8s.io/`))
      .map(({ key, value }) => [key.slice(key.indexOf('/round_') + 7).replace('index_', ''), value]),
  );

const mutated = (result: AdmissionResult): Readonly<Record<string, boolean>> =>
  Object.fromEntries(
    Object.entries(annotationsOf(result, 'mutation')).map(([key, value]) => [key, JSON.parse(value).mutated === true]),
  );

interface Story {
  readonly initial: Readonly<Record<string, string>>;
  readonly hooks: readonly (readonly [name: string, policy: Policy, fields?: JsonObject])[];
  readonly calls: string;
  readonly mutated: Readonly<Record<string, boolean>>;
  readonly patches: readonly string[];
  readonly labels?: Readonly<Record<string, string>>;
}

const needsA = { objectSelector: { matchLabels: { a: 'true' } } };

// Source: kubernetes test/integration/apiserver/admissionwebhook/reinvocation_test.go; spec TV-1 to TV-8
const stories: Readonly<Record<string, Story>> = {
  'TV-1: a change of a built-in plugin alone reinvokes no webhook': {
    initial: { class: 'low' },
    hooks: [['noop', 'IfNeeded']],
    calls: 'noop',
    mutated: { '0_0': false },
    patches: [],
  },
  'TV-2: a webhook does not bring itself back': {
    initial: {},
    hooks: [['addlabel', 'IfNeeded']],
    calls: 'addlabel',
    mutated: { '0_0': true },
    patches: ['0_0'],
  },
  'TV-3: a built-in plugin that answers a change brings the webhook back': {
    initial: { class: 'low' },
    hooks: [['setclass', 'IfNeeded']],
    calls: 'setclass setclass',
    mutated: { '0_0': true, '1_0': false },
    patches: ['0_0'],
    labels: { class: 'high', rank: '10' },
  },
  'TV-4: a later change brings the earlier webhook back, not the later one': {
    initial: {},
    hooks: [
      ['addlabel', 'IfNeeded'],
      ['conditionaladdlabel', 'IfNeeded'],
    ],
    calls: 'addlabel conditionaladdlabel addlabel',
    mutated: { '0_0': true, '0_1': true, '1_0': false },
    patches: ['0_0', '0_1'],
  },
  'TV-5: two that fight are called twice each, and the last word stands': {
    initial: { fight: 'none' },
    hooks: [
      ['settrue', 'IfNeeded'],
      ['setfalse', 'IfNeeded'],
    ],
    calls: 'settrue setfalse settrue setfalse',
    mutated: { '0_0': true, '0_1': true, '1_0': true, '1_1': true },
    patches: ['0_0', '0_1', '1_0', '1_1'],
    labels: { fight: 'false' },
  },
  'TV-6: one that did not match in the first round is not called in the second': {
    initial: {},
    hooks: [
      ['conditionaladdlabel', 'IfNeeded', needsA],
      ['addlabel', 'IfNeeded'],
    ],
    calls: 'addlabel',
    mutated: { '0_1': true },
    patches: ['0_1'],
  },
  'TV-8: Never is never called twice': {
    initial: {},
    hooks: [
      ['conditionaladdlabel', 'Never'],
      ['addlabel', 'Never'],
    ],
    calls: 'conditionaladdlabel addlabel',
    mutated: { '0_0': false, '0_1': true },
    patches: ['0_1'],
    labels: { a: 'true' },
  },
};

test.each(Object.entries(stories))('%s', async (_story, story) => {
  const world = mutatingWorld(story.hooks);
  const result = await world.chain.mutate(creating(configMap({ ...story.initial, x: 'true' })), noLimits);
  expect(world.calls.map(({ webhook }) => webhook).join(' ')).toBe(story.calls);
  expect(mutated(result)).toEqual(story.mutated);
  expect(Object.keys(annotationsOf(result, 'patch'))).toEqual(story.patches);
  const { labels: expected = {} } = story;
  expect(result.verdict).toMatchObject({ object: { metadata: { labels: { ...expected, x: 'true' } } } });
});

test('TV-7: what the second round of the built-in plugins refuses is refused', async () => {
  const world = mutatingWorld([['setinvalid', 'IfNeeded']]);
  const result = await world.chain.mutate(creating(configMap({ x: 'true' })), noLimits);
  expect(world.calls).toHaveLength(1);
  expect(result.verdict).toMatchObject({
    outcome: 'refused',
    status: { code: 403, message: 'configmaps "one" is forbidden: no PriorityClass with name invalid was found' },
  });
});

test('the patch annotation prints the members of operations in alphabetical order, at level Request', async () => {
  const world = mutatingWorld([['addlabel', 'IfNeeded']]);
  const result = await world.chain.mutate(creating(configMap({ x: 'true' })), noLimits);
  expect(result.annotations.find(({ level }) => level === 'Request')).toEqual({
    key: 'patch.webhook.admission.k8s.io/round_0_index_0',
    value:
      '{"configuration":"C","webhook":"addlabel","patch":[{"op":"add","path":"/metadata/labels/a","value":"true"}],"patchType":"JSONPatch"}',
    level: 'Request',
  });
});

const until = (moment: number, { clock }: AdmissionWorld): CallLimits => ({
  deadline: createDeadline(moment, () => clock.now),
});

const seconds = (world: AdmissionWorld): readonly number[] => world.calls.map(({ timeoutMs }) => timeoutMs / 1000);

const slow =
  (world: () => AdmissionWorld, takes: number): Respond =>
  () => {
    world().clock.now += takes * 1000;
    return {};
  };

function timedWorld(
  timeouts: readonly (readonly [name: string, timeoutSeconds: number])[],
  takes: number,
  options: WorldOptions = {},
): AdmissionWorld {
  const webhooks = timeouts.map(([name, timeoutSeconds]) => ({ name, timeoutSeconds }));
  const responses = Object.fromEntries(timeouts.map(([name]) => [name, slow(() => world, takes)]));
  const world: AdmissionWorld = admissionWorld({
    mutating: [webhookConfiguration('MutatingWebhookConfiguration', 'm', webhooks)],
    validating: [webhookConfiguration('ValidatingWebhookConfiguration', 'v', webhooks)],
    responses,
    ...options,
  });
  return world;
}

// Source: kubernetes test/integration/apiserver/admissionwebhook/timeout_test.go; spec TV-10 to TV-12
test('TV-10: a call may take its own timeout or what is left of the request', async () => {
  const world = timedWorld(
    [
      ['a', 20],
      ['b', 5],
    ],
    0,
  );
  await world.chain.mutate(creating(configMap()), until(10_000, world));
  await world.chain.validate(creating(configMap()), until(10_000, world));
  expect(seconds(world)).toEqual([10, 5, 10, 5]);
});

test('TV-11: mutating webhooks share the time of the request', async () => {
  const world = timedWorld(
    [
      ['a', 20],
      ['b', 5],
      ['c', 20],
    ],
    1,
  );
  await world.chain.mutate(creating(configMap()), until(10_000, world));
  expect(seconds(world)).toEqual([10, 5, 8]);
});

test('TV-12: once the time of the request is over, ignoring failures does not help', async () => {
  const webhooks = ['a', 'b', 'c'].map((name) => ({ name, timeoutSeconds: 4, failurePolicy: 'Ignore' }));
  const world: AdmissionWorld = admissionWorld({
    mutating: [webhookConfiguration('MutatingWebhookConfiguration', 'm', webhooks)],
    responses: {
      a: () => {
        world.clock.now += 3000;
        return { outcome: 'failed', phase: 'timeout', error: 'context deadline exceeded' };
      },
    },
  });
  const result = await world.chain.mutate(creating(configMap()), until(3000, world));
  expect(seconds(world)).toEqual([3]);
  expect(result.verdict).toMatchObject({
    status: { code: 504, reason: 'Timeout', message: 'Timeout: request did not complete within requested timeout' },
  });
});

// Source: spec rules ORD-1, ORD-2
test('configurations are called in the byte order of their names, then in their own order', async () => {
  const configurations = ['b', 'B', '2', '10'].map((name) =>
    webhookConfiguration('MutatingWebhookConfiguration', name, [{ name: `${name}-z` }, { name: `${name}-a` }]),
  );
  const world = admissionWorld({ mutating: configurations });
  await world.chain.mutate(creating(configMap()), noLimits);
  expect(world.calls.map(({ webhook }) => webhook).join(' ')).toBe('10-z 10-a 2-z 2-a B-z B-a b-z b-a');
});

const deny =
  (message: string): Respond =>
  () => ({ allowed: false, status: { message } });

// Source: spec rules VAL-3, VAL-4, VAL-6, FAIL-11
test('validating webhooks are all called; the first to finish with a refusal decides', async () => {
  const later: Respond = () =>
    new Promise(
      (resolve) =>
        void Promise.resolve()
          .then(() => Promise.resolve())
          .then(() => resolve({ allowed: false, status: { message: 'late' } })),
    );
  const names = ['late', 'skipped', 'open', 'early', 'fine'];
  const fields: Readonly<Record<string, JsonObject>> = { skipped: { rules: [] }, open: { failurePolicy: 'Ignore' } };
  const world = admissionWorld({
    validating: [
      webhookConfiguration(
        'ValidatingWebhookConfiguration',
        'v',
        names.map((name) => ({ name, ...fields[name] })),
      ),
    ],
    responses: {
      late: later,
      open: () => httpReply('', 500),
      early: deny('early'),
      fine: () => ({ warnings: ['careful'], auditAnnotations: { key: 'value', 'bad key': 'x', 'a/b': 'x' } }),
    },
  });
  const result = await world.chain.validate(creating(configMap()), noLimits);
  expect(world.calls.map(({ webhook }) => webhook)).toEqual(['late', 'open', 'early', 'fine']);
  expect(result.verdict).toMatchObject({ status: { message: 'admission webhook "early" denied the request: early' } });
  expect(result.warnings).toEqual(['careful']);
  expect(Object.fromEntries(result.annotations.map(({ key, value }) => [key, value]))).toEqual({
    'failed-open.validating.webhook.admission.k8s.io/round_0_index_1': 'open',
    'fine/key': 'value',
  });
});

// Source: spec rules DRY-2 to DRY-5
const dryRuns: readonly [fact: string, sideEffects: JsonObject, outcome: JsonObject][] = [
  ['None is called', { sideEffects: 'None' }, { outcome: 'admitted' }],
  ['NoneOnDryRun is called', { sideEffects: 'NoneOnDryRun' }, { outcome: 'admitted' }],
  [
    'Some refuses, whatever failurePolicy says',
    { sideEffects: 'Some', failurePolicy: 'Ignore' },
    { status: { code: 400, reason: 'BadRequest', message: 'admission webhook "w" does not support dry run' } },
  ],
  ['Some that does not match lets it pass', { sideEffects: 'Some', rules: [] }, { outcome: 'admitted' }],
];

test.each(dryRuns)('a dry run: %s', async (_fact, fields, outcome) => {
  const webhooks = [{ name: 'w', ...fields }];
  const world = admissionWorld({
    mutating: [webhookConfiguration('MutatingWebhookConfiguration', 'm', webhooks)],
    validating: [webhookConfiguration('ValidatingWebhookConfiguration', 'v', webhooks)],
  });
  const request = creating(configMap(), { dryRun: true });
  expect((await world.chain.mutate(request, noLimits)).verdict).toMatchObject(outcome);
  expect((await world.chain.validate(request, noLimits)).verdict).toMatchObject(outcome);
});

// Source: spec rules FAIL-10, FAIL-11, FAIL-21
test('a patch for a deletion is refused even under Ignore', async () => {
  const configuration = webhookConfiguration('MutatingWebhookConfiguration', 'm', [
    { name: 'w', failurePolicy: 'Ignore' },
  ]);
  const world = admissionWorld({ mutating: [configuration], responses: { w: () => ({ patch: [add('a')] }) } });
  const request = creating(configMap(), { operation: 'DELETE', object: null, oldObject: configMap() });
  expect((await world.chain.mutate(request, noLimits)).verdict).toMatchObject({
    status: {
      code: 500,
      message:
        'Internal error occurred: admission webhook "w" attempted to modify the object, which is not supported for this operation',
    },
  });
});

// Source: recorded conversations reinvoke-noop-patch-is-no-change and ssa-webhook-mutations-tracked
const stamped = (time: string): JsonObject => ({
  managedFields: [{ manager: 'm', operation: 'Update', apiVersion: 'v1', time, fieldsType: 'FieldsV1', fieldsV1: {} }],
});

test('the first patch after managedFields were stamped counts as a change even without effect', async () => {
  const world = admissionWorld({
    mutating: [webhookConfiguration('MutatingWebhookConfiguration', 'm', [{ name: 'w' }, { name: 'x' }])],
    responses: {
      w: () => ({ patch: [{ op: 'replace', path: '/data/k', value: 'v' }] }),
      x: () => ({ patch: [{ op: 'replace', path: '/data/k', value: 'v' }] }),
    },
  });
  const object = { ...configMap(), metadata: { ...configMap().metadata, ...stamped('2026-01-01T00:00:00Z') } };
  const create = await world.chain.mutate(creating(object), noLimits);
  expect(mutated(create)).toEqual({ '0_0': true, '0_1': false });
  const update = await world.chain.mutate(creating(object, { operation: 'UPDATE', oldObject: object }), noLimits);
  expect(mutated(update)).toEqual({ '0_0': false, '0_1': false });
});

// Source: spec rule SEL-1
test('no webhook sees the configuration of admission', async () => {
  const configuration = webhookConfiguration('ValidatingWebhookConfiguration', 'v', [{ name: 'w' }]);
  const world = admissionWorld({ validating: [configuration] });
  const result = await world.chain.validate(creating(configuration), noLimits);
  expect(world.calls).toEqual([]);
  expect(result.records).toMatchObject([
    { outcome: { outcome: 'skipped', reason: { because: 'exempt', kind: 'ValidatingWebhookConfiguration' } } },
  ]);
});

// Source: spec rule STA-7; apiserver webhook/generic/webhook.go Dispatch
test('webhooks from files come first, and see the configuration of admission', async () => {
  const fixed = webhookConfiguration('ValidatingWebhookConfiguration', 'z.static.k8s.io', [{ name: 'fixed' }]);
  const configuration = webhookConfiguration('ValidatingWebhookConfiguration', 'a', [{ name: 'stored' }]);
  const staticManifests = { configurations: () => [fixed] };
  const world = admissionWorld({ validating: [configuration], ports: { staticManifests } });
  const seen = await world.chain.validate(creating(configMap()), noLimits);
  expect(seen.records).toMatchObject([{ webhook: 'fixed' }, { webhook: 'stored' }]);
  const exempt = await world.chain.validate(creating(configuration), noLimits);
  expect(world.calls.map(({ webhook }) => webhook)).toEqual(['fixed', 'stored', 'fixed']);
  expect(exempt.records).toMatchObject([
    { webhook: 'fixed', index: 0, outcome: { outcome: 'allowed' } },
    { webhook: 'stored', index: 1, outcome: { outcome: 'skipped', reason: { because: 'exempt' } } },
  ]);
});

// Source: apiserver v1.37.2 webhook/generic/webhook.go isExcludedFromAllHooks, kubernetes pkg/kubeapiserver/admission/exclusion
test.each([
  ['authorization.k8s.io/v1', 'SubjectAccessReview', true],
  ['authentication.k8s.io/v1', 'TokenReview', true],
  ['v1', 'ConfigMap', false],
])('%s %s is hidden from webhooks, also from files: %s', async (apiVersion, kind, isHidden) => {
  const fixed = webhookConfiguration('ValidatingWebhookConfiguration', 'z.static.k8s.io', [{ name: 'fixed' }]);
  const stored = webhookConfiguration('ValidatingWebhookConfiguration', 'a', [{ name: 'stored' }]);
  const review = creating({ apiVersion, kind, metadata: { name: 'x', namespace: '' } });
  const called = async (excludesReviews: boolean) => {
    const ports = { staticManifests: { configurations: () => [fixed] }, excludesReviews };
    const world = admissionWorld({ validating: [stored], ports });
    const { records } = await world.chain.validate(review, noLimits);
    return { calls: world.calls.length, skipped: records.filter(isExempted).length };
  };
  expect(await called(true)).toEqual(isHidden ? { calls: 0, skipped: 2 } : { calls: 2, skipped: 0 });
  expect(await called(false)).toEqual({ calls: 2, skipped: 0 });
});

const isExempted = (record: AdmissionResult['records'][number]): boolean =>
  record.type === 'webhook' && record.outcome.outcome === 'skipped' && record.outcome.reason.because === 'exempt';

// Source: spec rules SEL-33, SEL-37
test('a webhook of another version gets and patches that version, and the request goes on in its own', async () => {
  const v2 = [
    { operations: ['*'], apiGroups: ['autoscaling'], apiVersions: ['v2'], resources: ['horizontalpodautoscalers'] },
  ];
  const world = admissionWorld({
    mutating: [webhookConfiguration('MutatingWebhookConfiguration', 'm', [{ name: 'w', rules: v2 }])],
    responses: { w: () => ({ patch: [{ op: 'replace', path: '/spec/maxReplicas', value: 9 }] }) },
  });
  const object = {
    kind: 'HorizontalPodAutoscaler',
    apiVersion: 'autoscaling/v1',
    metadata: { name: 'h', namespace: 'default' },
    spec: { scaleTargetRef: { kind: 'Deployment', name: 'd' }, maxReplicas: 3, targetCPUUtilizationPercentage: 50 },
  };
  const result = await world.chain.mutate(creating(object), noLimits);
  expect(world.calls[0]?.request).toMatchObject({
    kind: { version: 'v2' },
    requestKind: { version: 'v1' },
    object: { apiVersion: 'autoscaling/v2' },
  });
  expect(result.verdict).toMatchObject({
    object: { apiVersion: 'autoscaling/v1', spec: { maxReplicas: 9, targetCPUUtilizationPercentage: 50 } },
  });
});

// Source: apiserver pkg/admission/metrics: what waits for others is measured by itself.
test('only plugins that call out have recorded times', async () => {
  const world = mutatingWorld([['noop', 'Never']]);
  const result = await world.chain.mutate(creating(configMap({ x: 'true' })), noLimits);
  expect(result.calling?.map(({ plugin, rejected }) => [plugin, rejected])).toEqual([
    ['MutatingAdmissionWebhook', false],
  ]);
});
