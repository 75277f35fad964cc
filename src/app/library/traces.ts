import { type Coverage, coverageOf } from '../../explain/trace/coverage.ts';
import type { Trace, TracedPolicy, TracedWebhook } from '../../explain/trace/trace.ts';
import type { TraceLog } from '../../adapters/traces/trace-log.ts';
import { valueAt } from '../../machinery/json/json.ts';
import type { Time } from '../in-process/time.ts';

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

const defaultTimeoutMs = 5000;

/** Waits use the world's clock. */
export function createTraces(log: TraceLog, { clock, drive }: Pick<Time, 'clock' | 'drive'>): Traces {
  let cleared = 0;
  const all = (filter: TraceFilter = {}): readonly TraceWithShortcuts[] => {
    return log
      .since(cleared)
      .flatMap(({ id }) => log.get(id) ?? [])
      .map(withShortcuts)
      .filter(createFilter(filter));
  };
  const find = (filter?: TraceFilter): TraceWithShortcuts | undefined => all(filter).at(-1);
  const arrival = (filter: TraceFilter | undefined, signal: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      const stop = log.onRecorded(() => {
        if (find(filter)) resolve();
      });
      signal.addEventListener('abort', stop, { once: true });
    });
  const arrivalWithin = async (filter: TraceFilter | undefined, milliseconds: number): Promise<void> => {
    const over = new AbortController();
    await drive(Promise.race([arrival(filter, over.signal), clock.sleep(milliseconds, over.signal)]));
    over.abort();
  };
  return {
    all,
    find,
    last: (filter) => find(filter) ?? throwNoWrite(filter, all(), ''),
    wait: async (filter, { timeoutMs = defaultTimeoutMs } = {}) => {
      if (!find(filter)) await arrivalWithin(filter, timeoutMs);
      return find(filter) ?? throwNoWrite(filter, all(), ` within ${timeoutMs} ms`);
    },
    coverage: (filter) => coverageOf(all(filter)),
    clear: () => {
      cleared = log.list(1)[0]?.sequence ?? cleared;
    },
  };
}

function throwNoWrite(filter: TraceFilter = {}, all: readonly TraceWithShortcuts[], when: string): never {
  const wanted = typeof filter === 'function' ? 'that matches the function' : JSON.stringify(filter);
  const last = all
    .slice(-10)
    .map(({ request: { verb, path, dryRun } }) => `${verb} ${path}${dryRun ? ' (dry run)' : ''}`);
  const rest = last.length === 0 ? 'there was no write' : `the last writes were ${last.join(', ')}`;
  throw new Error(`no write ${wanted}${when}; ${rest}`);
}

/** User agent of kadmit's controllers. */
const controllerAgent = 'kube-controller-manager';

function createFilter(filter: TraceFilter): (trace: TraceWithShortcuts) => boolean {
  const matches =
    typeof filter === 'function' ? filter : (trace: TraceWithShortcuts): boolean => matchesQuery(filter, trace);
  const isControllerWanted = typeof filter !== 'function' && filter.user !== undefined;
  return (trace) => (isControllerWanted || trace.request.userAgent !== controllerAgent) && matches(trace);
}

function matchesQuery({ user, verdict, called, ...request }: TraceQuery, trace: TraceWithShortcuts): boolean {
  if (user !== undefined && valueAt(trace.request.user ?? {}, 'username') !== user) return false;
  if (verdict !== undefined && trace.verdict !== verdict) return false;
  if (called !== undefined && !trace.called.includes(called)) return false;
  const fields: Readonly<Record<string, unknown>> = { ...trace.request };
  return Object.entries(request).every(([field, value]) => value === undefined || fields[field] === value);
}
