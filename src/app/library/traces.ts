import type { Coverage } from '../../explain/trace/coverage.ts';
import type { Trace, TracedPolicy, TracedWebhook } from '../../explain/trace/trace.ts';

export type { Coverage };

/** All fields must match. Names are those of the request. */
export interface TraceQuery {
  /** `create`, `update`, `patch`, `delete`, `deletecollection`, `connect`. */
  readonly verb?: string;
  /** The plural: `pods`. */
  readonly resource?: string;
  readonly subresource?: string;
  readonly namespace?: string;
  readonly name?: string;
  /** The user's name. */
  readonly user?: string;
  readonly verdict?: 'admitted' | 'refused';
  /** A webhook that was called. */
  readonly called?: string;
  readonly dryRun?: boolean;
}

export type TraceFilter = TraceQuery | ((trace: TraceWithShortcuts) => boolean);

/** Traces of the writes so far, without those of kadmit's controllers unless a filter names their user. */
export interface Traces {
  /** Oldest first. */
  readonly all: (filter?: TraceFilter) => readonly TraceWithShortcuts[];
  /** The newest; throws, with the last writes, when none matches. */
  readonly last: (filter?: TraceFilter) => TraceWithShortcuts;
  /** The newest. */
  readonly find: (filter?: TraceFilter) => TraceWithShortcuts | undefined;
  /** The newest, else the first within `timeoutMs` (default 5000); rejects after that. */
  readonly wait: (filter?: TraceFilter, options?: { readonly timeoutMs?: number }) => Promise<TraceWithShortcuts>;
  /** Exercised rules, conditions and validations of webhooks and policies; with the option `coverage` also branches. */
  readonly coverage: (filter?: TraceFilter) => Coverage;
  readonly clear: () => void;
}

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
