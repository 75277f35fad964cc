import { expect, test } from 'vitest';
import { createEventLeases } from '../../../src/adapters/storage/etcd/open-etcd.ts';
import type { EtcdConnection } from '../../../src/adapters/storage/etcd/connection.ts';
import { keyOf } from '../../apiserver/storage/contract.ts';

/** The leases that were granted, and a clock that the test advances. */
function open(eventTtl: number, grants: (count: number) => Promise<{ readonly ID: string }>) {
  const asked: unknown[] = [];
  let now = 0;
  const call: EtcdConnection['call'] = (async (_name: string, message: object) => {
    asked.push(message);
    return grants(asked.length);
  }) as EtcdConnection['call'];
  const clock = { now: () => now, sleep: async () => {} };
  const leaseFor = createEventLeases({ call }, { clock, eventTtl });
  const event = () => leaseFor({ resource: { group: '', resource: 'events' }, namespace: 'ns', name: 'a' });
  return { event, leaseFor, asked, pass: (ms: number) => (now += ms) };
}
const numbered = async (count: number) => ({ ID: String(count) });
const hour = 3_600_000;

// Source: apiserver pkg/storage/etcd3/lease_manager.go: a lease of five hundredths more than the time, a minute at most, is used
// for that share of it and for a thousand objects.
test('Events share a lease, which lasts a minute longer than an hour, until that minute is over', async () => {
  const { event, asked, pass } = open(hour, numbered);
  const [first, second] = [await event(), await event()];
  pass(59_999);
  const third = await event();
  pass(1);
  expect([first, second, third, await event()]).toEqual(['1', '1', '1', '2']);
  expect(asked).toEqual([{ TTL: 3660 }, { TTL: 3660 }]);
});

test('a thousand share it, no more', async () => {
  const { event } = open(hour, numbered);
  const given = await Promise.all(Array.from({ length: 1001 }, event));
  expect([given[0], given[999], given[1000]]).toEqual(['1', '1', '2']);
});

test('of a short time the share is smaller', async () => {
  const { event, asked } = open(100_000, numbered);
  await event();
  expect(asked).toEqual([{ TTL: 105 }]);
});

test.each([
  ['other objects have none', hour, 'configmaps'],
  ['--event-ttl=0: Events have none', 0, 'events'],
])('%s', async (_what, ttl, resource) => {
  const { leaseFor, asked } = open(ttl, numbered);
  expect([await leaseFor({ ...keyOf('ns', 'a'), resource: { group: '', resource } }), asked]).toEqual(['0', []]);
});

test('after etcd granted none it is asked again', async () => {
  const { event } = open(hour, (count) => (count === 1 ? Promise.reject(new Error('away')) : numbered(count)));
  await expect(event()).rejects.toThrow('away');
  expect(await event()).toBe('2');
});
