import { ADD, CoreV1Api, KubeConfig, makeInformer, UPDATE, type V1ConfigMap } from '@kubernetes/client-node';
import { Agent, request } from 'undici';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type Relay, startRelay } from '../harness/relay.ts';
import { type Kadmit, startKadmit } from '../harness/start-kadmit.ts';

// Source: what an informer of @kubernetes/client-node 1.4 needs of a server (spec/kubectl.md section 9), at more than what one page of a list holds.

const many = 4_000;
const path = '/api/v1/namespaces/default/configmaps';

let server: Kadmit;
let relay: Relay;
let agent: Agent;
beforeAll(async () => {
  server = await startKadmit();
  relay = await startRelay(new URL(server.url));
  agent = new Agent({ connections: 16, connect: { ca: server.caPem } });
  await inParallel(many, (index) => write('POST', path, configMap(index, 'first')));
});
afterAll(async () => {
  relay.close();
  await agent.close();
  await server.close();
});

const configMap = (index: number, k: string): V1ConfigMap => ({ metadata: { name: `c-${index}` }, data: { k } });

async function write(method: 'POST' | 'PUT' | 'DELETE', target: string, body?: object): Promise<void> {
  const headers = { authorization: `Bearer ${server.token}`, 'content-type': 'application/json' };
  const answer = await request(server.url + target, {
    method,
    headers,
    dispatcher: agent,
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  await answer.body.dump();
  if (answer.statusCode >= 300) throw new Error(`${method} ${target}: ${answer.statusCode}`);
}

async function inParallel(count: number, act: (index: number) => Promise<void>): Promise<void> {
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < count) await act(next++);
  };
  await Promise.all(Array.from({ length: 16 }, work));
}

function configFor(url: string): KubeConfig {
  const config = new KubeConfig();
  config.loadFromClusterAndUser(
    { name: 'kadmit', server: url, caData: Buffer.from(server.caPem).toString('base64'), skipTLSVerify: false },
    { name: 'admin', token: server.token },
  );
  return config;
}

const until = (condition: () => boolean): Promise<void> =>
  vi.waitFor(() => expect(condition()).toBe(true), { timeout: 20_000, interval: 20 });

test('an informer keeps up with thousands of objects and misses nothing when its connection drops', async () => {
  const config = configFor(relay.url);
  const api = config.makeApiClient(CoreV1Api);
  const informer = makeInformer(config, path, () => api.listNamespacedConfigMap({ namespace: 'default' }));
  const counts = { [ADD]: 0, [UPDATE]: 0 };
  for (const event of [ADD, UPDATE] as const) informer.on(event, () => (counts[event] += 1));
  let drops = 0;
  informer.on('error', () => {
    drops += 1;
    setTimeout(() => void informer.start(), 20);
  });
  await informer.start();
  expect(counts[ADD]).toBe(many);

  await inParallel(2000, (index) => write('PUT', `${path}/c-${index}`, configMap(index, 'second')));
  await until(() => counts[UPDATE] === 2000);

  const changing = inParallel(2000, (index) => write('PUT', `${path}/c-${index}`, configMap(index, 'third')));
  await until(() => counts[UPDATE] > 2200);
  relay.drop();
  await changing;
  await write('DELETE', `${path}/c-${many - 1}`);
  await write('POST', path, configMap(many, 'last'));
  const held = (): ReadonlyMap<string, string> =>
    new Map(informer.list().map(({ metadata, data }) => [metadata?.name ?? '', data?.['k'] ?? '']));
  await until(() => held().get(`c-${many}`) === 'last');
  const { items } = await api.listNamespacedConfigMap({ namespace: 'default' });
  expect(held()).toEqual(new Map(items.map(({ metadata, data }) => [metadata?.name, data?.['k']])));
  expect([...held().values()].filter((value) => value === 'third')).toHaveLength(2000);
  expect({ drops, size: held().size }).toEqual({ drops: 1, size: many });
  await informer.stop();
});
