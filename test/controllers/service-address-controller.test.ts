import { afterEach, expect, test } from 'vitest';
import { asObject, valueAt } from '../../src/machinery/json/json.ts';
import { type Cluster, startCluster } from './cluster.ts';

const services = '/api/v1/namespaces/default/services';
const addresses = '/apis/networking.k8s.io/v1/ipaddresses';
const ranges = '/apis/networking.k8s.io/v1/servicecidrs';
const running: Cluster[] = [];

afterEach(async () => {
  for (const cluster of running.splice(0)) await cluster.close();
});

/** A cluster with the Service `s` at 10.0.0.33. */
async function withService(): Promise<Cluster> {
  const cluster = await startCluster([]);
  running.push(cluster);
  const spec = { clusterIP: '10.0.0.33', ports: [{ port: 80 }] };
  await cluster.send('POST', services, { metadata: { name: 's' }, spec });
  await cluster.settle();
  return cluster;
}

const addressOf = (namespace: string, name: string) => ({
  metadata: { name: '10.0.0.44', labels: { 'ipaddress.kubernetes.io/managed-by': 'ipallocator.k8s.io' } },
  spec: { parentRef: { resource: 'services', namespace, name } },
});

/** Follows kubernetes pkg/registry/core/service/ipallocator/controller/repairip.go. */
test('the address of a Service comes and goes with it', async () => {
  const cluster = await withService();
  expect(await cluster.names(addresses)).toEqual(['10.0.0.1', '10.0.0.33']);
  const address = asObject(await cluster.find(`${addresses}/10.0.0.33`));
  expect(address['spec']).toEqual({ parentRef: { resource: 'services', namespace: 'default', name: 's' } });
  await cluster.send('DELETE', `${services}/s`);
  expect(await cluster.names(addresses)).toEqual(['10.0.0.1']);
});

test('a deleted address is created again when its Service is written', async () => {
  const cluster = await withService();
  await cluster.send('DELETE', `${addresses}/10.0.0.33`);
  const patch = { metadata: { labels: { a: 'b' } } };
  await cluster.send('PATCH', `${services}/s`, patch, 'application/merge-patch+json');
  await cluster.settle();
  expect(await cluster.names(addresses)).toEqual(['10.0.0.1', '10.0.0.33']);
});

test.each([
  ['names no Service', 'missing'],
  ['names a Service with another address', 's'],
])('an address that %s goes after a minute', async (_sentence, name) => {
  const cluster = await withService();
  await cluster.send('POST', addresses, addressOf('default', name));
  await cluster.pass(59_000);
  expect(await cluster.names(addresses)).toContain('10.0.0.44');
  await cluster.pass(2_000);
  // The Service `kubernetes` does not exist here: its address goes too.
  expect(await cluster.names(addresses)).toEqual(['10.0.0.33']);
});

test('an address that the server did not make stays', async () => {
  const cluster = await withService();
  const { metadata, spec } = addressOf('default', 'missing');
  await cluster.send('POST', addresses, { metadata: { name: metadata.name }, spec });
  await cluster.pass(61_000);
  expect(await cluster.names(addresses)).toContain('10.0.0.44');
});

/** Follows kubernetes pkg/controlplane/controller/defaultservicecidr/default_servicecidr_controller.go. */
test('a deleted service range is created again, and ready', async () => {
  const cluster = await withService();
  const before = asObject(await cluster.find(`${ranges}/kubernetes`));
  await cluster.send('DELETE', `${ranges}/kubernetes`);
  await cluster.settle();
  const after = asObject(await cluster.find(`${ranges}/kubernetes`));
  expect(valueAt(after, 'metadata', 'uid')).not.toBe(valueAt(before, 'metadata', 'uid'));
  expect(after).toMatchObject({
    spec: { cidrs: ['10.0.0.0/24'] },
    status: { conditions: [{ type: 'Ready', status: 'True' }] },
  });
});
