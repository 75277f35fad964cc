import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { createWorld, type World, type WorldOptions } from '../../../src/library.ts';
import { definitionOf, schemaOf } from '../../harness/custom-definition.ts';

const open: World[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((world) => world.close()));
});

async function world(options?: WorldOptions): Promise<World> {
  const made = await createWorld(options);
  open.push(made);
  return made;
}

const pod = (name: string, more: object = {}) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, ...more },
  spec: { containers: [{ name: 'c', image: 'i' }] },
});

const configMap = (name: string, data: Record<string, string> = {}) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name },
  data,
});

const onPods = { rules: [{ operations: ['CREATE'], resources: ['pods'] }] } as const;
const onConfigMaps = { rules: [{ operations: ['CREATE', 'UPDATE'], resources: ['configmaps'] }] } as const;

test('objects are created, read, listed, changed, applied, patched and deleted', async () => {
  const { client } = await world();
  const made = await client.create(configMap('a', { k: 'v' }));
  expect(made).toMatchObject({ metadata: { name: 'a', namespace: 'default' }, data: { k: 'v' } });
  expect(await client.update({ ...made, data: { k: 'w' } })).toMatchObject({ data: { k: 'w' } });
  expect(await client.patch('cm', { name: 'a' }, { data: { l: 'x' } })).toMatchObject({ data: { k: 'w', l: 'x' } });
  const operations = [{ op: 'remove', path: '/data/l' }];
  expect((await client.patch('configmaps', { name: 'a' }, operations))['data']).toEqual({ k: 'w' });
  expect(await client.apply(configMap('a', { m: 'y' }))).toMatchObject({ data: { k: 'w', m: 'y' } });
  expect((await client.list('cm', { fieldSelector: 'metadata.name=a' })).length).toBe(1);
  await client.delete('cm', { name: 'a' });
  expect(await client.find('cm', { name: 'a' })).toBeUndefined();
});

test('objects of a client are copies: changing one does not change the world', async () => {
  const { client } = await world();
  const made = await client.create(configMap('a', { k: 'v' }));
  Object.assign(made, { data: { k: 'spoilt' } });
  Object.assign(made.metadata, { labels: { spoilt: 'yes' } });
  expect(await client.get('cm', { name: 'a' })).toMatchObject({ data: { k: 'v' } });
});

test('a refusal is an ApiError with the fields of the Status and the trace', async () => {
  const { client } = await world();
  const invalid = { ...pod('a'), spec: { containers: [] } };
  await expect(client.create(invalid)).rejects.toMatchObject({
    name: 'ApiError',
    code: 422,
    reason: 'Invalid',
    message: 'Pod "a" is invalid: spec.containers: Required value',
    causes: [{ field: 'spec.containers', reason: 'FieldValueRequired' }],
    trace: { verdict: 'refused', called: [] },
  });
  await expect(client.get('pods', { name: 'b' })).rejects.toMatchObject({ code: 404, trace: undefined });
});

test('a request that is refused is an answer like any other', async () => {
  const { client } = await world();
  const answer = await client.request({ method: 'GET', path: '/api/v1/namespaces/nowhere' });
  expect(answer).toMatchObject({ code: 404, body: { reason: 'NotFound' } });
});

test('a client of another user', async () => {
  const { client, traces } = await world();
  await expect(client.as('jane').list('secrets')).rejects.toMatchObject({ code: 403 });
  await client.as({ username: 'joe', groups: ['system:masters'] }).create(configMap('a'));
  expect(traces.last().request.user).toMatchObject({
    username: 'joe',
    groups: ['system:masters', 'system:authenticated'],
  });
});

test('unknown kinds and objects without a kind or a name are named', async () => {
  const { client } = await world();
  await expect(client.get('pots', { name: 'a' })).rejects.toThrow('the server has no resource "pots"');
  await expect(client.create({ apiVersion: 'v2', kind: 'Pod' })).rejects.toThrow('the server has no kind Pod in v2');
  await expect(client.create({ kind: 'Pod' })).rejects.toThrow('an object needs apiVersion and kind');
  await expect(client.update({ apiVersion: 'v1', kind: 'Pod' })).rejects.toThrow('this Pod needs metadata.name');
});

