import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  ADD,
  CHANGE,
  CoreV1Api,
  type Informer,
  KubeConfig,
  KubernetesObjectApi,
  makeInformer,
  type ObjectCache,
  PatchStrategy,
  setHeaderOptions,
  type V1ConfigMap,
  Watch,
} from '@kubernetes/client-node';
import { afterEach, expect, test, vi } from 'vitest';
import { writeKubeconfig } from '../../src/adapters/config/kubeconfig/write-kubeconfig.ts';
import { type ApiFault, type Kadmit, type KadmitOptions, startKadmit as startInProcess } from '../../src/library.ts';
import { createKubectl, findKubectls } from '../harness/kubectl.ts';
import { startKadmit } from '../harness/start-kadmit.ts';

// Issue 5, part 3: what goes wrong at the API, for clients that do not know of it.

const open: (() => unknown)[] = [];
afterEach(async () => {
  vi.restoreAllMocks();
  for (const close of open.splice(0).toReversed()) await close();
});

async function start(options: KadmitOptions): Promise<Kadmit> {
  const kadmit = await startInProcess(options);
  open.push(kadmit.close);
  return kadmit;
}

function configFor({ kubeconfig }: Kadmit): KubeConfig {
  const config = new KubeConfig();
  config.loadFromString(kubeconfig);
  return config;
}

const namespace = 'default';
const configMaps = `/api/v1/namespaces/${namespace}/configmaps`;
const onConfigMaps = { resources: ['configmaps'] } as const;
const configMap = (name: string, data: Record<string, string> = {}) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace },
  data,
});

interface Following {
  readonly informer: Informer<V1ConfigMap> & ObjectCache<V1ConfigMap>;
  /** `a=1`, in the order of the handler calls. */
  readonly notified: readonly string[];
  /** How often it listed. */
  readonly lists: () => number;
}

/** An informer that starts again after an error, as the client's documentation has it. */
async function follow(config: KubeConfig): Promise<Following> {
  const core = config.makeApiClient(CoreV1Api);
  let lists = 0;
  const informer = makeInformer<V1ConfigMap>(config, configMaps, () => {
    lists += 1;
    return core.listNamespacedConfigMap({ namespace });
  });
  const notified: string[] = [];
  for (const event of [ADD, CHANGE] as const) {
    informer.on(event, ({ metadata, data }) => {
      if (metadata?.name !== 'kube-root-ca.crt') notified.push(`${metadata?.name}=${data?.['k']}`);
    });
  }
  informer.on('error', () => setTimeout(() => void informer.start(), 10));
  open.push(() => informer.stop());
  await informer.start();
  return { informer, notified, lists: () => lists };
}

const until = (condition: () => boolean): Promise<void> =>
  vi.waitFor(() => expect(condition()).toBe(true), { timeout: 20_000, interval: 5 });

/** The informer's cache and its handlers have the last state of every object. */
async function expectNothingLost(
  kadmit: Kadmit,
  { informer, notified }: Following,
  pace: 'in a burst' | 'one by one',
): Promise<void> {
  const names = Array.from({ length: 20 }, (_, index) => `c-${index}`);
  const wasNotified = (name: string, k: string): boolean => notified.includes(`${name}=${k}`);
  for (const k of ['1', '2']) {
    for (const name of names) {
      await kadmit.client.apply(configMap(name, { k }), { force: true });
      if (pace === 'one by one') await until(() => wasNotified(name, k));
    }
  }
  await until(() => names.every((name) => wasNotified(name, '2')));
  const cached = informer.list().map(({ metadata, data }) => `${metadata?.name}=${data?.['k']}`);
  expect(new Set(cached)).toEqual(new Set(['kube-root-ca.crt=undefined', ...names.map((name) => `${name}=2`)]));
}

test('an informer whose watches end again and again loses nothing', async () => {
  const kadmit = await start({
    apiFaults: [
      { what: { type: 'drop-watch' }, ...onConfigMaps, calls: [1, 2] },
      { what: { type: 'drop-watch', afterEvents: 3 }, ...onConfigMaps },
    ],
  });
  const following = await follow(configFor(kadmit));
  await expectNothingLost(kadmit, following, 'in a burst');
  const injected = kadmit.apiFaults.injected();
  expect(injected.length).toBeGreaterThan(5);
  expect(following.lists()).toBe(1);
  expect(injected[0]).toEqual({ what: 'drop-watch', verb: 'watch', resource: 'configmaps', namespace, name: '' });
});

