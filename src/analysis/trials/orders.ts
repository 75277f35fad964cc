import { isPolicyEntry } from '../../apiserver/admission/chain/attributes.ts';
import type { Random } from '../../machinery/clock.ts';
import type { OrderSelection, Order, OrdersProgress } from '../../explain/trace/permuted-request.ts';
import type { Callee } from '../../apiserver/admission/chain/reinvocation.ts';
import type { WorldAnswer } from '../../testing/scenario/world.ts';
import { permutations } from '../../machinery/lists.ts';
import { shuffle } from '../../testing/stubs/seeded-random.ts';

/** Up to here all orders are tried: six webhooks have 720. */
const maxOrders = 720;

/**
 * The orders to try, the given one first: all of a few; of many each pair swapped, and `samples` random ones.
 * Policies precede webhooks, as in the chain.
 */
export function trialOrders(
  base: Order,
  samples: number,
  random: Random,
  max = maxOrders,
): { readonly choice: OrderSelection; readonly orders: readonly Order[] } {
  const stages = [base.filter(isPolicyEntry), base.filter((name) => !isPolicyEntry(name))];
  if (stages.reduce((count, { length }) => count * factorial(length), 1) <= max) {
    return { choice: 'all', orders: stages.map(permutations).reduce(combineOrders) };
  }
  const pairs = base.flatMap((later, at) =>
    base
      .slice(0, at)
      .filter((earlier) => isSameStage(earlier, later))
      .map((earlier) => moveBefore(base, later, earlier)),
  );
  const drawn = Array.from({ length: samples }, () => stages.flatMap((stage) => shuffle(stage, random)));
  const unique = new Map([base, ...pairs, ...drawn].map((order) => [order.join('\n'), order]));
  return { choice: 'pairwise and sampled', orders: [...unique.values()] };
}

const factorial = (count: number): number => (count <= 1 ? 1 : count * factorial(count - 1));

const combineOrders = (first: readonly Order[], then: readonly Order[]): readonly Order[] =>
  first.flatMap((one) => then.map((other) => [...one, ...other]));

const isSameStage = (one: string, another: string): boolean => isPolicyEntry(one) === isPolicyEntry(another);

/**
 * The most informative orders, the first one first: together they show each webhook after every set of others. For
 * six webhooks that is half of the invocations of all orders.
 */
export function informativeOrders(orders: readonly Order[]): readonly Order[] {
  const [first, ...others] = orders.map((order) => ({ order, calls: predecessorKeys(order) }));
  if (!first) return [];
  const seen = new Set(first.calls);
  const decisive = [first.order];
  for (let wanted = first.calls.length; wanted > 0; wanted -= 1) {
    for (const { order, calls } of others) {
      if (calls.reduce((fresh, name) => fresh + (seen.has(name) ? 0 : 1), 0) < wanted) continue;
      for (const name of calls) seen.add(name);
      decisive.push(order);
    }
  }
  return decisive;
}

/** Each webhook with the set of those before it. */
const predecessorKeys = (order: Order): readonly string[] =>
  order.map((hook, at) => [hook, ...order.slice(0, at).toSorted()].join('\n'));

/** All orders, the given one first. */
function moveBefore(order: Order, moved: string, before: string): Order {
  const rest = order.filter((one) => one !== moved);
  const at = rest.indexOf(before);
  return [...rest.slice(0, at), moved, ...rest.slice(at)];
}

/** Swaps the item at this index with the next. */
export const swapAdjacent = (order: Order, at: number): Order => [
  ...order.slice(0, at),
  ...order.slice(at + 1, at + 2),
  ...order.slice(at, at + 1),
  ...order.slice(at + 2),
];

export interface AdjacentPair {
  readonly first: string;
  readonly second: string;
  /** Orders that differ only in these two. */
  readonly order: Order;
  readonly turned: Order;
}

/** All adjacent pairs in these orders, each pair of orders once. */
export function adjacentPairs(orders: readonly Order[]): readonly AdjacentPair[] {
  const seen = new Set<string>();
  return orders.flatMap((order) =>
    [...order.slice(0, -1).keys()].flatMap((at) => {
      const turned = swapAdjacent(order, at);
      const [one = '', another = ''] = [order[at], order[at + 1]];
      if (!isSameStage(one, another)) return [];
      const found: AdjacentPair =
        one < another
          ? { first: one, second: another, order, turned }
          : { first: another, second: one, order: turned, turned: order };
      const key = `${at} ${found.order.join('\n')}`;
      if (seen.has(key)) return [];
      seen.add(key);
      return [found];
    }),
  );
}

/** The webhooks to call, by `CONFIGURATION/WEBHOOK`. */
export type Callees = ReadonlyMap<string, Callee>;

export interface RequestTrial {
  /** Sends a dry run with this order; undefined: the default order. */
  readonly attempt: (order?: Order) => Promise<WorldAnswer | undefined>;
  readonly callees: Callees;
  /** Webhooks replaced by stubs, `CONFIGURATION/WEBHOOK`. */
  readonly stubbed: ReadonlySet<string>;
  /** Random orders, where there are too many to try all. */
  readonly samples: number;
  readonly seed: number;
  /** Up to this number all orders are tried; default: 720, those of six. */
  readonly max?: number;
  /** How many of the orders have a result. */
  readonly onProgress?: (progress: OrdersProgress) => void;
}