test('a function answers for a webhook: it allows, denies, changes and warns', async () => {
  const { client, webhook, traces } = await world();
  const hook = await webhook('images.example.com', { type: 'mutating', ...onPods }, ({ request }) => {
    if (request.object?.metadata.name === 'bad')
      return { allowed: false, status: { message: 'no bad pods', code: 400 } };
    return { patch: [{ op: 'add', path: '/metadata/labels', value: { seen: 'yes' } }], warnings: ['careful'] };
  });
  expect(await client.create(pod('good'))).toMatchObject({ metadata: { labels: { seen: 'yes' } } });
  expect(traces.last()).toMatchObject({ called: ['images.example.com'], response: { warnings: ['careful'] } });
  await expect(client.create(pod('bad'))).rejects.toMatchObject({
    code: 400,
    message: 'admission webhook "images.example.com" denied the request: no bad pods',
  });
  expect(hook.calls().map(({ request }) => `${request.operation} ${request.name}`)).toEqual([
    'CREATE good',
    'CREATE bad',
  ]);
});

test('a function may take its time, and may fail', async () => {
  const { client, webhook } = await world();
  let answers = 0;
  await webhook('slow.example.com', { type: 'validating', ...onPods }, async () => {
    await new Promise((resolve) => setTimeout(resolve, 5));
    answers += 1;
  });
  await client.create(pod('a'));
  expect(answers).toBe(1);
  const broken = await webhook('broken.example.com', { type: 'validating', ...onPods }, () => {
    throw new Error('out of order');
  });
  await expect(client.create(pod('b'))).rejects.toMatchObject({
    code: 500,
    message: expect.stringContaining('out of order'),
  });
  expect(broken.errors()).toEqual([new Error('out of order')]);
});

test('a configuration that is not valid is refused as the server refuses it', async () => {
  const { webhook } = await world();
  await expect(webhook('short', { type: 'mutating', ...onPods }, () => {})).rejects.toMatchObject({
    code: 422,
    message: expect.stringContaining('webhooks[0].name: Invalid value: "short"'),
  });
});

test('invalid arguments without types are named', async () => {
  const { webhook, answer } = await world();
  const wrong = (value: unknown) => value as never;
  const hook = await webhook('a.example.com', { type: 'mutating', ...onPods }, () => {});
  await expect(webhook('b.example.com', wrong({ type: 'mutating' }), () => {})).rejects.toThrow(
    "webhook b.example.com: rules must be a list such as [{ operations: ['CREATE'], resources: ['pods'] }]",
  );
  await expect(webhook('b.example.com', wrong({ ...onPods }), () => {})).rejects.toThrow("type must be 'mutating'");
  expect(() => answer('a.example.com', wrong('yes'))).toThrow(
    'webhook a.example.com: the third argument must be a function',
  );
  expect(() => answer('b.example.com', () => ({}))).toThrow(
    'no webhook configuration here has a webhook "b.example.com"; did you mean "a.example.com"?',
  );
  expect(() => answer('a.example.com', () => ({}), { configuration: 'other' })).toThrow(
    'other has no webhook "a.example.com"; store its configuration first',
  );
  expect(() => hook.setFaults([{ what: wrong({ type: 'hangs' }) }])).toThrow(
    '{"what":{"type":"hangs"}} is not a fault',
  );
});

test('webhooks of one configuration are called in the order of registration, until they are removed', async () => {
  const { client, webhook, traces } = await world();
  const common = { type: 'mutating', configuration: 'all', ...onConfigMaps } as const;
  const [b] = [await webhook('b.example.com', common, () => {}), await webhook('a.example.com', common, () => {})];
  await client.create(configMap('one'));
  expect(traces.last().called).toEqual(['b.example.com', 'a.example.com']);
  await b.remove();
  await client.create(configMap('two'));
  expect(traces.last().called).toEqual(['a.example.com']);
});

test('removing the last webhook deletes its configuration', async () => {
  const { client, webhook } = await world();
  const hook = await webhook('a.example.com', { type: 'validating', ...onConfigMaps }, () => {});
  await hook.remove();
  expect(await client.list('validatingwebhookconfigurations')).toEqual([]);
});

