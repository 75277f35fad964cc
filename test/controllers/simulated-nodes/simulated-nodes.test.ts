import { expect, test } from 'vitest';
import { createWorld, type World } from '../../../src/app/library/create-world.ts';

const pods = { apiVersion: 'v1', kind: 'Pod' };

async function createPod(world: World, spec: object): Promise<void> {
  await world.client.create({
    ...pods,
    metadata: { name: 'p', namespace: 'default' },
    spec: { containers: [{ name: 'c', image: 'i' }], ...spec },
  });
}

const stateOf = async (world: World): Promise<unknown> => {
  const pod = await world.client.find(pods, { name: 'p' });
  const status = pod?.['status'] as { phase?: string; conditions?: { type: string; status: string }[] } | undefined;
  return status && [status.phase, status.conditions?.find(({ type }) => type === 'Ready')?.status];
};

// Follows kubelet's SyncTerminatingPod: it writes Ready False and a terminal phase before the last delete.
test('a deleted Pod is Succeeded and not Ready before it is removed', async () => {
  const world = await createWorld({ nodes: 1 });
  await createPod(world, {});
  await world.advance(2000);
  expect(await stateOf(world)).toEqual(['Running', 'True']);
  const seen: unknown[] = [];
  await world.client.patch(pods, { name: 'p' }, { metadata: { finalizers: ['example.com/keep'] } });
  await world.client.delete(pods, { name: 'p' }, { gracePeriodSeconds: 10 });
  seen.push(await stateOf(world));
  await world.advance(1500);
  seen.push(await stateOf(world));
  expect(seen).toEqual([
    ['Running', 'True'],
    ['Succeeded', 'False'],
  ]);
  await world.close();
});

test('a Pod on a node that does not exist starts when the node is created', async () => {
  const world = await createWorld({ nodes: 1, controllers: ['serviceaccount-controller'] });
  await createPod(world, { nodeName: 'elsewhere' });
  await world.advance(2000);
  expect(await stateOf(world)).toEqual(['Pending', undefined]);
  await world.client.create({ apiVersion: 'v1', kind: 'Node', metadata: { name: 'elsewhere' } });
  await world.advance(2000);
  expect(await stateOf(world)).toEqual(['Running', 'True']);
  await world.close();
});
