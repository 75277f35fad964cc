import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { asString, type JsonObject, valueAt, withValue } from '../../../src/machinery/json/json.ts';
import { converterName } from '../../../src/testing/stubs/answer-conversion.ts';
import { converted, definitions, widget, widgets } from '../../apiserver/custom-resources/widgets.ts';
import type { FaultKind, WebhookSpec } from '../../../src/testing/stubs/webhook-spec.ts';
import type { WorldRequest } from '../../../src/testing/scenario/world.ts';
import { configMap, configuration, webhook } from '../../harness/scenario.ts';
import { runRecording, recordWorld, type RecordedWorld } from '../../harness/recorded-world.ts';

const admissionregistration = '/apis/admissionregistration.k8s.io/v1';
const maps = '/api/v1/namespaces/default/configmaps';

const configure = async (
  { send }: RecordedWorld,
  kind: 'Mutating' | 'Validating',
  name: string,
  ...webhooks: readonly JsonObject[]
): Promise<void> => {
  const path = `${admissionregistration}/${kind.toLowerCase()}webhookconfigurations`;
  const { code, body } = await send({ method: 'POST', path, body: configuration(kind, name, webhooks) });
  if (code !== 201) throw new Error(JSON.stringify(body));
};

interface Story {
  readonly does: string;
  readonly webhooks?: readonly WebhookSpec[];
  /** What is there before. */
  readonly before?: (world: RecordedWorld) => Promise<void>;
  readonly act: (world: RecordedWorld) => Promise<unknown>;
  /** What the scenario says of it. */
  readonly says: JsonObject;
}

const post = (body: JsonObject, change: Partial<WorldRequest> = {}): WorldRequest => ({
  method: 'POST',
  path: maps,
  body,
  ...change,
});
const pods = '/api/v1/namespaces/default/pods';
const named = (name: string): string => `${maps}/${name}`;
const patch = (name: string, body: JsonObject, type = 'merge-patch'): WorldRequest => ({
  method: 'PATCH',
  path: named(name),
  body,
  contentType: `application/${type}+json`,
});
const all = { operations: ['*'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] };
const onBad = (review: JsonObject): JsonObject | undefined =>
  valueAt(review, 'request', 'name') === 'bad'
    ? { allowed: false, status: { message: 'it is bad', code: 418 } }
    : undefined;

