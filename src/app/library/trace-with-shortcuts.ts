import type { Trace, TracedPolicy, TracedWebhook } from '../../explain/trace/trace.ts';

/** The trace of a write, with shortcuts for tests. docs/reference/trace-format.md describes the rest. */
export interface TraceWithShortcuts extends Trace {
  /** Every webhook considered, in the order of the decisions; one that was called twice is there twice. */
  readonly webhooks: readonly TracedWebhook[];
  /** The names of those called, in that order, with any outcome. */
  readonly called: readonly string[];
  /** The clause by which each other webhook was skipped: `{ "a.example.com": "namespaceSelector" }`. */
  readonly skipped: Readonly<Record<string, string>>;
  /** Every evaluation of an admission policy, and every skipped policy. */
  readonly policies: readonly TracedPolicy[];
}

const calledOutcomes: readonly TracedWebhook['outcome'][] = ['called', 'denied', 'failed-open', 'failed-closed'];

export function withShortcuts(trace: Trace): TraceWithShortcuts {
  const webhooks = trace.admission.filter((decision): decision is TracedWebhook => decision.type === 'webhook');
  const called = webhooks.filter(({ outcome }) => calledOutcomes.includes(outcome)).map(({ name }) => name);
  const skipped = webhooks.flatMap(({ name, outcome, reason }) =>
    outcome === 'skipped' && !called.includes(name) ? [[name, reason?.because ?? ''] as const] : [],
  );
  const policies = trace.admission.filter((decision): decision is TracedPolicy => decision.type === 'policy');
  return { ...trace, webhooks, called, skipped: Object.fromEntries(skipped), policies };
}
