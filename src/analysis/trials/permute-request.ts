import { changesBetween, type FieldChange } from '../../explain/trace/object-diff.ts';
import type { Order, OrderedPair, PermutedRequest, PermutedResult } from '../../explain/trace/permuted-request.ts';
import { asString } from '../../machinery/json/json.ts';
import { reinvocationPolicyOf } from '../../machinery/meta/webhook-fields.ts';
import type { Scenario } from '../../testing/scenario/format.ts';
import { listBackends } from '../../testing/scenario/outage/backends.ts';
import type { WorldAnswer, Worlds } from '../../testing/scenario/world.ts';
import { createSeededRandom } from '../../testing/stubs/seeded-random.ts';
import { stateText, normalizeStored } from './compare-sets.ts';
import { type ComposedOrders, createComposedOrders } from './composed-orders.ts';
import { findNotCalled } from './idempotency.ts';
import {
  type AdjacentPair,
  adjacentPairs,
  type Callees,
  informativeOrders,
  type RequestTrial,
  swapAdjacent,
  trialOrders,
} from './orders.ts';
import { findParticipants, type Participants, findUnanswered } from './participants.ts';
import { isTrialWrite, openTrials } from './trial-setup.ts';

/** The effect of the order of mutating webhooks on a scenario's requests. */
export interface OrderReport {
  readonly scenario: string;
  readonly requests: readonly PermutedRequest[];
}

interface PermuteOptions {
  /** Random orders, where there are too many to try all. */
  readonly samples: number;
  readonly seed: number;
  readonly onProgress?: (text: string) => void;
}

/**
 * Tries each write of a scenario in every order of its mutating webhooks (of many: each pair both ways, then random
 * orders) as dry runs, then executes it. Rejects when the scenario cannot be loaded.
 */
export async function permute(scenario: Scenario, worlds: Worlds, options: PermuteOptions): Promise<OrderReport> {
  const trialWorld = await openTrials(scenario, worlds);
  const callees = listCallees(scenario);
  try {
    const requests: PermutedRequest[] = [];
    for (const step of scenario.steps) {
      options.onProgress?.(step.name);
      if (isTrialWrite(step)) {
        const { samples, seed } = options;
        const attempt = (order?: Order) => trialWorld.attempt(step, order);
        const trial = { attempt, callees, stubbed: trialWorld.stubbed, samples, seed };
        requests.push({ name: step.name, ...(await permuteRequest(trial)) });
      }
      await trialWorld.make(step);
    }
    return { scenario: scenario.name, requests };
  } finally {
    await trialWorld.close();
  }
}

const listCallees = (scenario: Scenario): Callees =>
  new Map(
    listBackends(scenario.load)
      .flatMap(({ webhooks }) => webhooks)
      .map(({ configuration, name, definition }) => {
        const uid = `${configuration}/${name}`;
        return [uid, { uid, reinvocationPolicy: reinvocationPolicyOf(definition) }] as const;
      }),
  );

/** One in this many derived orders is run as a check. */
const checkInterval = 48;

/** The effect of the order of mutating webhooks and policies on a request. */
export async function permuteRequest(trial: RequestTrial): Promise<Omit<PermutedRequest, 'name'>> {
  const found = await findParticipants({ attempt: trial.attempt, mutators: [...trial.callees.keys()] });
  return (await tryOrders(trial, found, true)) ?? (await tryOrders(trial, found, false)) ?? noTrial;
}

const noTrial = {
  webhooks: [],
  unanswered: [],
  notCalled: [],
  choice: 'all',
  orders: 0,
  ran: 0,
  results: [],
  pairs: [],
} as const;

