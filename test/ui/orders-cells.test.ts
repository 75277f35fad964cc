import { expect, test } from 'vitest';
import type { OrderedPair } from '../../src/explain/trace/permuted-request.ts';
import { createOrdersMatrix } from '../../src/ui/orders-cells.ts';

const pair: OrderedPair = { first: 'c/b', second: 'c/a', differing: 1, tried: 2, results: [0, 1], changes: [] };

test('a pair is on both sides of the diagonal; a policy and a webhook have one order', () => {
  expect(createOrdersMatrix({ webhooks: ['p', 'c/a', 'c/b', 'd/a'], pairs: [pair] }).map(({ cells }) => cells)).toEqual(
    [
      [{ is: 'self' }, { is: 'apart' }, { is: 'apart' }, { is: 'apart' }],
      [{ is: 'apart' }, { is: 'self' }, { is: 'differs', pair }, { is: 'same' }],
      [{ is: 'apart' }, { is: 'differs', pair }, { is: 'self' }, { is: 'same' }],
      [{ is: 'apart' }, { is: 'same' }, { is: 'same' }, { is: 'self' }],
    ],
  );
});

test('no webhooks', () => {
  expect(createOrdersMatrix({ webhooks: [], pairs: [] })).toEqual([]);
});
