import type { JsonValue } from '../../../machinery/json/json.ts';
import { createDigests } from '../../../explain/findings/digest.ts';
import type { Digest } from '../../../explain/findings/digest.ts';
import type { NumberedSummary } from '../../../explain/trace/trace-summary.ts';
import type { Trace } from '../../../explain/trace/trace.ts';

/** Where the page's data comes from. Everything is asked for anew each time. */
export interface PageSources {
  /** Newest first. */
  readonly list: (limit: number) => readonly NumberedSummary[];
  /** Those after a sequence number, oldest first. */
  readonly since: (sequence: number) => readonly NumberedSummary[];
  /** Up to `limit` before a sequence number, newest first. */
  readonly before: (sequence: number, limit: number) => readonly NumberedSummary[];
  readonly get: (id: string) => Trace | undefined;
  /** Who refused a request, and what was found in it. */
  readonly digest: (id: string) => Digest | undefined;
  /** Every trace, oldest first: what coverage is made of. */
  readonly all: () => Iterable<Trace>;
  /** Those of requests for resources of an API group, oldest first. */
  readonly ofGroup: (group: string) => readonly Trace[];
  /** Calls back after each new trace; returns what ends that. */
  readonly onRecorded: (listener: () => void) => () => void;
  /** The requests held at a webhook, where there can be any. */
  readonly breaks?: PageBreaks;
  /** What the server can be asked besides; absent where traces come from a file. */
  readonly door?: PageDoor;
}

/** Answers a path below `/kadmit/v1`; undefined when there is nothing at it. */
export type PageDoor = (asked: {
  readonly method: string;
  readonly path: string;
  readonly body: string;
  /** Aborts when nobody waits for the answer any more. */
  readonly gone: AbortSignal;
}) => Promise<{ readonly code: number; readonly body: string } | undefined>;

/** Requests that stand still before or after a webhook, and the switches that make them. */
export interface PageBreaks {
  /** The document of `GET /kadmit/v1/breaks`. */
  readonly state: () => JsonValue;
  /** Does what a `POST /kadmit/v1/breaks…` asks; the answer is its code and document. */
  readonly act: (path: string, body: JsonValue) => Promise<{ readonly code: number; readonly body: JsonValue }>;
  readonly onChanged: (listener: () => void) => () => void;
}

/** The sources of a fixed set of traces, as `kadmit trace open` shows them. */
export function sourcesOf(traces: readonly Trace[], summaries: readonly NumberedSummary[]): PageSources {
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
