import { existsSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CoreV1Api, KubeConfig, type V1ConfigMap, type V1Pod, Watch } from '@kubernetes/client-node';
import { afterEach, expect, test, vi } from 'vitest';
import { type Kadmit, type KadmitOptions, startKadmit } from '../../src/library.ts';

const open: Kadmit[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((kadmit) => kadmit.close()));
});

async function start(options?: KadmitOptions): Promise<Kadmit> {
  const kadmit = await startKadmit(options);
  open.push(kadmit);
  return kadmit;
}

function configFor({ kubeconfig }: Kadmit): KubeConfig {
  const config = new KubeConfig();
  config.loadFromString(kubeconfig);
  return config;
}

const configMap = (name: string, data: Record<string, string> = {}) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name },
  data,
});

const onConfigMaps = { rules: [{ operations: ['CREATE'], resources: ['configmaps'] }] } as const;

test('any client reaches it with its kubeconfig, and sees the writes of the own client', async () => {
  const kadmit = await start();
  expect(kadmit.url).toBe(`https://127.0.0.1:${kadmit.port}`);
  expect(readFileSync(kadmit.kubeconfigPath, 'utf8')).toBe(kadmit.kubeconfig);
  expect(statSync(kadmit.kubeconfigPath).mode & 0o777).toBe(0o600);
  await kadmit.client.create(configMap('a', { k: 'v' }));
  const core = configFor(kadmit).makeApiClient(CoreV1Api);
  expect((await core.readNamespacedConfigMap({ namespace: 'default', name: 'a' })).data).toEqual({ k: 'v' });
});

test('a function answers the calls that requests over HTTPS cause, and their traces are there', async () => {
  const kadmit = await start();
  await kadmit.webhook('names.example.com', { type: 'validating', ...onConfigMaps }, ({ request }) => ({
    allowed: request.name !== 'bad',
    status: { message: `${request.userInfo.username} may not call it bad` },
  }));
  const core = configFor(kadmit).makeApiClient(CoreV1Api);
  const waiting = kadmit.traces.wait({ name: 'bad' });
  await expect(core.createNamespacedConfigMap({ namespace: 'default', body: configMap('bad') })).rejects.toThrow(
    'kubernetes-admin may not call it bad',
  );
  expect(await waiting).toMatchObject({ verdict: 'refused', called: ['names.example.com'] });
});

test('a webhook without a function is called over the network, where the map says', async () => {
  const seen: string[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => (body += String(chunk)));
    request.on('end', () => {
      const review: { apiVersion: string; request: { uid: string; name: string } } = JSON.parse(body);
      seen.push(`${request.url} ${review.request.name}`);
      response.setHeader('content-type', 'application/json');
      const { apiVersion } = review;
      const answer = { uid: review.request.uid, allowed: true };
      response.end(JSON.stringify({ apiVersion, kind: 'AdmissionReview', response: answer }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const kadmit = await start({ map: { 'hooks/real': `http://127.0.0.1:${port}` } });
  await kadmit.load({
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingWebhookConfiguration',
    metadata: { name: 'real' },
    webhooks: [
      {
        name: 'real.example.com',
        clientConfig: { service: { namespace: 'hooks', name: 'real', path: '/validate' } },
        rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] }],
        sideEffects: 'None',
        admissionReviewVersions: ['v1'],
      },
    ],
  });
  await kadmit.client.create(configMap('a'));
  expect(seen).toEqual([expect.stringMatching(/^\/validate\?timeout=10s a$/)]);
  await kadmit.close();
  await new Promise((resolve) => server.close(resolve));
});

test('a reset restores the initial state; watches end and can be reopened', async () => {
  const kadmit = await start({ load: [configMap('loaded')] });
  const watch = new Watch(configFor(kadmit));
  const events: string[] = [];
  const follow = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const path = '/api/v1/namespaces/default/configmaps';
      const note = (phase: string, object: V1ConfigMap): number => events.push(`${phase} ${object.metadata?.name}`);
      watch.watch(path, {}, note, () => resolve()).catch(reject);
    });
  const ended = follow();
  await vi.waitFor(() => expect(events).toContain('ADDED loaded'));
  await kadmit.client.create(configMap('gone'));
  await vi.waitFor(() => expect(events).toContain('ADDED gone'));
  await kadmit.reset();
  await ended;
  const { items } = await configFor(kadmit).makeApiClient(CoreV1Api).listNamespacedConfigMap({ namespace: 'default' });
  expect(items.map(({ metadata }) => metadata?.name)).toEqual(['kube-root-ca.crt', 'loaded']);
  expect(kadmit.traces.all()).toEqual([]);
  await kadmit.client.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } });
  await kadmit.settle();
  expect(await kadmit.client.find('serviceaccounts', { namespace: 'shop', name: 'default' })).toBeDefined();
});

test("objects may have another library's types", async () => {
  const { client } = await start();
  const spec = { containers: [{ name: 'c', image: 'i' }] };
  const pod: V1Pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' }, spec };
  const made = await client.create(pod);
  expect([made.metadata.name, made.spec?.containers[0]?.image]).toEqual(['a', 'i']);
  const read = await client.get<V1Pod>('pods', { name: 'a' });
  expect(read.status?.phase).toBe('Pending');
});

test('several in one process share nothing', async () => {
  const [one, other] = await Promise.all([start(), start()]);
  await one.client.create(configMap('a'));
  await one.webhook('no.example.com', { type: 'validating', ...onConfigMaps }, () => ({ allowed: false }));
  expect(await other.client.find('configmaps', { name: 'a' })).toBeUndefined();
  await other.client.create(configMap('b'));
  expect(one.traces.find({ name: 'b' })).toBeUndefined();
  expect(one.kubeconfigPath).not.toBe(other.kubeconfigPath);
});

test('its folder is removed at the end, also after a failed start', async () => {
  const kadmit = await start();
  await kadmit.close();
  await kadmit.close();
  expect(existsSync(kadmit.kubeconfigPath)).toBe(false);
  await expect(kadmit.client.list('pods')).rejects.toThrow('is closed');
  const taken = await start();
  await expect(startKadmit({ port: taken.port })).rejects.toThrow('is taken; stop what listens there');
  await expect(startKadmit({ load: [{ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' } }] })).rejects.toThrow(
    'load: Pod a was refused: ',
  );
});

test('options that make no sense are named', async () => {
  await expect(startKadmit({ port: 70_000 })).rejects.toThrow('startKadmit: --secure-port "70000" is not a port');
  const typo: object = { prot: 1 };
  await expect(startKadmit(typo)).rejects.toThrow('startKadmit: unknown option prot; the options are crds, load, map');
});
