import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/machinery/json/json.ts';
import type { ObjectRef, ScenarioStep } from '../../../src/testing/scenario/format.ts';
import {
  configMap,
  configuration,
  failuresOf,
  here,
  manifest,
  play,
  step,
  webhook,
  expectWebhook,
} from '../../harness/scenario.ts';

const ref = (resource: string, name: string, change: Partial<ObjectRef> = {}): ObjectRef => ({
  resource,
  name,
  namespace: '',
  subresource: '',
  ...change,
});

const container = { name: 'app', image: 'registry.k8s.io/pause' };
const pod = (name: string, change: JsonObject = {}): JsonObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, ...change },
  spec: { containers: [container] },
});
const deployment: JsonObject = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web' },
  spec: {
    replicas: 1,
    selector: { matchLabels: { app: 'web' } },
    template: { metadata: { labels: { app: 'web' } }, spec: { containers: [container] } },
  },
};
const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'p' } };
const scaleOf = (replicas: number): JsonObject => ({
  apiVersion: 'autoscaling/v1',
  kind: 'Scale',
  metadata: { name: 'web', namespace: 'default' },
  spec: { replicas },
});
const create = (object: JsonObject): ScenarioStep => step({ type: 'create', object });

/** What each verb does, seen in what can be read afterwards. */
const verbs: readonly [fact: string, steps: readonly ScenarioStep[]][] = [
  [
    'create stores in the namespace default',
    [create(configMap('a')), step({ type: 'get', target: ref('cm', 'a', { namespace: 'default' }) })],
  ],
  [
    'create, update and apply send to the target that a step names',
    [
      create(deployment),
      create(pod('p')),
      step(
        { type: 'update', object: scaleOf(2), target: ref('deployments', 'web', { subresource: 'scale' }) },
        { code: 200, object: { kind: 'Scale', spec: { replicas: 2 } } },
      ),
      step(
        {
          type: 'apply',
          object: scaleOf(3),
          target: ref('deploy', 'web', { subresource: 'scale' }),
          fieldManager: 'test',
          force: true,
        },
        { code: 200, object: { kind: 'Scale', spec: { replicas: 3 } } },
      ),
      step({ type: 'create', object: eviction, target: ref('pods', 'p', { subresource: 'eviction' }) }, { code: 201 }),
    ],
  ],
  [
    'update takes the stored revision',
    [
      create(configMap('a')),
      step(
        { type: 'update', object: configMap('a', { data: { x: '1' } }) },
        { code: 200, object: { data: { x: '1' } } },
      ),
    ],
  ],
  [
    'update with a revision of its own may lose',
    [
      create(configMap('a')),
      step(
        { type: 'update', object: { ...configMap('a'), metadata: { name: 'a', resourceVersion: '1' } } },
        { outcome: 'refused', code: 409, reason: 'Conflict' },
      ),
    ],
  ],
  [
    'apply is of a field manager, and may take by force',
    [
      step(
        { type: 'apply', object: configMap('a', { data: { x: '1' } }), fieldManager: 'one', force: false },
        { code: 201 },
      ),
      step(
        { type: 'apply', object: configMap('a', { data: { x: '2' } }), fieldManager: 'two', force: false },
        { outcome: 'refused', code: 409 },
      ),
      step(
        { type: 'apply', object: configMap('a', { data: { x: '2' } }), fieldManager: 'two', force: true },
        { code: 200 },
      ),
    ],
  ],
  [
    'patches of three kinds',
    [
      create(pod('p')),
      step(
        {
          type: 'patch',
          target: ref('pods', 'p'),
          patchType: 'json',
          patch: [{ op: 'add', path: '/metadata/labels', value: { a: '1' } }],
        },
        { object: { metadata: { labels: { a: '1' } } } },
      ),
      step(
        {
          type: 'patch',
          target: ref('po', 'p'),
          patchType: 'merge',
          patch: { metadata: { labels: { a: null, b: '2' } } },
        },
        { object: { metadata: { labels: { a: null, b: '2' } } } },
      ),
      step(
        {
          type: 'patch',
          target: ref('Pod', 'p'),
          patchType: 'strategic',
          patch: { spec: { containers: [{ name: 'app', image: 'other' }] } },
        },
        { object: { spec: { containers: [{ name: 'app', image: 'other' }] } } },
      ),
    ],
  ],
  [
    'delete with options, then it is gone',
    [
      create(configMap('a')),
      step(
        { type: 'delete', target: ref('cm', 'a'), options: { preconditions: { uid: 'another' } } },
        { outcome: 'refused', code: 409 },
      ),
      step({ type: 'delete', target: ref('cm', 'a'), options: {} }),
      step({ type: 'get', target: ref('cm', 'a') }, { outcome: 'refused', code: 404 }),
    ],
  ],
  [
    'deletecollection by a label',
    [
      create({ ...configMap('a'), metadata: { name: 'a', labels: { go: 'yes' } } }),
      create(configMap('b')),
      step({
        type: 'deletecollection',
        target: { resource: 'cm', namespace: 'default', labelSelector: 'go=yes', fieldSelector: '' },
      }),
      step({ type: 'get', target: ref('cm', 'a') }, { outcome: 'refused', code: 404 }),
      step({ type: 'get', target: ref('cm', 'b') }),
    ],
  ],
  [
    'dry run stores nothing and removes nothing',
    [
      step({ type: 'create', object: configMap('a') }, { code: 201 }, { dryRun: true }),
      step({ type: 'get', target: ref('cm', 'a') }, { outcome: 'refused', code: 404 }),
      create(configMap('a')),
      step({ type: 'delete', target: ref('cm', 'a'), options: {} }, {}, { dryRun: true }),
      step({ type: 'get', target: ref('cm', 'a') }),
    ],
  ],
  [
    'as a user without the permission',
    [step({ type: 'create', object: configMap('a') }, { outcome: 'refused', code: 403 }, { as: { username: 'jane' } })],
  ],
  [
    'subresources: scale, status, eviction, ephemeral containers',
    [
      create(deployment),
      step(
        {
          type: 'update',
          object: { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: { name: 'web' }, spec: { replicas: 3 } },
          subresource: 'deployments/scale',
        },
        { object: { spec: { replicas: 3 } } },
      ),
      step({
        type: 'patch',
        target: ref('deploy', 'web', { subresource: 'scale' }),
        patchType: 'merge',
        patch: { spec: { replicas: 4 } },
      }),
      step(
        { type: 'update', object: { ...deployment, status: { replicas: 4 } }, subresource: 'status' },
        { object: { status: { replicas: 4 } } },
      ),
      create(pod('p')),
      step({
        type: 'patch',
        target: ref('pods', 'p', { subresource: 'ephemeralcontainers' }),
        patchType: 'strategic',
        patch: { spec: { ephemeralContainers: [{ name: 'debug', image: 'busybox' }] } },
      }),
      step({ type: 'create', object: eviction, subresource: 'eviction' }, { code: 201 }),
    ],
  ],
  [
    'wait until it is as wanted, on the world’s clock',
    [
      create(configMap('a', { data: { x: '1' } })),
      step({ type: 'wait', target: ref('cm', 'a'), until: { data: { x: '1' } }, timeoutMs: 1000 }),
      step({ type: 'wait', target: ref('cm', 'none'), until: 'gone', timeoutMs: 1000 }),
      step({ type: 'advance', milliseconds: 60_000 }),
    ],
  ],
];

