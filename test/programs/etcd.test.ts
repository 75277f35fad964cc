import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connectToEtcd } from '../../src/adapters/storage/etcd/connection.ts';
import { openEtcd } from '../../src/adapters/storage/etcd/open-etcd.ts';
import { clock } from '../../src/app/server/clock.ts';
import { openCachedStore } from '../../src/apiserver/storage/cached-store.ts';
import { type EtcdProcess, hasEtcd, startEtcd } from '../harness/etcd-process.ts';
import { keyOf, object, storageContract } from '../apiserver/storage/contract.ts';

const resources = [
  { group: '', resource: 'configmaps' },
  { group: '', resource: 'events' },
  { group: 'apps', resource: 'deployments' },
];
const configMaps = keyOf('', '').resource;

test.runIf(!hasEtcd)('NOT RUN, there is no etcd: storage in etcd', () => {
  expect(hasEtcd).toBe(false);
});

describe.skipIf(!hasEtcd)('etcd', () => {
  let etcd: EtcdProcess;
  beforeAll(async () => {
    etcd = await startEtcd();
  });
  afterAll(() => etcd.close());

  let prefixes = 0;
  const open = (prefix = `test-${(prefixes += 1)}`, troubles: unknown[] = [], eventTtl = 3_600_000) =>
    openEtcd({
      servers: [etcd.url],
      deadlineMs: 1000,
      prefix,
      builtIn: resources,
      eventTtl,
      clock,
      onUnreadable: () => {},
      onLost: (error) => troubles.push(error),
    });
  const openCached = async (prefix?: string) => {
    const { storage, close } = open(prefix);
    const store = await openCachedStore(storage, { clock, onLost: () => {} });
    return { ...store, source: storage, close: () => (store.close(), close()) };
  };

  storageContract('etcd behind a cache', () => openCached());

  // Source: etcdctl get --prefix /registry on a cluster with --storage-media-type=application/json
  test('an object has the key and the encoding of kube-apiserver', async () => {
    const { storage, close } = open('/registry');
    await storage.create(keyOf('ns', 'a'), object('ns', 'a', 'x'));
    const connection = connectToEtcd({ servers: [etcd.url] });
    const { kvs } = await connection.call('RangeRequest', { key: Buffer.from('/registry/configmaps/ns/a') });
    expect(kvs.map(({ value }) => value.toString())).toEqual([
      '{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"a","namespace":"ns"},"data":{"value":"x"}}\n',
    ]);
    connection.close();
    close();
  });

  test('each sees the writes of the other, and a write outside of the prefix delays none', async () => {
    const [first, second] = [await openCached('shared'), await openCached('shared')];
    await first.storage.create(keyOf('ns', 'a'), object('ns', 'a'));
    expect(await second.storage.readAll(configMaps)).toMatchObject({ items: [{ metadata: { name: 'a' } }] });
    expect(second.cluster.get(configMaps, 'ns', 'a')).toBeDefined();
    const other = open('other');
    await other.storage.create(keyOf('ns', 'b'), object('ns', 'b'));
    expect(await second.storage.readAll(configMaps)).toMatchObject({ items: [{ metadata: { name: 'a' } }] });
    // It was the cache that answered: it has come as far as the other write.
    expect(second.cluster.revision()).toBeGreaterThanOrEqual(await other.storage.latest());
    for (const { close } of [first, second, other]) close();
  });

  // Two seconds are the shortest lease that etcd grants.
  test('an Event is deleted after --event-ttl, and watches receive the deletion', async () => {
    const { storage, close } = open('ttl', [], 2000);
    const key = { resource: { group: '', resource: 'events' }, namespace: 'ns', name: 'a' };
    await storage.create(keyOf('ns', 'stays'), object('ns', 'stays'));
    const created = await storage.create(key, object('ns', 'a'));
    const removed = await new Promise((resolve) => {
      storage.watchAll(created.stored.revision, { onWrite: resolve });
    });
    expect(removed).toEqual({ key, revision: created.stored.revision + 1 });
    expect(await storage.read(key)).toBeUndefined();
    expect(await storage.read(keyOf('ns', 'stays'))).toBeDefined();
    close();
  });

  test('a compacted revision is expired, and its watches end with that error', async () => {
    const { storage, close } = open('compacted');
    const begun = await storage.latest();
    for (const name of ['a', 'b', 'c']) await storage.create(keyOf('ns', name), object('ns', name));
    const connection = connectToEtcd({ servers: [etcd.url] });
    await connection.call('CompactionRequest', { revision: begun + 3 });
    connection.close();
    expect(await storage.readAll(configMaps, undefined, begun + 1)).toEqual({ outcome: 'expired' });
    expect(await storage.readAll(configMaps)).toMatchObject({ items: [{}, {}, {}] });
    await new Promise<void>((resolve) => storage.watchAll(begun, { onWrite: () => {}, onCompacted: resolve }));
    close();
  });

  test('after an outage of etcd no acknowledged write is lost, and the cache catches up; meanwhile requests fail with its error', async () => {
    const { storage, cluster, close } = await openCached('restart');
    await storage.create(keyOf('ns', 'a'), object('ns', 'a'));
    await etcd.kill();
    const lost = await storage.create(keyOf('ns', 'b'), object('ns', 'b')).catch((error: unknown) => error);
    expect(lost).toMatchObject({ status: { code: 500, message: expect.stringMatching(/Unavailable|timed out/) } });
    expect(cluster.get(configMaps, 'ns', 'a')).toBeDefined();
    await etcd.start();
    expect(await storage.create(keyOf('ns', 'c'), object('ns', 'c'))).toMatchObject({ outcome: 'stored' });
    expect(await storage.readAll(configMaps)).toMatchObject({ items: [{}, { metadata: { name: 'c' } }] });
    expect(cluster.get(configMaps, 'ns', 'c')).toBeDefined();
    close();
  });
});
