import type { JsonValue } from '../../../machinery/json/json.ts';
import { createDigests, type Digest } from '../../../explain/render/digest.ts';
import type { NumberedSummary } from '../../../explain/trace/trace-summary.ts';
import type { Trace } from '../../../explain/trace/trace.ts';

/** Data of the UI; each function is called per request. */
export interface UiSources {
  /** Newest first. */
  readonly list: (limit: number) => readonly NumberedSummary[];
  /** After a sequence number, oldest first. */
  readonly since: (sequence: number) => readonly NumberedSummary[];
  /** Before a sequence number, newest first. */
  readonly before: (sequence: number, limit: number) => readonly NumberedSummary[];
  readonly get: (id: string) => Trace | undefined;
  /** Refusals and findings of a request. */
  readonly digest: (id: string) => Digest | undefined;
  /** Oldest first, for coverage. */
  readonly all: () => Iterable<Trace>;
  /** Of resources in an API group, oldest first. */
  readonly ofGroup: (group: string) => readonly Trace[];
  /** Calls back after each new trace; returns the unsubscribe function. */
  readonly onRecorded: (listener: () => void) => () => void;
  /** Absent where requests cannot be paused. */
  readonly breaks?: UiBreakpoints;
  /** The server's further API; absent for trace files. */
  readonly door?: UiApi;
}

/** Answers a path below `/kadmit/v1`; undefined for an unknown one. */
export type UiApi = (asked: {
  readonly method: string;
  readonly path: string;
  readonly body: string;
  /** Aborts when the client disconnects. */
  readonly gone: AbortSignal;
}) => Promise<{ readonly code: number; readonly body: string } | undefined>;

export interface UiBreakpoints {
  readonly state: () => JsonValue;
  /** Handles `POST /kadmit/v1/breaks…`. */
  readonly act: (path: string, body: JsonValue) => Promise<{ readonly code: number; readonly body: JsonValue }>;
  readonly onChanged: (listener: () => void) => () => void;
}

/** A fixed set of traces, for `kadmit trace open`. */
export function sourcesOf(traces: readonly Trace[], summaries: readonly NumberedSummary[]): UiSources {
  const byId = new Map(traces.map((trace) => [trace.id, trace]));
  return {
    list: (limit) => summaries.slice(-limit).toReversed(),
    since: (sequence) => summaries.filter((summary) => summary.sequence > sequence),
    before: (sequence, limit) =>
      summaries
        .filter((summary) => summary.sequence < sequence)
        .slice(-limit)
        .toReversed(),
    get: (id) => byId.get(id),
    digest: createDigests((id) => byId.get(id)),
    all: () => traces,
    ofGroup: (group) => traces.filter(({ request }) => request.group === group),
    onRecorded: () => () => {},
  };
}