test.each(verbs)('%s', async (_fact, steps) => {
  const outcome = await play({ steps });
  expect(failuresOf(outcome)).toEqual([]);
  expect(outcome.outcome).toBe('passed');
});

/** What goes wrong before anything can be compared. */
const troubles: readonly [fact: string, steps: readonly ScenarioStep[], said: readonly string[]][] = [
  [
    'a kind that is not served',
    [create({ apiVersion: 'v1', kind: 'Pdo', metadata: { name: 'a' } })],
    ['create: no matches for kind "Pdo" in version "v1"'],
  ],
  [
    'a resource that is not served',
    [step({ type: 'get', target: ref('pdos', 'a') })],
    ['get: the server doesn\'t have a resource type "pdos"'],
  ],
  [
    'a Scale of an unknown resource',
    [
      step({
        type: 'update',
        object: { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: { name: 'web' } },
        subresource: 'scale',
      }),
    ],
    ['update: the resource of a Scale is unknown; write subresource: deployments/scale'],
  ],
  [
    'a webhook to configure that there is none of',
    [step({ type: 'configure', webhook: 'a.exmaple.com', change: {} })],
    ['configure: a.exmaple.com is no webhook of this scenario; did you mean "a.example.com"?'],
  ],
  [
    'waiting for what does not come',
    [
      create(configMap('a', { data: { x: '1' } })),
      step({ type: 'wait', target: ref('cm', 'a'), until: { data: { x: '2' } }, timeoutMs: 5000 }),
    ],
    ['wait: cm a is not as wanted after 5000 ms: data.x was expected to be "2", and is "1"'],
  ],
  [
    'waiting for the end of an object that was not deleted',
    [create(configMap('a')), step({ type: 'wait', target: ref('cm', 'a'), until: 'gone', timeoutMs: 5000 })],
    ['wait: cm a is not gone after 5000 ms: it is still there, and it has no deletionTimestamp'],
  ],
  [
    'waiting for the end of what is held',
    [
      create({ ...configMap('a'), metadata: { name: 'a', finalizers: ['example.com/hold'] } }),
      step({ type: 'delete', target: ref('cm', 'a'), options: {} }),
      step({ type: 'wait', target: ref('cm', 'a'), until: 'gone', timeoutMs: 5000 }),
    ],
    ['wait: cm a is not gone after 5000 ms: it is still there, being deleted and held by example.com/hold'],
  ],
];

const webhooks = [webhook('a.example.com')];

test.each(troubles)('%s', async (_fact, steps, said) => {
  const outcome = await play({ steps, webhooks });
  expect(failuresOf(outcome)).toEqual(said);
  expect(outcome.outcome).toBe('failed');
});

