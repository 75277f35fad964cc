import { expect, test } from 'vitest';
import { tooManyRequests } from '../../../src/machinery/meta/status.ts';
import { at } from '../../harness/world-answer.ts';
import { createTestWorld } from '../../harness/world.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';

test('a collection whose memory is used up stays in part, and the client receives the time to retry', async () => {
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

// Follows apiserver pkg/registry/generic/registry/store.go DeleteCollection.
test('the answer has the objects as they were found, and a limit is kept', async () => {
  const world = await createTestWorld();
  for (const name of ['a', 'b'])
    await world.send('POST', configMaps, { metadata: { name, finalizers: ['example.com/x'] } });
  const answer = await world.send('DELETE', `${configMaps}?limit=1`);
  expect(at(answer.body, 'items', 0, 'metadata', 'name')).toBe('a');
  expect(at(answer.body, 'items', 0, 'metadata', 'deletionTimestamp')).toBeUndefined();
  expect(at(answer.body, 'items', 1)).toBeUndefined();
  expect(at(answer.body, 'metadata', 'remainingItemCount')).toBe(1);
  const deletion = async (name: string) =>
    at((await world.send('GET', `${configMaps}/${name}`)).body, 'metadata', 'deletionTimestamp');
  expect([await deletion('a'), await deletion('b')]).toEqual([expect.any(String), undefined]);
});