test('an informer whose resourceVersion has expired lists again and loses nothing', async () => {
  const kadmit = await start({
    apiFaults: [
      { what: { type: 'expire-watch' }, ...onConfigMaps, calls: [2, 4] },
      { what: { type: 'drop-watch', afterEvents: 3 }, ...onConfigMaps },
    ],
  });
  const following = await follow(configFor(kadmit));
  await expectNothingLost(kadmit, following, 'one by one');
  const injected = kadmit.apiFaults.injected().map(({ what }) => what);
  expect(injected.slice(0, 5)).toEqual(['drop-watch', 'expire-watch', 'drop-watch', 'expire-watch', 'drop-watch']);
  expect(following.lists()).toBe(3);
});

test('a raw watch that is expired gets 410 as its only event, and ends without an error', async () => {
  const kadmit = await start({ apiFaults: [{ what: { type: 'expire-watch' } }] });
  const events: object[] = [];
  const error = await new Promise((resolve, reject) => {
    new Watch(configFor(kadmit))
      .watch(configMaps, { resourceVersion: '7' }, (type, object: object) => events.push({ type, object }), resolve)
      .catch(reject);
  });
  expect(events).toEqual([
    {
      type: 'ERROR',
      object: expect.objectContaining({
        code: 410,
        reason: 'Expired',
        message: 'too old resource version: 7 (8)',
      }),
    },
  ]);
  expect(error).toBeNull();
});

/** Source: apiserver pkg/server/filters/maxinflight.go: plain text, no Status. */
const busy = 'Too many requests, please try again later.\n';

test('a controller of another library meets 409 and 429; the own client is spared', async () => {
  const kadmit = await start({
    apiFaults: [
      { what: { type: 'conflict' }, verbs: ['update'], ...onConfigMaps, calls: [1] },
      { what: { type: 'too-many-requests', retryAfterSeconds: 7 }, verbs: ['create'], calls: [1] },
    ],
  });
  const config = configFor(kadmit);
  const core = config.makeApiClient(CoreV1Api);
  const made = await kadmit.client.create(configMap('a', { k: '1' }));
  await kadmit.client.update({ ...made, data: { k: '2' } });
  const refused = await core.createNamespacedConfigMap({ namespace, body: configMap('b') }).catch((error) => error);
  expect(refused).toMatchObject({ code: 429, headers: { 'retry-after': '7' }, body: busy });
  const body = await core.readNamespacedConfigMap({ namespace, name: 'a' });
  await expect(core.replaceNamespacedConfigMap({ namespace, name: 'a', body })).rejects.toMatchObject({ code: 409 });
  expect((await core.replaceNamespacedConfigMap({ namespace, name: 'a', body })).data).toEqual({ k: '2' });
  const patched = await KubernetesObjectApi.makeApiClient(config).patch(configMap('a', { k: '3' }));
  expect(patched).toMatchObject({ data: { k: '3' } });
  await core.createNamespacedConfigMap({ namespace, body: configMap('b') });
  expect(kadmit.apiFaults.injected()).toEqual([
    { what: 'too-many-requests', verb: 'create', resource: 'configmaps', namespace, name: '' },
    { what: 'conflict', verb: 'update', resource: 'configmaps', namespace, name: 'a' },
  ]);
});

test('faults can be set at run time, and a reset restores the initial ones', async () => {
  const conflict: ApiFault = { what: { type: 'conflict' }, ...onConfigMaps };
  const kadmit = await start({ load: [configMap('a')], apiFaults: [conflict] });
  const core = configFor(kadmit).makeApiClient(CoreV1Api);
  const patch = (): Promise<V1ConfigMap> =>
    core.patchNamespacedConfigMap(
      { namespace, name: 'a', body: { data: { k: '1' } } },
      setHeaderOptions('Content-Type', PatchStrategy.MergePatch),
    );
  await expect(patch()).rejects.toMatchObject({ code: 409 });
  kadmit.apiFaults.set([]);
  expect(kadmit.apiFaults.injected()).toEqual([]);
  expect((await patch()).data).toEqual({ k: '1' });
  await kadmit.reset();
  await expect(patch()).rejects.toMatchObject({ code: 409 });
  const typo: object = { what: { type: 'conflict' }, call: [1] };
  expect(() => kadmit.apiFaults.set([typo as ApiFault])).toThrow('apiFaults.set[0]: there is no call; there are verbs');
  await expect(startInProcess({ apiFaults: [typo as ApiFault] })).rejects.toThrow('startKadmit: apiFaults[0]: there');
  await expect(startInProcess({ seed: 0.5 })).rejects.toThrow('startKadmit: seed must be an integer');
});