test('after a step that failed the rest is not run', async () => {
  const { steps } = await play({ steps: [create(configMap('')), create(configMap('b'))] });
  expect(steps.map(({ outcome }) => outcome)).toEqual(['failed', 'not-run']);
});

test('a step for a server elsewhere is left out, and says so', async () => {
  const { steps, outcome } = await play({
    steps: [step({ type: 'create', object: configMap('a') }, {}, { only: ['target'] })],
  });
  expect(outcome).toBe('passed');
  expect(steps).toMatchObject([{ outcome: 'left-out', leftOut: ['the step is for target only'] }]);
});

test('a webhook does something else once it is configured to', async () => {
  const outcome = await play({
    load: [manifest(configuration('Validating', 'gate', [{ name: 'a.example.com' }]))],
    webhooks,
    steps: [
      create(configMap('a')),
      step({ type: 'configure', webhook: 'a.example.com', change: { does: [{ type: 'deny', message: 'not now' }] } }),
      step({ type: 'create', object: configMap('b') }, { outcome: 'refused', deniedBy: 'a.example.com' }),
    ],
  });
  expect(failuresOf(outcome)).toEqual([]);
});

test('who was not considered because of an earlier refusal', async () => {
  const outcome = await play({
    load: [
      manifest(configuration('Mutating', 'm', [{ name: 'a.example.com' }])),
      manifest(configuration('Validating', 'gate', [{ name: 'gate.example.com' }])),
    ],
    webhooks: [webhook('a.example.com', { does: [{ type: 'deny' }] })],
    steps: [
      step(
        { type: 'create', object: configMap('b') },
        { outcome: 'refused', webhooks: [expectWebhook('gate.example.com', { outcome: 'called' })] },
      ),
    ],
  });
  expect(failuresOf(outcome)).toEqual([
    'webhooks[0]: gate.example.com was expected to be called, and was not considered: a.example.com refused the request first',
  ]);
});

test('namespaces are stored first and configurations last, whatever their order in the files', async () => {
  const outcome = await play({
    load: [
      manifest(configuration('Validating', 'gate', [{ name: 'a.example.com' }])),
      manifest({ ...pod('p', { namespace: 'shop' }), metadata: { name: 'p', namespace: 'shop' } }),
      manifest({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } }),
      manifest({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'default', labels: { mine: 'yes' } } }),
      manifest({ ...configMap('a'), metadata: { name: 'a', namespace: 'shop' } }),
    ],
    webhooks: [webhook('a.example.com', { does: [{ type: 'deny' }] })],
    steps: [
      step({ type: 'get', target: ref('po', 'p', { namespace: 'shop' }) }),
      step({ type: 'get', target: ref('ns', 'default') }, { object: { metadata: { labels: { mine: 'yes' } } } }),
    ],
  });
  expect(failuresOf(outcome)).toEqual([]);
  expect(outcome.outcome).toBe('passed');
});

/** What cannot be run at all. */
const broken: readonly [fact: string, object: JsonObject, message: string][] = [
  [
    'a kind that is not served',
    { apiVersion: 'v1', kind: 'Pdo', metadata: { name: 'a' } },
    'Pdo a cannot be stored: no matches for kind "Pdo" in version "v1"',
  ],
  [
    'a manifest that is refused',
    { ...configMap('a'), metadata: { name: 'a', namespace: 'nowhere' } },
    'ConfigMap a is refused with 404 NotFound: namespaces "nowhere" not found',
  ],
];

test.each(broken)('a scenario is broken by %s', async (_fact, object, message) => {
  const place = { ...here, line: 7 };
  const outcome = await play({ load: [{ object, place }], steps: [create(configMap('a'))] });
  expect(outcome).toMatchObject({ outcome: 'broken', problem: { message, place }, steps: [] });
});

test('a scenario with an unknown controller is broken', async () => {
  const outcome = await play({ controllers: ['nonsense'] });
  expect(outcome.outcome).toBe('broken');
  expect(outcome.problem?.message).toContain('nonsense');
});

test('a golden file is compared, is written with --update and then holds', async () => {
  const files = new Map<string, string>();
  const write = (path: string, text: string): void => void files.set(path, text);
  const read = (path: string): string | undefined => files.get(path);
  const steps = [step({ type: 'create', object: pod('p') }, { golden: 'p.golden.yaml' })];
  expect(failuresOf(await play({ steps }, { goldens: { read, write } }))).toEqual([]);
  expect(files.get('p.golden.yaml')).toContain('uid: <uid-1>\n');
  expect(files.get('p.golden.yaml')).toContain('creationTimestamp: <time>\n');
  expect(files.get('p.golden.yaml')).toContain('name: kube-api-access-<random>\n');
  expect(failuresOf(await play({ steps, seed: 2 }, { goldens: { read, write: undefined } }))).toEqual([]);
  files.set('p.golden.yaml', 'other: true\n');
  expect(failuresOf(await play({ steps }, { goldens: { read, write: undefined } }))).toEqual([
    'golden p.golden.yaml: the object is not the one in the file; kadmit test --update takes it over',
  ]);
});