/** undefined: a derived result was wrong; then all orders must be run. */
async function tryOrders(
  { attempt, callees, stubbed, samples, seed, max, onProgress }: RequestTrial,
  { order: base, traces, unanswered }: Participants,
  composes: boolean,
): Promise<Omit<PermutedRequest, 'name'> | undefined> {
  const random = createSeededRandom(seed);
  const { choice, orders } = trialOrders(base, samples, random, max);
  const composed = createComposedOrders<number>(callees);
  const { results, run, ran } = createOrderRuns(attempt, composed);
  const outcomes = new Map<string, number>();
  let holds = true;
  const outcomeOf = async (order: Order): Promise<number> => {
    const name = order.join('\n');
    const known = outcomes.get(name);
    if (known !== undefined) return known;
    const made = composes ? composed.compose(order) : undefined;
    const index = made === undefined || random() < 1 / checkInterval ? await run(order) : made;
    holds &&= made === undefined || made === index;
    outcomes.set(name, index);
    // Pairs may need orders beyond the plan.
    onProgress?.({ tried: Math.min(outcomes.size, orders.length), orders: orders.length });
    return index;
  };
  if (composes) for (const order of informativeOrders(orders)) await outcomeOf(order);
  for (const order of orders) await outcomeOf(order);
  const pairs = results.length < 2 ? [] : await comparePairs({ orders, choice }, results, outcomeOf);
  if (!holds) return undefined;
  const counts = new Map<number, number>();
  for (const index of outcomes.values()) counts.set(index, (counts.get(index) ?? 0) + 1);
  return {
    webhooks: base,
    unanswered,
    notCalled: findNotCalled(base, stubbed, traces),
    choice,
    ran: ran(),
    pairs,
    orders: outcomes.size,
    results: results.map((result, index) => ({ ...result, orders: counts.get(index) ?? 0 })),
  };
}

interface OrderRuns {
  readonly results: readonly PermutedResult[];
  /** Runs an order; returns the number of its result. */
  readonly run: (order: Order) => Promise<number>;
  readonly ran: () => number;
}

function createOrderRuns(attempt: RequestTrial['attempt'], composed: ComposedOrders<number>): OrderRuns {
  const results: PermutedResult[] = [];
  const known = new Map<string, number>();
  let ran = 0;
  const run = async (order: Order): Promise<number> => {
    const answer = await attempt(order);
    ran += 1;
    const result = toResult(answer, order);
    const key = resultKey(result);
    const index = known.get(key) ?? results.push(result) - 1;
    known.set(key, index);
    if (answer?.trace) composed.learn(order, answer.trace, index);
    return index;
  };
  return { results, run, ran: () => ran };
}

function toResult(answer: WorldAnswer | undefined, example: Order): PermutedResult {
  const { code = 0, body = {}, trace } = answer ?? {};
  const isRefused = code >= 400;
  return {
    code,
    message: isRefused ? asString(body['message']) : '',
    object: isRefused ? {} : normalizeStored(body),
    orders: 0,
    example,
    trace,
  };
}

/** Which of several unreachable webhooks fails first does not depend on the order. */
function resultKey({ code, message, object, trace }: PermutedResult): string {
  if (code < 400) return `${code} ${stateText(object)}`;
  return trace && findUnanswered(trace).length > 0 ? `${code} unanswered` : `${code} ${message}`;
}

/**
 * For each two webhooks, how often swapping them matters when they are adjacent. For sampled orders a few adjacent
 * pairs are compared; differences that remain are explained by bisection.
 */
