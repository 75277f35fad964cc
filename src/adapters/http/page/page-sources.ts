import type { JsonValue } from '../../../machinery/json/json.ts';
import { createDigests, type Digest } from '../../../explain/render/digest.ts';
import type { NumberedSummary } from '../../../explain/trace/trace-summary.ts';
import type { Trace } from '../../../explain/trace/trace.ts';
import type { TraceLog } from '../../traces/trace-log.ts';

/** Data of the UI; each function is called per request. */
export interface UiSources extends Omit<TraceLog, 'record' | 'last'> {
  /** Refusals and findings of a request. */
  readonly digest: (id: string) => Digest | undefined;
  /** Absent where requests cannot be paused. */
  readonly breaks?: UiBreakpoints;
  /** The server's further API; absent for trace files. */
  readonly api?: UiApi;
}

/** Answers a path below `/kadmit/v1`; undefined for an unknown one. */
export type UiApi = (uiRequest: {
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