const stories: readonly Story[] = [
  {
    does: 'admitted with a patch',
    webhooks: [webhook('labels.example.com', { does: [{ type: 'label', labels: { team: 'a' } }] })],
    before: (world) => configure(world, 'Mutating', 'labels', { name: 'labels.example.com' }),
    act: ({ send }) => send(post(configMap('a'))),
    says: {
      load: ['configurations.yaml'],
      webhooks: [
        {
          name: 'labels.example.com',
          does: { patch: [{ op: 'add', path: '/metadata/labels', value: { team: 'a' } }] },
        },
      ],
      steps: [
        {
          create: configMap('a'),
          expect: {
            order: ['labels.example.com'],
            webhooks: {
              'labels.example.com': { patch: [{ op: 'add', path: '/metadata/labels', value: { team: 'a' } }] },
            },
          },
        },
      ],
    },
  },
  {
    does: 'denied, with warnings',
    webhooks: [
      webhook('no.example.com', {
        does: [
          { type: 'warn', warnings: ['think again'] },
          { type: 'deny', message: 'not today', code: 409, reason: 'Conflict' },
        ],
      }),
    ],
    before: (world) => configure(world, 'Validating', 'no', { name: 'no.example.com' }),
    act: ({ send }) => send(post(configMap('a'))),
    says: {
      webhooks: [
        {
          name: 'no.example.com',
          does: { warn: 'think again', deny: { message: 'not today', code: 409, reason: 'Conflict' } },
        },
      ],
      steps: [
        {
          create: configMap('a'),
          expect: {
            deniedBy: 'no.example.com',
            code: 409,
            message: 'admission webhook "no.example.com" denied the request: not today',
            order: ['no.example.com'],
            warnings: 'think again',
          },
        },
      ],
    },
  },
  {
    does: 'fails open by a timeout, answers, and is refused',
    webhooks: [webhook('slow.example.com', { faults: [{ what: { type: 'hang' } }] })],
    before: (world) =>
      configure(world, 'Validating', 'slow', { name: 'slow.example.com', failurePolicy: 'Ignore', timeoutSeconds: 2 }),
    act: async ({ send, stubRegistry }) => {
      await send(post(configMap('a')));
      stubRegistry.configure('slow.example.com', { faults: [] });
      await send(post(configMap('b')));
      stubRegistry.configure('slow.example.com', { faults: [{ what: { type: 'status', code: 503 } }] });
      await send(post(configMap('c')));
    },
    says: {
      webhooks: [{ name: 'slow.example.com', faults: 'hang' }],
      steps: [
        {
          create: configMap('a'),
          expect: { webhooks: { 'slow.example.com': { outcome: 'failed-open', phase: 'timeout' } } },
        },
        { configure: 'slow.example.com', faults: [] },
        { create: configMap('b'), expect: { order: ['slow.example.com'] } },
        { configure: 'slow.example.com', faults: { status: 503 } },
        {
          create: configMap('c'),
          expect: { webhooks: { 'slow.example.com': { outcome: 'failed-open', phase: 'decode' } } },
        },
      ],
    },
  },
  {
    does: 'failed closed by a refused connection',
    webhooks: [webhook('gone.example.com', { faults: [{ what: { type: 'refuse' } }] })],
    before: (world) => configure(world, 'Mutating', 'gone', { name: 'gone.example.com' }),
    act: ({ send }) => send(post(configMap('a'))),
    says: {
      webhooks: [{ name: 'gone.example.com', faults: 'refuse' }],
      steps: [
        { expect: { code: 500, webhooks: { 'gone.example.com': { outcome: 'failed-closed', phase: 'connect' } } } },
      ],
    },
  },
  {
    does: 'reinvoked',
    webhooks: [
      webhook('first.example.com', { does: [{ type: 'annotate', annotations: { seen: 'first' } }] }),
      webhook('second.example.com', { does: [{ type: 'annotate', annotations: { seen: 'second' } }] }),
    ],
    before: async (world) => {
      await configure(world, 'Mutating', 'a', { name: 'first.example.com', reinvocationPolicy: 'IfNeeded' });
      await configure(world, 'Mutating', 'b', { name: 'second.example.com' });
    },
    act: ({ send }) => send(post(configMap('a'))),
    says: { steps: [{ expect: { order: ['first.example.com', 'second.example.com', 'first.example.com'] } }] },
  },
  {
    does: 'an existing object is updated and deleted',
    webhooks: [webhook('all.example.com')],
    before: async (world) => {
      await world.send(post(configMap('a', { data: { x: '1' } })));
      await configure(world, 'Validating', 'all', { name: 'all.example.com', rules: [all] });
    },
    act: async ({ send }) => {
      await send({ method: 'PUT', path: named('a'), body: configMap('a', { data: { x: '2' } }) });
      await send(patch('a', { data: { x: '3' } }));
      await send({ method: 'DELETE', path: named('a') });
      await send(patch('a', { data: { x: '4' } }));
    },
    says: {
      load: ['objects.yaml', 'configurations.yaml'],
      steps: [
        { update: configMap('a', { data: { x: '2' } }) },
        { patch: 'configmap/a', merge: { data: { x: '3' } } },
        { delete: 'configmap/a', expect: { order: ['all.example.com'] } },
        {
          patch: 'configmap/a',
          expect: { code: 404, reason: 'NotFound', message: 'configmaps "a" not found' },
        },
      ],
    },
  },
  {
    does: 'a Pod is deleted: marked, then removed, and its webhook asked of both',
    webhooks: [webhook('all.example.com')],
    before: async (world) => {
      const rules = [{ operations: ['DELETE'], apiGroups: [''], apiVersions: ['v1'], resources: ['pods'] }];
      await configure(world, 'Validating', 'all', { name: 'all.example.com', rules });
      await world.send({
        method: 'POST',
        path: pods,
        body: { metadata: { name: 'web' }, spec: { containers: [{ name: 'c', image: 'i' }] } },
      });
    },
    act: ({ send }) => send({ method: 'DELETE', path: `${pods}/web` }),
    says: {
      steps: [{ delete: 'pod/web', expect: { order: ['all.example.com', 'all.example.com'] } }],
    },
  },
  {
    does: 'a collection is deleted',
    webhooks: [webhook('all.example.com')],
    before: async (world) => {
      await world.send(post(configMap('a', { metadata: { name: 'a', labels: { x: 'y' } } })));
      await world.send(post(configMap('b', { metadata: { name: 'b', labels: { x: 'y' } } })));
      await configure(world, 'Validating', 'all', { name: 'all.example.com', rules: [all] });
    },
    act: ({ send }) => send({ method: 'DELETE', path: maps, query: { labelSelector: 'x=y' } }),
    says: {
      steps: [
        {
          deletecollection: 'configmaps',
          labelSelector: 'x=y',
          expect: { order: ['all.example.com', 'all.example.com'] },
        },
      ],
    },
  },
  {
    does: 'a dry run by another user',
    webhooks: [webhook('all.example.com')],
    before: (world) => configure(world, 'Validating', 'all', { name: 'all.example.com', rules: [all] }),
    act: async ({ send }) => {
      const alice = { username: 'alice', groups: ['devs', 'system:authenticated'] };
      await send(post(configMap('a'), { query: { dryRun: 'All' }, as: alice }));
      await send(
        post(configMap('a'), {
          as: {
            username: 'system:serviceaccount:default:builder',
            groups: ['system:serviceaccounts', 'system:serviceaccounts:default', 'system:authenticated'],
          },
        }),
      );
    },
    says: {
      users: { alice: { groups: ['devs'] } },
      steps: [{ create: configMap('a'), as: 'alice', dryRun: true }, { as: 'system:serviceaccount:default:builder' }],
    },
  },
  {
    does: 'generated names, one of them spoken of later',
    webhooks: [webhook('bad.example.com', { does: [{ type: 'script', run: onBad }] })],
    before: (world) => configure(world, 'Validating', 'bad', { name: 'bad.example.com' }),
    act: async ({ send }) => {
      await send(post(configMap('', { metadata: { generateName: 'run-' } })));
      const { body } = await send(post(configMap('', { metadata: { generateName: 'kept-' } })));
      await send({ method: 'DELETE', path: named(asString(valueAt(body, 'metadata', 'name'))) });
    },
    says: {
      steps: [
        { create: { metadata: { generateName: 'run-' } } },
        { create: { metadata: { generateName: 'kept-', name: expect.stringMatching(/^kept-/) } } },
        { delete: expect.stringMatching(/^configmap\/kept-/) },
      ],
    },
  },
  {
    does: 'a webhook that answers differently, call by call',
    webhooks: [webhook('bad.example.com', { does: [{ type: 'script', run: onBad }] })],
    before: (world) => configure(world, 'Validating', 'bad', { name: 'bad.example.com' }),
    act: async ({ send, stubRegistry }) => {
      await send(post(configMap('good')));
      await send(post(configMap('bad')));
      stubRegistry.configure('bad.example.com', { does: [] });
      await send(post(configMap('bad')));
    },
    says: {
      webhooks: [{ name: 'bad.example.com', does: { script: 'bad.example.com.js' } }],
      steps: [{}, { expect: { deniedBy: 'bad.example.com', code: 418 } }, { expect: { order: ['bad.example.com'] } }],
    },
  },
  {
    does: 'two configurations with one name for their webhooks, and a call among others that fails',
    webhooks: [
      webhook('w.example.com', {
        configuration: 'a',
        does: [{ type: 'annotate', annotations: { a: '1' } }],
        faults: [{ what: { type: 'dns' }, calls: [2] }],
      }),
      webhook('w.example.com', { configuration: 'b', does: [{ type: 'annotate', annotations: { b: '1' } }] }),
    ],
    before: async (world) => {
      await configure(world, 'Mutating', 'a', {
        name: 'w.example.com',
        reinvocationPolicy: 'IfNeeded',
        failurePolicy: 'Ignore',
      });
      await configure(world, 'Mutating', 'b', { name: 'w.example.com' });
    },
    act: ({ send }) => send(post(configMap('a'))),
    says: {
      webhooks: [
        { name: 'w.example.com', configuration: 'a' },
        { name: 'w.example.com', configuration: 'b' },
      ],
      steps: [
        { configure: 'a/w.example.com', faults: { dns: 'fail', calls: [2] } },
        {
          expect: {
            webhooks: [{ name: 'w.example.com', configuration: 'a', outcome: 'failed-open', phase: 'resolve' }, {}],
          },
        },
      ],
    },
  },
  {
    does: 'namespaces, applies, and the configuration itself, all made meanwhile',
    webhooks: [webhook('late.example.com', { does: [{ type: 'deny', message: 'no' }] })],
    act: async (world) => {
      const { send } = world;
      await send({
        method: 'POST',
        path: '/api/v1/namespaces',
        body: { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } },
      });
      const path = '/api/v1/namespaces/shop/configmaps/a';
      const apply = {
        method: 'PATCH',
        path,
        query: { fieldManager: 'me' },
        contentType: 'application/apply-patch+yaml',
      } as const;
      await send({ ...apply, body: configMap('a', { data: { x: '1' } }) });
      await configure(world, 'Validating', 'late', {
        name: 'late.example.com',
        namespaceSelector: { matchExpressions: [{ key: 'free', operator: 'DoesNotExist' }] },
      });
      await send({ ...apply, body: configMap('a', { data: { x: '2' } }) });
      await send({
        method: 'PATCH',
        path: '/api/v1/namespaces/shop',
        body: { metadata: { labels: { free: 'yes' } } },
        contentType: 'application/merge-patch+json',
      });
      await send({ ...apply, body: configMap('a', { data: { x: '2' } }) });
    },
    says: {
      steps: [
        { create: { kind: 'Namespace' } },
        { apply: { metadata: { name: 'a', namespace: 'shop' } }, fieldManager: 'me' },
        {},
        { expect: { deniedBy: 'late.example.com', code: 400 } },
        { patch: 'namespace/shop' },
        { expect: { order: [], webhooks: { 'late.example.com': { skipped: 'namespaceSelector' } } } },
      ],
    },
  },
  ...['reset', 'wrong-uid', 'wrong-version', 'bad-patch', 'tls-expired', 'tls-wrong-name', 'tls-unknown-ca'].map(
    (type): Story => ({
      does: `fails open by ${type}`,
      webhooks: [webhook('w.example.com', { faults: [{ what: { type } as FaultKind }] })],
      before: (world) => configure(world, 'Mutating', 'w', { name: 'w.example.com', failurePolicy: 'Ignore' }),
      act: ({ send }) => send(post(configMap('a'))),
      says:
        type === 'bad-patch'
          ? {}
          : { steps: [{ expect: { webhooks: { 'w.example.com': { outcome: 'failed-open' } } } }] },
    }),
  ),
  {
    does: 'fails closed by a patch that does not apply',
    webhooks: [webhook('w.example.com', { faults: [{ what: { type: 'bad-patch' } }] })],
    before: (world) => configure(world, 'Mutating', 'w', { name: 'w.example.com' }),
    act: ({ send }) => send(post(configMap('a'))),
    says: { steps: [{ expect: { webhooks: { 'w.example.com': { outcome: 'failed-closed', phase: 'patch' } } } }] },
  },
  {
    does: 'a client connects, and a Pod is replaced',
    webhooks: [webhook('no.example.com', { does: [{ type: 'deny', message: 'no shells' }] })],
    before: async (world) => {
      const spec = { containers: [{ name: 'web', image: 'nginx:1' }] };
      await world.send({
        method: 'POST',
        path: pods,
        body: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web' }, spec },
      });
      const rules = [{ operations: ['CONNECT'], apiGroups: [''], apiVersions: ['v1'], resources: ['pods/exec'] }];
      await configure(world, 'Validating', 'no', { name: 'no.example.com', rules });
    },
    act: async ({ send }) => {
      await send({ method: 'POST', path: `${pods}/web/exec`, query: { command: ['ls', '-l'], stdout: 'true' } });
      const { body } = await send({ method: 'GET', path: `${pods}/web` });
      const changed = withValue(body, ['metadata', 'labels'], { x: 'y' });
      await send({ method: 'PUT', path: `${pods}/web`, body: changed });
    },
    says: {
      load: ['objects.yaml', 'configurations.yaml'],
      steps: [
        {
          connect: 'pod/web/exec',
          query: { command: ['ls', '-l'], stdout: 'true' },
          expect: { deniedBy: 'no.example.com' },
        },
        { patch: 'pod/web', json: [{ op: 'add', path: '/metadata/labels', value: { x: 'y' } }] },
      ],
    },
  },
];

