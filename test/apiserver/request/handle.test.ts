import { expect, onTestFinished, test } from 'vitest';
import { startCluster } from '../../controllers/cluster.ts';
import { at } from '../../harness/world-answer.ts';
import { createTestWorld } from '../../harness/world.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';

// What a trace shows of a refused request is the object as the stage that refused it had it.
test('a refused request is remembered as far as it came', async () => {
  const made = await startCluster([]);
  onTestFinished(() => made.close());
  await made.send('POST', configMaps, { metadata: { name: 'a' } });
  await expect(made.send('POST', configMaps, { metadata: { name: 'Not A Name' } })).rejects.toThrow('is invalid');
  await expect(made.send('PUT', `${configMaps}/a`, { metadata: { name: 'b' } })).rejects.toThrow('does not match');
  const objects = made.finished.map(({ exchange }) => exchange?.object?.metadata?.name);
  expect(objects.slice(-3)).toEqual(['a', 'Not A Name', 'b']);
});

// Source: kube-apiserver v1.36.2; apiserver pkg/registry/rest/update.go and pkg/endpoints/handlers/patch.go.
test('a Lease is written with its revision alone, and a patch that does not fit has no words of its own', async () => {
  const world = await createTestWorld();
  const leases = '/apis/coordination.k8s.io/v1/namespaces/default/leases';
  await world.send('POST', leases, { metadata: { name: 'a' } });
  const updated = await world.send('PUT', `${leases}/a`, { metadata: { name: 'a' } });
  expect([updated.code, at(updated.body, 'message')]).toEqual([
    422,
    'leases.coordination.k8s.io "a" is invalid: metadata.resourceVersion: Invalid value: 0: must be specified for an update',
  ]);
  const patch = [{ op: 'test', path: '/metadata/name', value: 'b' }];
  const patched = await world.send('PATCH', `${leases}/a`, patch, { contentType: 'application/json-patch+json' });
  expect([patched.code, at(patched.body, 'code'), at(patched.body, 'message')]).toEqual([
    422,
    422,
    'the server rejected our request due to an error in our request',
  ]);
});
