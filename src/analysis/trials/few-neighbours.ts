import { neighbours, swapped } from './orders.ts';
import type { Neighbours } from './orders.ts';
import type { Order } from '../../explain/trace/permuted-request.ts';

/** So many comparisons of two webhooks need an order that was not planned: with eight webhooks all of them would be seven times the plan. */
const mostPerPair = 4;

/**
 * Of the neighbours in orders that were drawn: those of which both orders were planned, and for each two webhooks a few more, taken from
 * all over the plan.
 */
export function fewNeighbours(orders: readonly Order[]): readonly Neighbours[] {
  const planned = new Set(orders.map((order) => order.join('\n')));
  const isPlanned = ({ order, turned }: Neighbours): boolean =>
    planned.has(order.join('\n')) && planned.has(turned.join('\n'));
  const others = new Map<string, Neighbours[]>();
  const found: Neighbours[] = [];
  for (const one of neighbours(orders)) {
    if (isPlanned(one)) found.push(one);
    else others.set(pairOf(one), [...(others.get(pairOf(one)) ?? []), one]);
  }
  return [...found, ...[...others.values()].flatMap(spread)];
}

const pairOf = ({ first, second }: Neighbours): string => `${first}\n${second}`;

const spread = (all: readonly Neighbours[]): readonly Neighbours[] =>
  Array.from({ length: Math.min(mostPerPair, all.length) }, (_none, at) =>
    all.at(Math.floor((at * all.length) / Math.min(mostPerPair, all.length))),
  ).filter((one) => one !== undefined);

/**
 * Two neighbours whose order makes the difference between these two orders, found by halving the way from the one to the other, on which
 * two that stand side by side change places at a time; undefined when both come to the same.
 */
export async function decisiveNeighbours(
  from: Order,
  to: Order,
  outcomeOf: (order: Order) => Promise<number>,
): Promise<Neighbours | undefined> {
  const way = wayBetween(from, to);
  const last = await outcomeOf(to);
  if ((await outcomeOf(from)) === last) return undefined;
  let [before, behind] = [0, way.length - 1];
  while (behind - before > 1) {
    const middle = Math.floor((before + behind) / 2);
    if ((await outcomeOf(way[middle] ?? to)) === last) behind = middle;
    else before = middle;
  }
  return neighboursBetween(way[before] ?? from, way[behind] ?? to);
}

/** Each order on the way differs from the one before it in two that stand side by side. */
function wayBetween(from: Order, to: Order): readonly Order[] {
  const way = [from];
  let current = from;
  for (const [place, wanted] of to.entries()) {
    for (let at = current.indexOf(wanted); at > place; at -= 1) {
      current = swapped(current, at - 1);
      way.push(current);
    }
  }
  return way;
}

function neighboursBetween(order: Order, turned: Order): Neighbours {
  const at = order.findIndex((one, index) => one !== turned[index]);
  const [first = '', second = ''] = [order[at], order[at + 1]];
  return first < second
    ? { first, second, order, turned }
    : { first: second, second: first, order: turned, turned: order };
}
