import { expect, test } from 'vitest';
import { trialOrders, informativeOrders } from '../../../src/analysis/trials/orders.ts';
import type { Order } from '../../../src/explain/trace/permuted-request.ts';

const turnsIn = (orders: readonly Order[]): ReadonlySet<string> =>
  new Set(orders.flatMap((order) => order.map((hook, at) => `${hook} after ${order.slice(0, at).toSorted().join()}`)));

// Of the sets of k webhooks each other one comes after each: the largest such layer is the least that orders can show.
test.each([
  [0, 1],
  [1, 1],
  [2, 2],
  [3, 6],
  [4, 12],
  [5, 30],
  [6, 60],
])('%i webhooks: %i orders show each after every set of others', (count, least) => {
  const base = ['a', 'b', 'c', 'd', 'e', 'f'].slice(0, count);
  const { orders } = trialOrders(base, 0, () => 0);
  const telling = informativeOrders(orders);
  expect(telling).toHaveLength(least);
  expect(telling[0]).toEqual(base);
  expect(turnsIn(telling)).toEqual(turnsIn(orders));
});

test('of no orders there are none', () => {
  expect(informativeOrders([])).toEqual([]);
});
