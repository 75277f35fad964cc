import { expect, test } from 'vitest';
import { asObject } from '../../../src/machinery/json/json.ts';
import type { WatchEvent } from '../../../src/apiserver/request/api-request.ts';
import type { Storage, StoreKey } from '../../../src/apiserver/storage/storage.ts';
import { register, ruleFor } from '../../harness/configurations.ts';
import { createImmediateClock } from '../../harness/virtual-clock.ts';
import { at } from '../../harness/world-answer.ts';
import { createTestWorld, type TestWorld } from '../../harness/world.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';

const watchWrites = (world: TestWorld): Promise<void> =>
  register(world, 'validating', { name: 'v.example.com', ...ruleFor(['CREATE', 'UPDATE'], 'configmaps') });

/** A store in which another client writes the object just before each of the first `races` updates. */
const losing =
  (races: number) =>
  (store: Storage): Storage => {
    let left = races;
    return {
      ...store,
      update: async (key, object, expected) => {
        if (key.resource.resource !== 'configmaps' || left === 0) return store.update(key, object, expected);
        left -= 1;
        const stored = await store.read(key);
        if (stored) await store.update(key, { ...stored.object, data: { other: String(left) } }, stored.revision);
        return store.update(key, object, expected);
      },
    };
  };

// Source: rules PATH-23 and PATH-32.
test('a PATCH that loses races is applied anew each time, and its webhooks are asked again', async () => {
  const world = await createTestWorld({ wrapStore: losing(2) });
  await watchWrites(world);
  await world.send('POST', configMaps, { metadata: { name: 'a' } });
  const patched = await world.send('PATCH', `${configMaps}/a`, { data: { mine: '1' } });
  expect(patched).toMatchObject({ code: 200, body: { data: { mine: '1', other: '0' } } });
  const seen = world.calls.slice(1).map(({ request }) => at(request, 'oldObject', 'data', 'other'));
  expect(seen).toEqual([undefined, '1', '0']);
});

test('a PUT that names its revision conflicts instead', async () => {
  const world = await createTestWorld({ wrapStore: losing(1) });
  const { body } = await world.send('POST', configMaps, { metadata: { name: 'a' } });
  const put = await world.send(
    'PUT',
    `${configMaps}/a`,
    body['data'] === undefined ? { ...body, data: { k: 'v' } } : body,
  );
  expect(`${put.code} ${put.message}`).toBe(
    '409 Operation cannot be fulfilled on configmaps "a": the object has been modified; please apply your changes to the latest version and try again',
  );
});

// Source: apiserver pkg/registry/generic/registry/store.go deleteWithoutFinalizers: it has no precondition but the uid.
test('an admitted update that takes off the last finalizer removes the object, whatever is written before the removal', async () => {
  let races = 1;
  const world = await createTestWorld({
    wrapStore: (store) => ({
      ...store,
      remove: async (key, expected) => {
        const stored = races > 0 && key.resource.resource === 'configmaps' ? await store.read(key) : undefined;
        if (stored) {
          races -= 1;
          await store.update(key, { ...stored.object, data: { other: '1' } }, stored.revision);
        }
        return store.remove(key, expected);
      },
    }),
  });
  await world.send('POST', configMaps, { metadata: { name: 'a', finalizers: ['example.com/hold'] } });
  await world.send('DELETE', `${configMaps}/a`);
  const { body } = await world.send('GET', `${configMaps}/a`);
  const released = { ...body, metadata: { ...asObject(body['metadata']), finalizers: [] } };
  const put = await world.send('PUT', `${configMaps}/a`, released);
  expect(put).toMatchObject({ code: 200, body: { metadata: { name: 'a' } } });
  expect(await world.send('GET', `${configMaps}/a`)).toMatchObject({ code: 404 });
});

// Source: apiserver pkg/storage/etcd3/store.go GuaranteedUpdate: its writes end with the context of the request.
test.each<[what: string, path: string, body: object]>([
  ['a binding', '/binding', { metadata: { name: 'p' }, target: { kind: 'Node', name: 'n1' } }],
  ['an eviction', '/eviction', { metadata: { name: 'p' } }],
])('%s before which another write always comes ends with its time', async (_what, path, body) => {
  const clock = createImmediateClock();
  let tries = 0;
  const lost = async (store: Storage, key: StoreKey) => {
    tries += 1;
    await clock.advance(4000);
    const stored = await store.read(key);
    if (stored === undefined || tries > 100) throw new Error(`${tries} tries`);
    return { outcome: 'conflict', stored } as const;
  };
  const world = await createTestWorld({
    clock,
    wrapStore: (store) => ({
      ...store,
      update: (key, object, expected) =>
        key.resource.resource === 'pods' ? lost(store, key) : store.update(key, object, expected),
      remove: (key, expected) => (key.resource.resource === 'pods' ? lost(store, key) : store.remove(key, expected)),
    }),
  });
  const pods = '/api/v1/namespaces/default/pods';
  const made = { metadata: { name: 'p' }, spec: { containers: [{ name: 'c', image: 'i' }] } };
  await world.send('POST', '/api/v1/namespaces/default/serviceaccounts', { metadata: { name: 'default' } });
  await world.send('POST', pods, made);
  const answer = await world.send('POST', `${pods}/p${path}?timeout=10s`, body);
  expect([answer.code, answer.message, tries]).toEqual([
    504,
    'Timeout: request did not complete within the allotted timeout',
    3,
  ]);
});

