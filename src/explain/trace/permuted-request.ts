import type { JsonObject } from '../../machinery/json/json.ts';
import type { Change } from './object-changes.ts';
import type { Trace } from './trace.ts';

/** Whose turn it is: policies by name, then webhooks as `CONFIGURATION/WEBHOOK`. */
export type Order = readonly string[];

/** How the orders were chosen. */
export type Choice = 'all' | 'pairwise and sampled';

/** One request in all the orders that were tried. */
export interface PermutedRequest {
  /** The name of its step. */
  readonly name: string;
  /** Who takes part, in the order in which they are asked: policies by name, then webhooks as `CONFIGURATION/WEBHOOK`. */
  readonly webhooks: Order;
  /** Those that were called in vain in the order in force, and what went wrong. */
  readonly unanswered: readonly { readonly webhook: string; readonly error: string }[];
  /** Those that were not called: nothing is known of what they do. */
  readonly uncalled: readonly string[];
  readonly choice: Choice;
  readonly orders: number;
  /** How many of them were run; the others are made of turns that were seen in these. */
  readonly ran: number;
  /** What they came to, that of the order in force first. One: the order does not matter. */
  readonly results: readonly PermutedResult[];
  /** Neighbours of which it matters who comes first. */
  readonly pairs: readonly OrderedPair[];
}

export interface PermutedResult {
  readonly code: number;
  /** Of a refusal: its message. */
  readonly message: string;
  readonly object: JsonObject;
  /** How many orders come to it, and one of them. */
  readonly orders: number;
  readonly example: Order;
  readonly trace: Trace | undefined;
}

export interface OrderedPair {
  readonly first: string;
  readonly second: string;
  /** Of so many pairs of orders that differ in these two alone. */
  readonly differing: number;
  readonly tried: number;
  /** With `first` before `second`, and the other way round. */
  readonly results: readonly [number, number];
  /** From the one result to the other. */
  readonly changes: readonly Change[];
}

/** What the page is told of one request: all but its name and traces. */
export type OrdersDocument = Omit<PermutedRequest, 'name' | 'results'> & {
  readonly results: readonly Omit<PermutedResult, 'trace'>[];
};