test('what Secrets hold is masked by something a server takes', async () => {
  const does = [{ type: 'patch', operations: [{ op: 'add', path: '/data/more', value: btoa('hunter3') }] }] as const;
  const act = async (world: RecordedWorld): Promise<void> => {
    await configure(world, 'Mutating', 'w', {
      name: 'w.example.com',
      rules: [{ operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['secrets'] }],
    });
    world.begin();
    const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 's' }, data: { password: btoa('hunter2') } };
    await world.send({ method: 'POST', path: '/api/v1/namespaces/default/secrets', body: secret });
  };
  const masked = await recordWorld([webhook('w.example.com', { does })], act);
  expect([...masked.files.values()].join('\n')).not.toMatch(/hunter|aHVudGVy/);
  expect(masked.notes).toEqual(['values of Secrets are masked; --show-secrets writes them']);
  expect(await runRecording(masked)).toBe('passed');
  const revealed = await recordWorld([webhook('w.example.com', { does })], act, { reveal: true });
  expect(revealed.files.get('scenario.yaml')).toContain(btoa('hunter2'));
  expect(await runRecording(revealed)).toBe('passed');
});

test.each(stories)('$does: recorded, it passes and says so', async ({ webhooks = [], before, act, says }) => {
  const scenario = await recordWorld(webhooks, async (world) => {
    await before?.(world);
    world.begin();
    await act(world);
  });
  expect(await runRecording(scenario)).toBe('passed');
  expect(parse(scenario.files.get('scenario.yaml') ?? '')).toMatchObject(says);
});