// Source: rule PATH-9.
test('a generated name that is taken is tried 8 times, with validating admission each time', async () => {
  const world = await createTestWorld({ random: () => 0 });
  await watchWrites(world);
  await world.send('POST', configMaps, { metadata: { generateName: 'a-' } });
  const second = await world.send('POST', configMaps, { metadata: { generateName: 'a-' } });
  expect(`${second.code} ${second.message}`).toBe(
    '409 configmaps "a-bbbbb" already exists, the server was not able to generate a unique name for the object',
  );
  expect(world.calls).toHaveLength(9);
});

async function watched(world: TestWorld, target: string): Promise<readonly WatchEvent[]> {
  const events: WatchEvent[] = [];
  const { watch } = await world.send('GET', target);
  watch?.(
    (event) => events.push(event),
    () => {},
  );
  return events;
}

const textOf = ({ type, object }: WatchEvent): string => `${type} ${String(at(object, 'metadata', 'name'))}`;

// Source: spec/kubectl.md section 8.2.
test.each<readonly [target: string, events: readonly string[]]>([
  [`${configMaps}?watch=1`, ['ADDED a', 'ADDED b', 'MODIFIED a', 'DELETED b']],
  [`${configMaps}?watch=1&labelSelector=on`, ['ADDED a']],
  [`${configMaps}?watch=1&labelSelector=%21on`, ['ADDED a', 'ADDED b', 'DELETED a', 'DELETED b']],
  [`${configMaps}?watch=1&fieldSelector=metadata.name%3Db`, ['ADDED b', 'DELETED b']],
  ['/api/v1/watch/namespaces/default/configmaps/b', ['ADDED b', 'DELETED b']],
  ['/api/v1/watch/namespaces/other/configmaps', []],
  [`${configMaps}?watch=1&resourceVersion=1000000`, []],
])('a watch of %s', async (target, expected) => {
  const world = await createTestWorld();
  for (const name of ['a', 'b']) await world.send('POST', configMaps, { metadata: { name } });
  const events = await watched(world, target);
  await world.send('PATCH', `${configMaps}/a`, { metadata: { labels: { on: 'x' } } });
  await world.send('DELETE', `${configMaps}/b`);
  expect(events.map(textOf)).toEqual(expected);
});

test('pages show the collection as it was at the first of them', async () => {
  const world = await createTestWorld();
  for (const name of ['a', 'b', 'c']) await world.send('POST', configMaps, { metadata: { name } });
  const first = await world.send('GET', `${configMaps}?limit=1`);
  expect(at(first.body, 'metadata', 'remainingItemCount')).toBe(2);
  await world.send('DELETE', `${configMaps}/b`);
  await world.send('POST', configMaps, { metadata: { name: 'bb' } });
  const next = await world.send('GET', `${configMaps}?continue=${String(at(first.body, 'metadata', 'continue'))}`);
  const names = [0, 1, 2].map((index) => at(next.body, 'items', index, 'metadata', 'name'));
  expect(names).toEqual(['b', 'c', undefined]);
  expect(at(next.body, 'metadata', 'resourceVersion')).toBe(at(first.body, 'metadata', 'resourceVersion'));
});

// Source: apiserver pkg/storage/etcd3/store.go: a limit makes a revision exact, if there is one.
test.each([
  ['limit=1&resourceVersion=NOW', ['a']],
  ['limit=2&resourceVersion=NOW', ['a', 'b']],
  ['limit=1&resourceVersion=0', ['b']],
  ['limit=1', ['b']],
  ['resourceVersion=NOW', ['b']],
  ['resourceVersion=NOW&resourceVersionMatch=Exact', ['a', 'b']],
  ['limit=1&resourceVersion=NOW&resourceVersionMatch=NotOlderThan', ['b']],
])('a list with %s after a was deleted has %j', async (query, names) => {
  const world = await createTestWorld();
  for (const name of ['a', 'b']) await world.send('POST', configMaps, { metadata: { name } });
  const all = await world.send('GET', configMaps);
  await world.send('DELETE', `${configMaps}/a`);
  const now = String(at(all.body, 'metadata', 'resourceVersion'));
  const { body } = await world.send('GET', `${configMaps}?${query.replace('NOW', now)}`);
  const listed = [0, 1].map((index) => at(body, 'items', index, 'metadata', 'name'));
  expect(listed.filter((name) => name !== undefined)).toEqual(names);
});

// Source: apiserver pkg/endpoints/installer.go: no route has these.
test.each([
  ['HEAD', configMaps, 405],
  ['POST', `${configMaps}/a`, 405],
  ['PUT', configMaps, 405],
  ['POST', '/api/v1/watch/configmaps', 405],
  ['GET', `${configMaps}/a/nothing`, 404],
  ['GET', '/api/v1/nothing', 404],
  ['GET', configMaps.replace('/v1/', '/v1//'), 404],
  ['PUT', '/api/v1/namespaces/default/pods/p/exec', 405],
])('%s %s is %i', async (method, target, code) => {
  const world = await createTestWorld();
  expect((await world.send(method, target, method === 'GET' ? undefined : {})).code).toBe(code);
});
