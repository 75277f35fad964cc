import type { Trace, TracedPolicy, TracedWebhook } from '../../explain/trace/trace.ts';

/** The trace of a write, and what tests ask of it most. docs/reference/trace-format.md describes the rest. */
export interface TraceWithShortcuts extends Trace {
  /** Every webhook considered, in the order of the decisions; one that was called twice is there twice. */
  readonly webhooks: readonly TracedWebhook[];
  /** The names of those called, in that order, whatever they answered and whether or not they did. */
  readonly called: readonly string[];
  /** The clause that kept each of the others from being called: `{ "a.example.com": "namespaceSelector" }`. */
  readonly skipped: Readonly<Record<string, string>>;
  /** Every turn of an admission policy, and every policy that had none. */
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
