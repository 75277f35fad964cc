import type { Trace, TracedDecision, TracedWebhook } from '../../explain/trace/trace.ts';
import type { Before } from './before.ts';

/** Requests that wait longer for webhooks now than they, or all of what was done for them, took then. */
export interface SlowReport {
  /** How many asked a webhook at all. */
  readonly asked: number;
  readonly slower: number;
  /**
   * Of these nothing can be said: webhooks take less now than the whole request took then, and the log does not tell how long they
   * took; or it tells no times.
   */
  readonly unknown: number;
  /** By the webhooks that are asked now, the most frequent first. */
  readonly groups: readonly SlowGroup[];
}

export interface SlowGroup {
  readonly webhooks: readonly string[];
  readonly count: number;
  /** The worst few. */
  readonly examples: readonly SlowExample[];
}

export interface SlowExample {
  readonly request: string;
  /** How long webhooks take now, and how long what it is compared with took then: milliseconds. */
  readonly now: number;
  readonly before: number;
  /** `request`: all of it, since the log does not tell their share; they are slower by more than the difference. */
  readonly of: 'webhooks' | 'request';
}

export type Slowness =
  | { readonly outcome: 'not-asked' | 'not-slower' | 'unknown' }
  | {
      readonly outcome: 'slower';
      readonly webhooks: readonly string[];
      readonly example: Omit<SlowExample, 'request'>;
    };

export interface FoundSlow extends Found<SlowExample & { readonly at: number }> {
  readonly webhooks: readonly string[];
}

/** Is a request slower now? Only what can be compared is: the time for which it waits for webhooks. */
export function slownessOf(trace: Pick<Trace, 'admission'> | undefined, recorded: Before): Slowness {
  const asked = (trace?.admission ?? []).filter(isAsked);
  if (asked.length === 0) return { outcome: 'not-asked' };
  const now = waitedFor(asked);
  const { milliseconds, webhookMilliseconds } = recorded;
  const before = webhookMilliseconds ?? milliseconds;
  if (before !== undefined && now - before >= 1) {
    const of = webhookMilliseconds === undefined ? 'request' : 'webhooks';
    const webhooks = [...new Set(asked.map(({ name }) => name))];
    return { outcome: 'slower', webhooks, example: { now: Math.round(now), before: Math.round(before), of } };
  }
  return { outcome: now < 1 || webhookMilliseconds !== undefined ? 'not-slower' : 'unknown' };
}

const isAsked = (decision: TracedDecision): decision is TracedWebhook =>
  decision.type === 'webhook' && decision.outcome !== 'skipped';

/** Mutating ones are asked one after the other, validating ones at the same time. */
function waitedFor(asked: readonly TracedWebhook[]): number {
  const of = (phase: TracedWebhook['phase']): readonly number[] =>
    asked.filter((one) => one.phase === phase).map(({ milliseconds }) => milliseconds);
  return of('mutating').reduce((sum, one) => sum + one, 0) + Math.max(0, ...of('validating'));
}

/** The worst first, then as they stand in the log. */
export const worstFirst = (
  one: SlowExample & { readonly at: number },
  other: SlowExample & { readonly at: number },
): number => other.now - other.before - (one.now - one.before) || one.at - other.at;

/** What is counted together, with its first examples. */
export interface Found<Example> {
  /** What is equal for all of it; the key of its group. */
  readonly key: string;
  readonly count: number;
  readonly examples: readonly Example[];
}

const mostExamples = 3;

/** Puts what was found to its group, which keeps the first few examples in this order: the same whatever is put in first. */
export function addFound<Example, Group extends Found<Example>>(
  groups: Map<string, Group>,
  one: Group,
  order: (one: Example, other: Example) => number,
): void {
  const known = groups.get(one.key);
  const examples = [...(known?.examples ?? []), ...one.examples].toSorted(order).slice(0, mostExamples);
  groups.set(one.key, { ...one, count: (known?.count ?? 0) + one.count, examples });
}

/** The most frequent first, those of equal number by their first examples. */
export const byFrequency =
  <Example>(order: (one: Example, other: Example) => number) =>
  (one: Found<Example>, other: Found<Example>): number => {
    const [first, second] = [one.examples[0], other.examples[0]];
    return other.count - one.count || (first && second ? order(first, second) : 0);
  };
