import type { JsonObject } from '../../machinery/json/json.ts';
import type { FieldChange } from './object-diff.ts';
import type { Trace } from './trace.ts';

/** Policies by name, then webhooks as `CONFIGURATION/WEBHOOK`. */
export type Order = readonly string[];

export type OrderSelection = 'all' | 'pairwise and sampled';

/** How many of the planned orders have a result; 0 of 0 before the plan. */
export interface OrdersProgress {
  readonly tried: number;
  readonly orders: number;
}

/** The results of one request in several orders. */
export interface PermutedRequest {
  /** The name of its step. */
  readonly name: string;
  /** The participants in the configured order. */
  readonly webhooks: Order;
  /** Failed calls in the configured order. */
  readonly unanswered: readonly { readonly webhook: string; readonly error: string }[];
  /** Webhooks that were not called: their effect is unknown. */
  readonly notCalled: readonly string[];
  readonly choice: OrderSelection;
  readonly orders: number;
  /** The orders that were run; the others are derived from calls in these. */
  readonly ran: number;
  /** The result of the configured order first. One result: the order does not matter. */
  readonly results: readonly PermutedResult[];
  /** Neighbours whose order matters. */
  readonly pairs: readonly OrderedPair[];
}

export interface PermutedResult {
  readonly code: number;
  /** Of a refusal. */
  readonly message: string;
  readonly object: JsonObject;
  /** How many orders have this result, and one of them. */
  readonly orders: number;
  readonly example: Order;
  readonly trace: Trace | undefined;
}

export interface OrderedPair {
  readonly first: string;
  readonly second: string;
  /** How many of the `tried` pairs of orders, which differ in these two alone, have different results. */
  readonly differing: number;
  readonly tried: number;
  /** With `first` before `second`, and with `second` before `first`. */
  readonly results: readonly [number, number];
  /** From the first result to the second. */
  readonly changes: readonly FieldChange[];
}

/** As the page receives it: without name and traces. */
export type OrdersDocument = Omit<PermutedRequest, 'name' | 'results'> & {
  readonly results: readonly Omit<PermutedResult, 'trace'>[];
};
