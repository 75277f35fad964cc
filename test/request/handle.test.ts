import { expect, test } from 'vitest';
import { createTestWorld } from '../harness/world.ts';

test('a ConfigMap is created and read back', async () => {
  const world = await createTestWorld();
  const made = await world.send('POST', '/api/v1/namespaces/default/configmaps', {
    metadata: { name: 'a' },
    data: { k: 'v' },
  });
  expect(made.code).toBe(201);
  const read = await world.send('GET', '/api/v1/namespaces/default/configmaps/a');
  expect(read).toEqual({ ...made, code: 200 });
  expect(world.bugs).toEqual([]);
});