test('a function answers for a webhook of a loaded configuration', async () => {
  const { client, answer, load, traces } = await world();
  await load({
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingWebhookConfiguration',
    metadata: { name: 'published' },
    webhooks: [
      {
        name: 'quota.example.com',
        clientConfig: { service: { namespace: 'quota', name: 'webhook' } },
        rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] }],
        sideEffects: 'None',
        admissionReviewVersions: ['v1'],
      },
    ],
  } as const);
  answer('quota.example.com', () => ({ allowed: false, status: { message: 'the quota is used up' } }));
  await expect(client.create(pod('a'))).rejects.toThrow('the quota is used up');
  expect(traces.last().webhooks).toMatchObject([{ configuration: 'published', outcome: 'denied' }]);
});

test('faults take the time of the world, not of the test', async () => {
  const { client, webhook, now, traces } = await world();
  const hook = await webhook(
    'late.example.com',
    {
      type: 'validating',
      ...onPods,
      timeoutSeconds: 30,
      failurePolicy: 'Ignore',
      faults: [{ what: { type: 'hang' } }],
    },
    () => {},
  );
  const before = now();
  await client.create(pod('a'));
  expect(now() - before).toBe(30_000);
  expect(traces.last().webhooks).toMatchObject([
    { outcome: 'failed-open', failurePhase: 'timeout', milliseconds: 30_000 },
  ]);
  hook.setFaults([{ what: { type: 'status', code: 503 }, calls: [1] }]);
  await client.create(pod('b'));
  await client.create(pod('c'));
  const outcomes = traces.all({ resource: 'pods' }).map(({ webhooks }) => webhooks[0]?.outcome);
  expect(outcomes).toEqual(['failed-open', 'failed-open', 'called']);
});

test('traces have the skipped webhooks with the reasons', async () => {
  const { client, webhook, traces } = await world();
  const options = { type: 'validating', ...onPods, namespaceSelector: { matchLabels: { team: 'red' } } } as const;
  await webhook('red.example.com', options, () => {});
  await client.create(pod('a'));
  expect(traces.last()).toMatchObject({ called: [], skipped: { 'red.example.com': 'namespaceSelector' } });
});

test('traces are found by fields of the request', async () => {
  const { client, traces } = await world();
  await client.create(configMap('a'));
  await client.create(configMap('b'), { dryRun: true });
  await client.delete('configmaps', { name: 'a' });
  expect(traces.all().map(({ request }) => `${request.verb} ${request.name}`)).toEqual([
    'create a',
    'create b',
    'delete a',
  ]);
  expect(traces.last({ verb: 'create' }).request.name).toBe('b');
  expect(traces.last({ dryRun: false, verb: 'create' }).request.name).toBe('a');
  expect(traces.find((trace) => trace.request.name === 'a')?.request.verb).toBe('delete');
  expect(traces.find({ verdict: 'refused' })).toBeUndefined();
  expect(() => traces.last({ name: 'c' })).toThrow(/no write {"name":"c"}; the last writes were create .*dry run/);
  traces.clear();
  expect(traces.all()).toEqual([]);
  expect(() => traces.last()).toThrow('there was no write');
});

test('a trace can be waited for; the wait is in the time of the world', async () => {
  const { client, traces, now } = await world();
  const waiting = traces.wait({ name: 'later' });
  await client.create(configMap('later'));
  expect((await waiting).request.name).toBe('later');
  const before = now();
  await expect(traces.wait({ name: 'never' }, { timeoutMs: 60_000 })).rejects.toThrow(
    'no write {"name":"never"} within 60000 ms',
  );
  expect(now() - before).toBe(60_000);
});

test('writes of controllers are found by their user', async () => {
  const { client, traces, settle } = await world();
  await client.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } });
  await settle();
  expect(traces.all().length).toBe(1);
  const user = 'system:serviceaccount:kube-system:service-account-controller';
  expect(traces.last({ user }).request).toMatchObject({ resource: 'serviceaccounts', namespace: 'shop' });
});

test('advance moves a virtual clock', async () => {
  const { advance, now } = await world();
  expect(new Date(now()).toISOString()).toBe('2026-01-01T00:00:00.000Z');
  await advance(60_000);
  expect(new Date(now()).toISOString()).toBe('2026-01-01T00:01:00.000Z');
});

