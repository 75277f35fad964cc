import {
  ADD,
  CoreV1Api,
  DELETE,
  KubeConfig,
  KubernetesObjectApi,
  makeInformer,
  PatchStrategy,
  setHeaderOptions,
  UPDATE,
  type V1ConfigMap,
  Watch,
} from '@kubernetes/client-node';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type Kadmit, startKadmit } from '../harness/start-kadmit.ts';

let server: Kadmit;
let config: KubeConfig;
let core: CoreV1Api;
beforeAll(async () => {
  server = await startKadmit();
  config = configFor(server.url);
  core = config.makeApiClient(CoreV1Api);
});
afterAll(() => server.close());

function configFor(url: string): KubeConfig {
  const made = new KubeConfig();
  made.loadFromClusterAndUser(
    { name: 'kadmit', server: url, caData: Buffer.from(server.caPem).toString('base64'), skipTLSVerify: false },
    { name: 'admin', token: server.token },
  );
  return made;
}

const configMap = (name: string, data: Record<string, string> = {}): V1ConfigMap => ({ metadata: { name }, data });
const createNamespace = async (name: string): Promise<string> => {
  await core.createNamespace({ body: { metadata: { name } } });
  return name;
};
const until = (condition: () => boolean): Promise<void> =>
  vi.waitFor(() => expect(condition()).toBe(true), { timeout: 10_000 });

// Source: what @kubernetes/client-node 1.4 needs of a server (spec/kubectl.md section 9).
test('objects are created, read, listed, replaced and deleted', async () => {
  const namespace = await createNamespace('crud');
  const created = await core.createNamespacedConfigMap({ namespace, body: configMap('a', { k: 'v' }) });
  expect(created.metadata?.creationTimestamp).toBeInstanceOf(Date);
  const replaced = await core.replaceNamespacedConfigMap({
    namespace,
    name: 'a',
    body: { metadata: created.metadata ?? {}, data: { k: 'w' } },
  });
  expect(replaced.data).toEqual({ k: 'w' });
  await expect(core.replaceNamespacedConfigMap({ namespace, name: 'a', body: created })).rejects.toMatchObject({
    code: 409,
  });
  expect((await core.listNamespacedConfigMap({ namespace })).items.map(({ data }) => data)).toEqual([{ k: 'w' }]);
  expect(await core.deleteNamespacedConfigMap({ namespace, name: 'a' })).toMatchObject({ status: 'Success' });
  await expect(core.readNamespacedConfigMap({ namespace, name: 'a' })).rejects.toMatchObject({ code: 404 });
});

const patches: readonly [strategy: string, body: object, data: object][] = [
  [PatchStrategy.StrategicMergePatch, { data: { l: 'm' } }, { k: 'v', l: 'm' }],
  [PatchStrategy.MergePatch, { data: { k: null } }, {}],
  [PatchStrategy.JsonPatch, [{ op: 'replace', path: '/data/k', value: 'w' }], { k: 'w' }],
];

test.each(patches)('a patch of type %s', async (strategy, body, data) => {
  const namespace = await createNamespace(strategy.replaceAll(/[^a-z]+/g, '-'));
  await core.createNamespacedConfigMap({ namespace, body: configMap('a', { k: 'v' }) });
  const patched = await core.patchNamespacedConfigMap(
    { namespace, name: 'a', body },
    setHeaderOptions('Content-Type', strategy),
  );
  expect(patched.data ?? {}).toEqual(data);
});

test('objects of kinds from discovery', async () => {
  const namespace = await createNamespace('discovered');
  const objects = KubernetesObjectApi.makeApiClient(config);
  const metadata = { name: 'd', namespace };
  const selector = { matchLabels: { a: 'b' } };
  const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
  const deployment = { apiVersion: 'apps/v1', kind: 'Deployment', metadata, spec: { selector, template } };
  expect(await objects.create(deployment)).toMatchObject({ spec: { replicas: 1 } });
  expect(await objects.patch({ ...deployment, spec: { replicas: 3 } })).toMatchObject({ spec: { replicas: 3 } });
  expect(await objects.read(deployment)).toMatchObject({ spec: { replicas: 3 } });
});

test('a watch shows changes from a version on', async () => {
  const namespace = await createNamespace('watched');
  const { metadata } = await core.listNamespacedConfigMap({ namespace });
  const seen: string[] = [];
  const aborted = await new Watch(config).watch(
    `/api/v1/namespaces/${namespace}/configmaps`,
    { resourceVersion: metadata?.resourceVersion },
    (type, object: V1ConfigMap) => seen.push(`${type} ${object.metadata?.name}`),
    () => {},
  );
  await core.createNamespacedConfigMap({ namespace, body: configMap('a') });
  await core.patchNamespacedConfigMap(
    { namespace, name: 'a', body: { data: { k: 'v' } } },
    setHeaderOptions('Content-Type', PatchStrategy.MergePatch),
  );
  await core.deleteNamespacedConfigMap({ namespace, name: 'a' });
  await until(() => seen.length === 3);
  aborted.abort();
  expect(seen).toEqual(['ADDED a', 'MODIFIED a', 'DELETED a']);
});

/** The objects of an informer, and the number of its notifications by kind of change. */
function informerOf(kube: KubeConfig, namespace: string) {
  const api = kube.makeApiClient(CoreV1Api);
  const path = `/api/v1/namespaces/${namespace}/configmaps`;
  const list = () => api.listNamespacedConfigMap({ namespace });
  const informer = makeInformer(kube, path, list);
  const counts = { [ADD]: 0, [UPDATE]: 0, [DELETE]: 0 };
  for (const event of [ADD, UPDATE, DELETE] as const) informer.on(event, () => (counts[event] += 1));
  return { informer, counts };
}

const names = Array.from({ length: 200 }, (_, index) => `c-${index}`);
const inTens = async (act: (name: string) => Promise<unknown>): Promise<void> => {
  for (let at = 0; at < names.length; at += 10) await Promise.all(names.slice(at, at + 10).map(act));
};

test('an informer follows 200 objects that are created, changed and deleted', async () => {
  const namespace = await createNamespace('informed');
  const { informer, counts } = informerOf(config, namespace);
  await inTens((name) => core.createNamespacedConfigMap({ namespace, body: configMap(name) }));
  await informer.start();
  expect(informer.list()).toHaveLength(200);
  await inTens((name) => core.replaceNamespacedConfigMap({ namespace, name, body: configMap(name, { k: 'v' }) }));
  await until(() => counts[UPDATE] === 200);
  expect(informer.list().every(({ data }) => data?.['k'] === 'v')).toBe(true);
  await core.deleteCollectionNamespacedConfigMap({ namespace });
  await until(() => counts[DELETE] === 200);
  await informer.stop();
  expect({ left: informer.list(), counts }).toEqual({ left: [], counts: { add: 200, update: 200, delete: 200 } });
});