test('a custom resource comes with its definition, and a stub for its converter', async () => {
  const converter = webhook(converterName('widgets.example.com'), { does: [] });
  const scenario = await recordWorld([converter], async (world) => {
    await world.send({ method: 'POST', path: definitions, body: converted() });
    world.begin();
    await world.send({ method: 'POST', path: widgets, body: widget('stored') });
    const other = { ...widget('other'), apiVersion: 'example.com/v2' };
    await world.send({ method: 'POST', path: widgets.replace('v1', 'v2'), body: other });
  });
  expect(await runRecording(scenario)).toBe('passed');
  expect(parse(scenario.files.get('scenario.yaml') ?? '')).toMatchObject({
    crds: 'crds.yaml',
    converters: [{ definition: 'widgets.example.com' }],
    steps: [{ create: { kind: 'Widget' } }, { create: { apiVersion: 'example.com/v2' } }],
  });
  expect(parse(scenario.files.get('crds.yaml') ?? '')).toMatchObject({ metadata: { name: 'widgets.example.com' } });
  expect(scenario.notes).toEqual([expect.stringContaining('the stub converter of widgets.example.com changes')]);
});

test('a definition that is made in the recording is a step, and no converter is needed where none was asked', async () => {
  const scenario = await recordWorld([], async (world) => {
    world.begin();
    await world.send({ method: 'POST', path: definitions, body: converted() });
    await world.send({ method: 'POST', path: widgets, body: widget('stored') });
  });
  expect(await runRecording(scenario)).toBe('passed');
  const { crds, converters, steps } = parse(scenario.files.get('scenario.yaml') ?? '');
  expect({ crds, converters, steps: steps.length }).toEqual({ crds: undefined, converters: undefined, steps: 2 });
});

test('a configuration and an object that are deleted are there before', async () => {
  const scenario = await recordWorld([webhook('all.example.com')], async (world) => {
    await world.send(post(configMap('a')));
    await configure(world, 'Validating', 'all', { name: 'all.example.com', rules: [all] });
    world.begin();
    await world.send({ method: 'DELETE', path: named('a') });
    await world.send({ method: 'DELETE', path: `${admissionregistration}/validatingwebhookconfigurations/all` });
    await world.send(post(configMap('a')));
  });
  expect(await runRecording(scenario)).toBe('passed');
  expect(parse(scenario.files.get('scenario.yaml') ?? '')).toMatchObject({
    load: ['objects.yaml', 'configurations.yaml'],
    steps: [{ expect: { order: ['all.example.com'] } }, { delete: expect.stringMatching(/\/all$/) }, {}],
  });
});