test('reset restores the loaded objects with the same uids', async () => {
  const { client, webhook, reset, traces } = await world({ load: [configMap('loaded')] });
  const tell = async (): Promise<unknown> => {
    expect([traces.all(), await client.list('validatingwebhookconfigurations')]).toEqual([[], []]);
    expect((await client.get('configmaps', { name: 'loaded' }))['data']).toBeUndefined();
    await webhook('a.example.com', { type: 'validating', ...onConfigMaps }, () => {});
    await client.update(configMap('loaded', { changed: 'yes' }));
    return [await client.list('configmaps'), traces.all()];
  };
  const first = await tell();
  await reset();
  expect(await tell()).toEqual(first);
});

test('after a reset no function answers any more', async () => {
  const { client, answer, load, reset } = await world();
  const configuration = {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingWebhookConfiguration',
    metadata: { name: 'a' },
    webhooks: [
      {
        name: 'a.example.com',
        clientConfig: { service: { namespace: 'no', name: 'where' } },
        rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] }],
        sideEffects: 'None',
        admissionReviewVersions: ['v1'],
      },
    ],
  };
  await load(configuration);
  answer('a.example.com', () => ({}));
  await client.create(pod('a'));
  await reset();
  await load(configuration);
  await expect(client.create(pod('a'))).rejects.toThrow('service "where" not found');
});

test('a fork never repeats a uid of its origin', async () => {
  const one = await world();
  const { metadata } = await one.client.create(configMap('a'));
  const other = await one.fork();
  open.push(other);
  expect((await other.client.create(configMap('b'))).metadata.uid).not.toBe(metadata.uid);
});

test('a fork is independent, with the same functions and time', async () => {
  const one = await world();
  await one.webhook('a.example.com', { type: 'mutating', ...onConfigMaps }, () => ({
    patch: [{ op: 'add', path: '/data', value: { by: 'webhook' } }],
  }));
  await one.advance(5000);
  const other = await one.fork();
  open.push(other);
  expect(other.now()).toBe(one.now());
  const made = await other.client.create(configMap('a'));
  expect(made).toMatchObject({ data: { by: 'webhook' } });
  expect(await one.client.find('cm', { name: 'a' })).toBeUndefined();
  expect((await one.client.create(configMap('b'))).metadata.uid).not.toBe(made.metadata.uid);
});

test('manifests are loaded from files and folders, namespaces first', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'kadmit-test-'));
  try {
    writeFileSync(join(folder, 'a.yaml'), 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a, namespace: shop }\n');
    writeFileSync(join(folder, 'b.yaml'), 'apiVersion: v1\nkind: Namespace\nmetadata: { name: shop }\n');
    const { client, load } = await world({ load: [folder] });
    expect(await client.get('cm', { name: 'a', namespace: 'shop' })).toMatchObject({ kind: 'ConfigMap' });
    writeFileSync(join(folder, 'c.json'), '{"apiVersion":"v1","kind":"Pot"}');
    await expect(load(join(folder, 'c.json'))).rejects.toThrow('c.json, document 1: ');
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('options that make no sense are named', async () => {
  const options = (value: object): WorldOptions => value;
  await expect(createWorld(options({ contollers: [] }))).rejects.toThrow(
    'createWorld: unknown option contollers; the options are crds, load, map,',
  );
  await expect(createWorld({ controllers: ['butler'] })).rejects.toThrow(
    '"butler" is not in the list of known controllers',
  );
  await expect(createWorld({ enableAdmissionPlugins: ['Nothing'] })).rejects.toThrow(
    'enable-admission-plugins plugin "Nothing" is unknown',
  );
  await expect(createWorld({ load: ['no/such/path'] })).rejects.toThrow('no/such/path');
  await expect(createWorld({ map: { shop: 'https://x' } })).rejects.toThrow('is not NAMESPACE/SERVICE[:PORT]=URL');
  await expect(createWorld(options({ clock: 'slow' }))).rejects.toThrow('clock must be virtual or real');
  await expect(createWorld({ seed: 0.5 })).rejects.toThrow('seed must be an integer');
  await expect(createWorld({ load: [pod('a'), { ...pod('b'), spec: {} }] })).rejects.toThrow(
    'load: Pod b was refused: ',
  );
});

test('an assumed response counts as the response, and the trace shows that', async () => {
  const { client, traces } = await world({ assume: { 'named.example.com': 'deny', '*': 'ignore' } });
  const hook = (name: string, more: object = {}) => ({
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingWebhookConfiguration',
    metadata: { name },
    webhooks: [
      {
        name: `${name}.example.com`,
        admissionReviewVersions: ['v1'],
        sideEffects: 'None',
        clientConfig: { service: { namespace: 'no', name: 'where' } },
        rules: [{ operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] }],
        ...more,
      },
    ],
  });
  await client.create(hook('absent'));
  await client.create(configMap('a'));
  expect(traces.last()?.admission).toContainEqual(
    expect.objectContaining({ name: 'absent.example.com', outcome: 'failed-open', assumed: 'ignore' }),
  );
  await client.create(hook('named'));
  await expect(client.create(configMap('b'))).rejects.toThrow(
    'admission webhook "named.example.com" denied the request: kadmit assumes that it denies (--assume)',
  );
  await expect(createWorld({ assume: { a: 'perhaps' } } as unknown as WorldOptions)).rejects.toThrow(
    'is not NAME=allow, NAME=deny or NAME=ignore',
  );
});

