import type { Coverage } from '../../explain/trace/coverage.ts';
import type { TraceWithShortcuts } from './trace-with-shortcuts.ts';

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
