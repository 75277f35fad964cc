import type { Trace, TracedDecision, TracedWebhook } from '../../explain/trace/trace.ts';
import type { AuditBaseline } from './logged-request.ts';
import { sameJson } from '../../machinery/json/json-equal.ts';
import { asString, isJsonObject, isList, type JsonObject, type JsonValue } from '../../machinery/json/json.ts';

/** Requests that wait longer for webhooks than logged. */
export interface SlowReport {
  /** Requests that called a webhook. */
  readonly called: number;
  readonly slower: number;
  /** Not comparable: the log has no times, or only the total, which is longer than webhooks take now. */
  readonly unknown: number;
  /** By called webhooks, the most frequent first. */
  readonly groups: readonly SlowGroup[];
}

interface SlowGroup {
  readonly webhooks: readonly string[];
  readonly count: number;
  /** The worst few. */
  readonly examples: readonly SlowExample[];
}

export interface SlowExample {
  readonly request: string;
  /** Milliseconds: webhooks now, and the logged value. */
  readonly now: number;
  readonly before: number;
  /** `request`: the logged total, so the actual difference is larger. */
  readonly of: 'webhooks' | 'request';
}

type LatencyComparison =
  | { readonly outcome: 'not-called' | 'not-slower' | 'unknown' }
  | {
      readonly outcome: 'slower';
      readonly webhooks: readonly string[];
      readonly example: Omit<SlowExample, 'request'>;
    };

export interface SlowRequests extends ExampleGroup<SlowExample & { readonly at: number }> {
  readonly webhooks: readonly string[];
}

/** Compares the time in webhooks with the logged time. */
export function compareLatency(
  trace: Pick<Trace, 'admission'> | undefined,
  recorded: AuditBaseline,
): LatencyComparison {
  const called = (trace?.admission ?? []).filter(isCalled);
  if (called.length === 0) return { outcome: 'not-called' };
  const now = webhookLatency(called);
  const { milliseconds, webhookMilliseconds } = recorded;
  const before = webhookMilliseconds ?? milliseconds;
  if (before !== undefined && now - before >= 1) {
    const of = webhookMilliseconds === undefined ? 'request' : 'webhooks';
    const webhooks = [...new Set(called.map(({ name }) => name))];
    return { outcome: 'slower', webhooks, example: { now: Math.round(now), before: Math.round(before), of } };
  }
  return { outcome: now < 1 || webhookMilliseconds !== undefined ? 'not-slower' : 'unknown' };
}

const isCalled = (decision: TracedDecision): decision is TracedWebhook =>
  decision.type === 'webhook' && decision.outcome !== 'skipped';

/** Mutating webhooks run one after the other, validating ones in parallel. */
function webhookLatency(called: readonly TracedWebhook[]): number {
  const of = (phase: TracedWebhook['phase']): readonly number[] =>
    called.filter((one) => one.phase === phase).map(({ milliseconds }) => milliseconds);
  return of('mutating').reduce((sum, one) => sum + one, 0) + Math.max(0, ...of('validating'));
}

/** Worst first, then in log order. */
export const bySlowdown = (
  one: SlowExample & { readonly at: number },
  other: SlowExample & { readonly at: number },
): number => other.now - other.before - (one.now - one.before) || one.at - other.at;

/** A group of equal findings and its first examples. */
export interface ExampleGroup<Example> {
  readonly key: string;
  readonly count: number;
  readonly examples: readonly Example[];
}

const maxExamples = 3;

/** Adds a finding to its group, which keeps the first examples in order, whatever the insertion order. */
export function addToGroup<Example, Group extends ExampleGroup<Example>>(
  groups: Map<string, Group>,
  one: Group,
  order: (one: Example, other: Example) => number,
): void {
  const known = groups.get(one.key);
  const examples = [...(known?.examples ?? []), ...one.examples].toSorted(order).slice(0, maxExamples);
  groups.set(one.key, { ...one, count: (known?.count ?? 0) + one.count, examples });
}

/** Most frequent first, ties by first example. */
export const byFrequency =
  <Example>(order: (one: Example, other: Example) => number) =>
  (one: ExampleGroup<Example>, other: ExampleGroup<Example>): number => {
    const [first, second] = [one.examples[0], other.examples[0]];
    return other.count - one.count || (first && second ? order(first, second) : 0);
  };

/** What changes a request now, and which fields. */
interface NewChange {
  /** `policy team-label`, `webhook a.example.com`. */
  readonly by: string;
  /** JSON pointers. */
  readonly fields: readonly string[];
}

/**
 * What changes a request now that did not change it then: compares the logged response object with the patches of
 * policies and webhooks. Without a response object all patches count.
 */
export function findNewChanges(
  trace: Pick<Trace, 'admission'> | undefined,
  then: JsonObject | undefined,
): readonly NewChange[] {
  const found = new Map<string, Set<string>>();
  for (const { type, name, patch } of (trace?.admission ?? []).filter((one) => one.type !== 'plugin')) {
    for (const operation of patch ?? []) {
      const path = asString(operation['path']);
      if (then && wasApplied(then, operation, path)) continue;
      const by = `${type} ${name}`;
      found.set(by, (found.get(by) ?? new Set()).add(path));
    }
  }
  return [...found].map(([by, fields]) => ({ by, fields: [...fields] }));
}

function wasApplied(then: JsonObject, { op, value }: JsonObject, path: string): boolean {
  const there = valueAtPointer(then, path);
  if (op === 'remove') return there === undefined;
  return there !== undefined && containsValue(there, value);
}

/** Whether all of it is present; others may have added more. */
const containsValue = (there: JsonValue, wanted: JsonValue | undefined): boolean =>
  isJsonObject(there) && isJsonObject(wanted)
    ? Object.entries(wanted).every(
        ([field, value]) => value === undefined || containsValue(there[field] ?? null, value),
      )
    : sameJson(there, wanted ?? null);

function valueAtPointer(object: JsonObject, pointer: string): JsonValue | undefined {
  let value: JsonValue | undefined = object;
  for (const part of pointer.split('/').slice(1)) {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
    if (isJsonObject(value)) value = value[name];
    else if (isList(value)) value = value[Number(name)];
    else return undefined;
  }
  return value;
}