test('the same seed causes the same faults', async () => {
  const apiFaults: readonly ApiFault[] = [{ what: { type: 'too-many-requests' }, verbs: ['get'], probability: 0.5 }];
  const codes = async (seed: number): Promise<string> => {
    const kadmit = await start({ apiFaults, seed });
    const core = configFor(kadmit).makeApiClient(CoreV1Api);
    const read = () => core.readNamespace({ name: 'default' });
    let said = '';
    for (let count = 0; count < 16; count += 1)
      said += await read().then(
        () => '+',
        () => '-',
      );
    return said;
  };
  const [one, same, other] = [await codes(3), await codes(3), await codes(4)];
  expect([one === same, one === other]).toEqual([true, false]);
  expect(one).toMatch(/\+.*-|-.*\+/);
});

test('a flag that makes no sense is named', async () => {
  await expect(startKadmit({ apiFault: ['conflict:verbs=get'] })).rejects.toThrow(
    '--api-fault "conflict:verbs=get": verbs: conflict does not apply to get, only to update, patch, delete',
  );
});

test('a flag for an unknown resource is a line in the log', async () => {
  const lines: string[] = [];
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => lines.push(String(text)) > 0);
  const apiFault = ['conflict:resources=cm,deployments.apps/status,pods/eviction', 'drop-watch:resources=deployments'];
  const server = await startKadmit({ apiFault });
  open.push(server.close);
  const says = (name: string): string =>
    `--api-fault: resource ${name} is not served yet; kubectl api-resources lists the names\n`;
  expect(lines).toEqual([says('cm'), says('deployments')]);
});

const [kubectl] = findKubectls();

// Source: what kubectl prints with a real kube-apiserver; client-go rest/with_retry.go waits for Retry-After and asks again.
test.skipIf(kubectl === undefined)('kubectl sees a conflict, and waits out 429', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'kadmit-api-faults-'));
  open.push(() => rmSync(directory, { recursive: true, force: true }));
  const lines: string[] = [];
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => lines.push(String(text)) > 0);
  const server = await startKadmit({
    apiFault: [
      'conflict:verbs=update:resources=configmaps:calls=1',
      'conflict:verbs=patch:resources=configmaps:calls=1',
      'too-many-requests:verbs=list:resources=secrets:calls=1',
    ],
  });
  open.push(server.close);
  const kubeconfig = join(directory, 'kubeconfig');
  writeKubeconfig(kubeconfig, server);
  const { run } = createKubectl(kubectl ?? '', { kubeconfig, directory }, 'home');
  const stdin = JSON.stringify(configMap('a', { k: '1' }));
  expect(await run('create -f -', stdin)).toMatchObject({ code: 0, out: 'configmap/a created' });
  const conflict =
    'Operation cannot be fulfilled on configmaps "a": the object has been modified; please apply your changes to the latest version and try again';
  expect(await run('replace -f -', stdin)).toMatchObject({
    code: 1,
    err: `Error from server (Conflict): error when replacing "STDIN": ${conflict}`,
  });
  expect(await run('replace -f -', stdin)).toMatchObject({ code: 0, out: 'configmap/a replaced' });
  expect(await run(`patch cm a -p '{"data":{"k":"2"}}'`)).toMatchObject({
    code: 1,
    err: `Error from server (Conflict): ${conflict}`,
  });
  expect(await run('get secrets -v=6')).toMatchObject({ code: 0, err: expect.stringContaining('429') });
  expect(lines).toEqual([
    'api fault: conflict for update of configmaps default/a\n',
    'api fault: conflict for patch of configmaps default/a\n',
    'api fault: too-many-requests for list of secrets default\n',
  ]);
});

// Source: client-go tools/cache/reflector.go: both end its watch, and it lists again.
test.skipIf(kubectl === undefined)('kubectl wait survives a dropped watch and one that is too old', async () => {
  const kadmit = await start({
    load: [configMap('a', { k: '1' })],
    apiFaults: [
      { what: { type: 'drop-watch' }, ...onConfigMaps, calls: [1] },
      { what: { type: 'expire-watch' }, ...onConfigMaps, calls: [2] },
    ],
  });
  const directory = mkdtempSync(join(tmpdir(), 'kadmit-api-faults-'));
  open.push(() => rmSync(directory, { recursive: true, force: true }));
  const { run } = createKubectl(kubectl ?? '', { kubeconfig: kadmit.kubeconfigPath, directory }, 'home');
  const waiting = run('wait --for=jsonpath={.data.k}=2 cm/a --timeout=15s');
  await until(() => kadmit.apiFaults.injected().length === 2);
  await kadmit.client.patch('configmaps', { name: 'a' }, { data: { k: '2' } });
  expect(await waiting).toMatchObject({ code: 0, out: 'configmap/a condition met' });
  expect(kadmit.apiFaults.injected().map(({ what }) => what)).toEqual(['drop-watch', 'expire-watch']);
});
