import { expect, test } from 'vitest';
import type { Order } from '../../../src/explain/trace/permuted-request.ts';
import { createSeededRandom } from '../../../src/testing/stubs/seeded-random.ts';
import { findDecisivePair, sampleAdjacentSwaps } from '../../../src/analysis/trials/permute-request.ts';
import { adjacentPairs, type AdjacentPair, trialOrders } from '../../../src/analysis/trials/orders.ts';

const eight = 'abcdefgh'.split('');

test('of 128 planned orders each two are compared, at most four times in orders that were not planned', () => {
  const { orders } = trialOrders(eight, 100, createSeededRandom(7));
  const planned = new Set(orders.map((order) => order.join()));
  const few = sampleAdjacentSwaps(orders);
  const pairs = new Map<string, AdjacentPair[]>();
  for (const one of few) pairs.set(one.first + one.second, [...(pairs.get(one.first + one.second) ?? []), one]);
  expect(pairs.size).toBe(28);
  for (const all of pairs.values()) {
    const unplanned = all.filter(({ order, turned }) => !planned.has(order.join()) || !planned.has(turned.join()));
    expect(unplanned.length).toBeLessThanOrEqual(4);
  }
  expect(few.length).toBeLessThan(adjacentPairs(orders).length / 4);
});

/** Who of two matters, and how many orders were asked for. */
async function decisive(to: Order, outcome: (order: Order) => number): Promise<readonly [string, number]> {
  let asked = 0;
  const found = await findDecisivePair(eight, to, async (order) => {
    asked += 1;
    return outcome(order);
  });
  return [found ? `${found.first}${found.second}` : '', asked];
}

const before = (order: Order, one: string, other: string): boolean => order.indexOf(one) < order.indexOf(other);

test.each([
  ['two', (order: Order) => Number(before(order, 'g', 'b')), 'bg'],
  [
    'two, when a third comes after them',
    (order: Order) => Number(before(order, 'g', 'b') && before(order, 'g', 'a')),
    'ag',
  ],
  ['no pair', () => 3, ''],
] as const)(
  'the way between two orders is halved until it is found who makes the difference: %s',
  async (_fact, outcome, pair) => {
    const [found, asked] = await decisive('hgfedcba'.split(''), outcome);
    expect(found).toBe(pair);
    // 28 changes of place lie on the way.
    expect(asked).toBeLessThanOrEqual(7);
  },
);
