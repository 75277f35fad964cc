import { expect, test } from 'vitest';
import { createTestWorld } from '../../harness/world.ts';

// Numbers above 2^53 are numbers as others where they stand in what is compared or named in a complaint.
const large = 9_007_199_254_741_052;

test('tolerations of a RuntimeClass that last very long are told apart', async () => {
  const world = await createTestWorld();
  const toleration = (tolerationSeconds: number): object => ({
    key: 'a',
    operator: 'Exists',
    effect: 'NoExecute',
    tolerationSeconds,
  });
  const create = (name: string, tolerations: readonly object[]) =>
    world.send('POST', '/apis/node.k8s.io/v1/runtimeclasses', {
      metadata: { name },
      handler: 'h',
      scheduling: { tolerations },
    });
  expect((await create('one', [toleration(large), toleration(large + 2)])).code).toBe(201);
  const twice = await create('two', [toleration(large), toleration(large)]);
  expect([twice.code, twice.message]).toEqual([
    422,
    expect.stringContaining('scheduling.tolerations[1]: Duplicate value'),
  ]);
});

test('a capacity without storage is named as it was given', async () => {
  const world = await createTestWorld();
  const answer = await world.send('POST', '/api/v1/persistentvolumes', {
    metadata: { name: 'v' },
    spec: { accessModes: ['ReadWriteOnce'], capacity: { cpu: large }, hostPath: { path: '/a' } },
  });
  expect([answer.code, answer.message]).toEqual([422, expect.stringContaining('spec.capacity: Unsupported value')]);
});
