import type { Coverage } from '../../explain/trace/coverage.ts';
import type { TraceWithShortcuts } from './trace-with-shortcuts.ts';

export type { Coverage };

/** Which writes are meant: all that is said must hold. Names are as the request had them. */
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

/** Either says which writes are meant. */
export type TraceFilter = TraceQuery | ((trace: TraceWithShortcuts) => boolean);

/** What happened to the writes so far. Those of kadmit's own controllers are left out unless a filter names their user. */
export interface Traces {
  /** Oldest first. */
  readonly all: (filter?: TraceFilter) => readonly TraceWithShortcuts[];
  /** The newest; throws when there is none, and says what there is. */
  readonly last: (filter?: TraceFilter) => TraceWithShortcuts;
  /** The newest, undefined when there is none. */
  readonly find: (filter?: TraceFilter) => TraceWithShortcuts | undefined;
  /** The newest there is, else the first to come within `timeoutMs` (5000 unless said otherwise); rejects when none comes. */
  readonly wait: (filter?: TraceFilter, options?: { readonly timeoutMs?: number }) => Promise<TraceWithShortcuts>;
  /** What these writes exercised of every webhook and policy: rules, conditions, validations, and with the option `coverage` every branch. */
  readonly coverage: (filter?: TraceFilter) => Coverage;
  /** Forgets all so far. */
  readonly clear: () => void;
}