const anything = schemaOf({ type: 'object', 'x-kubernetes-preserve-unknown-fields': true });
const teas = definitionOf('teas.example.com', 'Tea', anything, { name: 'v2', storage: false, ...anything });
const tea = { apiVersion: 'example.com/v2', kind: 'Tea', metadata: { name: 'green' } };

test('a function converts, until it is taken away', async () => {
  const { client, converter, load } = await world();
  await load(teas);
  const conversion = await converter('teas.example.com', ({ request: { desiredAPIVersion, objects } }) =>
    objects.map((object) => ({ ...object, apiVersion: desiredAPIVersion, to: desiredAPIVersion })),
  );
  await client.create(tea);
  const v1 = { apiVersion: 'example.com/v1', kind: 'Tea' };
  expect(await client.get(v1, { name: 'green' })).toMatchObject({ to: 'example.com/v1' });
  expect(await client.get(tea, { name: 'green' })).toMatchObject({ to: 'example.com/v2' });
  expect(conversion.calls()[0]).toMatchObject({ kind: 'ConversionReview', request: { objects: [{ kind: 'Tea' }] } });
  await conversion.remove();
  expect(await client.get(tea, { name: 'green' })).toMatchObject({ to: 'example.com/v1' });
});

test('a converter may refuse, throw and have faults', async () => {
  const { client, converter, load } = await world();
  await load(teas);
  let answer = (): readonly object[] | { result: { status: 'Failure'; message: string } } => ({
    result: { status: 'Failure', message: 'not today' },
  });
  const conversion = await converter('teas.example.com', () => answer());
  const prefix = 'conversion webhook for example.com/v2, Kind=Tea';
  await expect(client.create(tea)).rejects.toThrow(`${prefix} failed: not today`);
  answer = () => [];
  await expect(client.create(tea)).rejects.toThrow(`${prefix} returned 0 objects, expected 1`);
  answer = () => {
    throw new Error('out of order');
  };
  await expect(client.create(tea)).rejects.toThrow('out of order');
  expect(conversion.errors()).toEqual([new Error('out of order')]);
  conversion.setFaults([{ what: { type: 'hang' } }]);
  await expect(client.create(tea)).rejects.toThrow('deadline exceeded');
});

test('a definition that is not there is named', async () => {
  const { converter, load } = await world();
  const none = (): readonly object[] => [];
  await expect(converter('teas.example.com', none)).rejects.toThrow(
    'there is no CustomResourceDefinition "teas.example.com"; load it first',
  );
  await load(teas);
  await expect(converter('tea.example.com', none)).rejects.toThrow('did you mean');
  const patch = [{ what: { type: 'bad-patch' } as const }];
  await expect(converter('teas.example.com', none, { faults: patch })).rejects.toThrow('converters send no patches');
});
