import { isPolicy } from '../explain/render/about-decision.ts';
import type { OrderedPair, OrdersDocument } from '../explain/trace/permuted-request.ts';

export type OrdersCell =
  | { readonly is: 'self' | 'same' }
  /** A policy and a webhook, whose order is fixed. */
  | { readonly is: 'apart' }
  | { readonly is: 'differs'; readonly pair: OrderedPair };

export interface OrdersRow {
  readonly name: string;
  readonly cells: readonly OrdersCell[];
}

/** All pairs in the order in force; each is on both sides of the diagonal. */
export const createOrdersMatrix = ({
  webhooks,
  pairs,
}: Pick<OrdersDocument, 'webhooks' | 'pairs'>): readonly OrdersRow[] =>
  webhooks.map((name) => ({ name, cells: webhooks.map((other) => createCell(name, other, pairs)) }));

function createCell(one: string, other: string, pairs: readonly OrderedPair[]): OrdersCell {
  if (one === other) return { is: 'self' };
  if (isPolicy(one) !== isPolicy(other)) return { is: 'apart' };
  const pair = pairs.find(({ first, second }) => [first, second].includes(one) && [first, second].includes(other));
  return pair ? { is: 'differs', pair } : { is: 'same' };
}
