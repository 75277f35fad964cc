import { afterEach, describe, expect, test } from 'vitest';
import { openEtcd } from '../../src/adapters/storage/etcd/open-etcd.ts';
import { clock } from '../../src/app/server/clock.ts';
import { openCachedStore } from '../../src/apiserver/storage/cached-store.ts';
import { type EtcdProcess, hasEtcd, startEtcdMembers } from '../harness/etcd-process.ts';
import { keyOf, object } from '../apiserver/storage/contract.ts';

test.runIf(!hasEtcd)('NOT RUN, there is no etcd: an etcd of three members', () => {
  expect(hasEtcd).toBe(false);
});

describe.skipIf(!hasEtcd)('an etcd of three members', () => {
  const closing: (() => unknown)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0).toReversed()) await close();
  });

  const open = async (members: readonly EtcdProcess[]) => {
    closing.push(() => Promise.all(members.map((member) => member.close())));
    const etcd = openEtcd({
      servers: members.map(({ url }) => url),
      deadlineMs: 3000,
      prefix: '/registry',
      builtIn: [keyOf('', '').resource],
      eventTtl: 0,
      clock,
      onUnreadable: () => {},
      onLost: () => {},
    });
    closing.push(etcd.close);
    const store = await openCachedStore(etcd.storage, { clock, onLost: () => {} });
    closing.push(store.close);
    return store;
  };
  const configMaps = keyOf('', '').resource;
  const named = (...names: readonly string[]) => names.map((name) => ({ metadata: { name } }));
  /** Retries writes that failed because a server went away, as clients do. */
  const written = async ({ storage }: Awaited<ReturnType<typeof open>>, name: string): Promise<void> => {
    for (;;) {
      const outcome = await storage.create(keyOf('ns', name), object('ns', name)).catch(() => undefined);
      if (outcome) return;
      await clock.sleep(100);
    }
  };

  test.each([0, 1, 2])(
    'the member that is asked is killed (%i): the others are asked, and the watch goes on at one of them',
    async (index) => {
      const members = await startEtcdMembers(3);
      const store = await open(members);
      await written(store, 'a');
      await members[index]?.kill();
      await written(store, 'b');
      expect(await store.storage.readAll(configMaps)).toMatchObject({ outcome: 'read', items: named('a', 'b') });
      expect(store.cluster.list(configMaps)).toMatchObject(named('a', 'b'));
      await members[index]?.start();
      await members[(index + 1) % 3]?.kill();
      await written(store, 'c');
      expect(await store.storage.readAll(configMaps)).toMatchObject({ items: named('a', 'b', 'c') });
      expect(store.cluster.list(configMaps)).toMatchObject(named('a', 'b', 'c'));
    },
  );

  test('a server that is unavailable from the start is skipped', async () => {
    const members = await startEtcdMembers(3);
    await members[0]?.kill();
    const store = await open(members);
    await written(store, 'a');
    expect(store.cluster.list(configMaps)).toMatchObject(named('a'));
  });

  test('without a majority writes are refused, and none of them is stored afterwards', async () => {
    const members = await startEtcdMembers(3);
    const store = await open(members);
    await written(store, 'a');
    await Promise.all([members[1]?.kill(), members[2]?.kill()]);
    const refused = await store.storage.create(keyOf('ns', 'b'), object('ns', 'b')).catch((error: unknown) => error);
    expect(refused).toMatchObject({
      status: { code: 500, message: expect.stringMatching(/timed out|Unavailable|leader/) },
    });
    await Promise.all([members[1]?.start(), members[2]?.start()]);
    await written(store, 'c');
    expect(store.cluster.list(configMaps).map(({ metadata }) => metadata?.name)).toContain('c');
  });
});
