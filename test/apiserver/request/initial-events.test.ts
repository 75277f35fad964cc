import { expect, test } from 'vitest';
import { asString, valueAt } from '../../../src/machinery/json/json.ts';
import { resourceVersionOf } from '../../../src/apiserver/storage/storage.ts';
import { createTestWorld, type TestWorld } from '../../harness/world.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';
const create = (world: TestWorld, name: string) => world.send('POST', configMaps, { metadata: { name } });
const watchFrom = (world: TestWorld, resourceVersion: string) =>
  world.send(
    'GET',
    `${configMaps}?watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true&resourceVersion=${resourceVersion}`,
  );

/** Opens the watch of an answer; what it shows is added to the list as `ADDED a`. */
function follow({ watch }: Awaited<ReturnType<typeof watchFrom>>) {
  const reported: string[] = [];
  const stop = watch?.(
    ({ type, object }) => {
      const ends = valueAt(object, 'metadata', 'annotations', 'k8s.io/initial-events-end') === 'true' ? 'end' : '';
      reported.push(
        `${type} ${asString(valueAt(object, 'metadata', 'name'))}${asString(valueAt(object, 'message'))}${ends}`,
      );
    },
    () => reported.push('closed'),
  );
  return { reported, stop };
}

// Source: apiserver pkg/storage/cacher/cacher.go; the order is what client-go's reflector waits for since 0.35.
test('what is there, the bookmark that ends it, then what comes', async () => {
  const world = await createTestWorld();
  await create(world, 'a');
  const { reported, stop } = follow(await watchFrom(world, ''));
  await create(world, 'b');
  stop?.();
  await create(world, 'c');
  expect(reported).toEqual(['ADDED a', 'BOOKMARK end', 'ADDED b']);
});

test('a revision to come is waited for', async () => {
  const world = await createTestWorld();
  await create(world, 'a');
  const answer = watchFrom(world, resourceVersionOf(world.store.revision() + 1));
  await world.clock.advance(100);
  await create(world, 'b');
  await world.clock.advance(100);
  const { reported } = follow(await answer);
  await world.clock.advance(0);
  expect(reported).toEqual(['ADDED a', 'ADDED b', 'BOOKMARK end']);
});

test('but not for long', async () => {
  const world = await createTestWorld();
  const current = world.store.revision();
  const answer = watchFrom(world, '999999');
  await world.clock.advance(3000);
  const tooLarge = `ERROR Timeout: Too large resource version: 999999, current: ${current}`;
  const { reported } = follow(await answer);
  await world.clock.advance(0);
  expect(reported).toEqual([tooLarge, 'closed']);
});

// Source: apiserver pkg/storage/cacher: too old a watch is answered, and ends with its first event.
test('a watch older than the log receives the oldest available revision', async () => {
  const world = await createTestWorld();
  await create(world, 'a');
  const key = { resource: { group: '', resource: 'configmaps' }, namespace: 'default', name: 'a' };
  const first = world.store.revision();
  const object = world.store.get(key.resource, 'default', 'a');
  if (!object) throw new Error('nothing is stored');
  for (let revision = first; revision < first + 4_001; revision += 1) await world.store.update(key, object, revision);
  const { watch } = await world.send('GET', `/api/v1/namespaces/default/configmaps?watch=1&resourceVersion=${first}`);
  const reported: unknown[] = [];
  let ended = false;
  watch?.(
    (event) => reported.push(event),
    () => (ended = true),
  );
  const message = expect.stringMatching(new RegExp(`^too old resource version: ${first} \\(\\d+\\)$`));
  expect(reported).toEqual([
    { type: 'ERROR', object: expect.objectContaining({ code: 410, reason: 'Expired', status: 'Failure', message }) },
  ]);
  expect(ended).toBe(true);
});