async function comparePairs(
  { orders, choice }: Pick<ReturnType<typeof trialOrders>, 'orders' | 'choice'>,
  results: readonly PermutedResult[],
  outcomeOf: (order: Order) => Promise<number>,
): Promise<readonly OrderedPair[]> {
  const pairs = new Map<string, OrderedPair>();
  const compare = async ({ first, second, order, turned }: AdjacentPair): Promise<void> => {
    const [own, other] = [await outcomeOf(order), await outcomeOf(turned)];
    const key = `${first}\n${second}`;
    const pair = pairs.get(key) ?? { first, second, differing: 0, tried: 0, results: [own, other], changes: [] };
    const isNew = own !== other && pair.differing === 0;
    pairs.set(key, {
      ...pair,
      tried: pair.tried + 1,
      differing: pair.differing + (own === other ? 0 : 1),
      ...(isNew ? { results: [own, other], changes: resultChanges(results[own], results[other]) } : {}),
    });
  };
  for (const one of choice === 'all' ? adjacentPairs(orders) : sampleAdjacentSwaps(orders)) await compare(one);
  if (choice !== 'all') {
    const [base = []] = orders;
    // Differences that found pairs explain.
    const explained = new Set(
      [...pairs.values()].flatMap(({ differing, results: both }) => (differing > 0 ? both : [])),
    );
    for (const [index, { example }] of [...results.entries()].filter(([at]) => !explained.has(at))) {
      const decisive = index === 0 ? undefined : await findDecisivePair(base, example, outcomeOf);
      if (decisive) await compare(decisive);
    }
  }
  const decisive = [...pairs.values()].filter(({ differing }) => differing > 0);
  return decisive.toSorted((one, other) => other.differing / other.tried - one.differing / one.tried);
}

const resultChanges = (one: PermutedResult | undefined, other: PermutedResult | undefined): readonly FieldChange[] =>
  one && other && one.code < 400 && other.code < 400 ? changesBetween(one.object, other.object) : [];

/** Comparisons per pair that need an unplanned order: for eight webhooks all would be seven times the plan. */
const maxPerPair = 4;

/**
 * Samples adjacent pairs of the sampled orders: those with both orders planned, and a few more per pair, spread over
 * the plan.
 */
export function sampleAdjacentSwaps(orders: readonly Order[]): readonly AdjacentPair[] {
  const planned = new Set(orders.map((order) => order.join('\n')));
  const isPlanned = ({ order, turned }: AdjacentPair): boolean =>
    planned.has(order.join('\n')) && planned.has(turned.join('\n'));
  const others = new Map<string, AdjacentPair[]>();
  const found: AdjacentPair[] = [];
  for (const one of adjacentPairs(orders)) {
    if (isPlanned(one)) found.push(one);
    else others.set(pairKey(one), [...(others.get(pairKey(one)) ?? []), one]);
  }
  return [...found, ...[...others.values()].flatMap(sampleEvenly)];
}

const pairKey = ({ first, second }: AdjacentPair): string => `${first}\n${second}`;

const sampleEvenly = (all: readonly AdjacentPair[]): readonly AdjacentPair[] =>
  Array.from({ length: Math.min(maxPerPair, all.length) }, (_none, at) =>
    all.at(Math.floor((at * all.length) / Math.min(maxPerPair, all.length))),
  ).filter((one) => one !== undefined);

/**
 * The adjacent pair that makes the difference between two orders, found by bisection of the swaps between them;
 * undefined when the results are equal.
 */
export async function findDecisivePair(
  from: Order,
  to: Order,
  outcomeOf: (order: Order) => Promise<number>,
): Promise<AdjacentPair | undefined> {
  const way = swapsBetween(from, to);
  const last = await outcomeOf(to);
  if ((await outcomeOf(from)) === last) return undefined;
  let [before, behind] = [0, way.length - 1];
  while (behind - before > 1) {
    const middle = Math.floor((before + behind) / 2);
    if ((await outcomeOf(way[middle] ?? to)) === last) behind = middle;
    else before = middle;
  }
  return swappedPair(way[before] ?? from, way[behind] ?? to);
}

/** Each order differs from the previous one by one swap of neighbours. */
function swapsBetween(from: Order, to: Order): readonly Order[] {
  const way = [from];
  let current = from;
  for (const [place, wanted] of to.entries()) {
    for (let at = current.indexOf(wanted); at > place; at -= 1) {
      current = swapAdjacent(current, at - 1);
      way.push(current);
    }
  }
  return way;
}

function swappedPair(order: Order, turned: Order): AdjacentPair {
  const at = order.findIndex((one, index) => one !== turned[index]);
  const [first = '', second = ''] = [order[at], order[at + 1]];
  return first < second
    ? { first, second, order, turned }
    : { first: second, second: first, order: turned, turned: order };
}
