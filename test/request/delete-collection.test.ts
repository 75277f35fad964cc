import { expect, test } from 'vitest';
import { tooManyRequests } from '../../src/apimachinery/status.ts';
import { createTestWorld } from '../harness/world.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';

test('a collection of which the memory is used up stays in part, and the client is told when to come again', async () => {
  const world = await createTestWorld();
  for (const name of ['a', 'b', 'c']) await world.send('POST', configMaps, { metadata: { name } });
  let asked = 0;
  const exhaustion = (): ReturnType<typeof tooManyRequests> | undefined => {
    asked += 1;
    return asked > 2 ? tooManyRequests('used up', 1) : undefined;
  };
  const answer = await world.send('DELETE', configMaps, undefined, { exhaustion });
  expect([answer.code, answer.message]).toEqual([429, 'used up']);
  expect((await world.send('GET', `${configMaps}/b`)).code).toBe(404);
  expect((await world.send('GET', `${configMaps}/c`)).code).toBe(200);
});
