import { expect, test } from 'vitest';
import { matrixOrders } from '../../../src/testing/scenario/read/matrix.ts';

const named = (count: number): readonly string[] => Array.from({ length: count }, (_none, at) => `c${at}`);

test.each<readonly [count: number, possible: bigint, tried: number]>([
  [2, 2n, 2],
  [5, 120n, 120],
  [6, 720n, 120],
  [10, 3_628_800n, 120],
  [25, 15_511_210_043_330_985_984_000_000n, 120],
  [100, matrixOrders(named(100)).possible, 120],
])('of %i names', (count, possible, tried) => {
  const orders = matrixOrders(named(count));
  expect(orders.possible).toBe(possible);
  expect(new Set(orders.tried.map((order) => order.join(' '))).size).toBe(tried);
  for (const order of orders.tried) expect(order.toSorted()).toEqual(named(count).toSorted());
});

test('a sample has every two names in both orders, and is always the same', () => {
  const { tried } = matrixOrders(named(10));
  const pairs = new Set(
    tried.flatMap((order) => order.flatMap((a, at) => order.slice(at + 1).map((b) => `${a}<${b}`))),
  );
  expect(pairs.size).toBe(90);
  expect(matrixOrders(named(10)).tried).toEqual(tried);
});
