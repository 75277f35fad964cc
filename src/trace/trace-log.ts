import type { Finished } from '../request/handle.ts';
import { codeOf, createTrace } from './create-trace.ts';
import type { Trace } from './trace.ts';

/** The traces of the last writes. They are made of what the request left behind when somebody asks for them. */
export interface TraceLog {
  readonly record: (finished: Finished, finishedAt: number) => Recorded;
  readonly get: (id: string) => Trace | undefined;
  /** The newest that a client sent; what controllers inside the process write does not count. */
  readonly last: () => Trace | undefined;
  /** Newest first. */
  readonly list: (limit: number) => readonly TraceSummary[];
}

export interface TraceSummary {
  readonly id: string;
  readonly startedAt: number;
  readonly milliseconds: number;
  readonly verb: string;
  readonly path: string;
  readonly code: number;
}

/** A recorded request and how to read it. */
export interface Recorded {
  readonly id: string;
  readonly trace: () => Trace;
}

interface Entry extends Recorded {
  readonly bytes: number;
  readonly isInside: boolean;
  readonly summary: TraceSummary;
}

const limits = { count: 10_000, bytes: 128 * 1024 * 1024 } as const;
const bytesOfEmptyTrace = 2048;

const writes = new Set(['create', 'update', 'patch', 'delete', 'deletecollection']);
const connections = new Set(['exec', 'attach', 'portforward', 'proxy']);

/** Does a request of this kind leave a trace? */
export const isTraced = ({ info }: Finished): boolean =>
  info.type === 'resource' && (writes.has(info.verb) || connections.has(info.subresource));

export function createTraceLog({ count, bytes } = limits): TraceLog {
  // A Map keeps the order of insertion: the first key is the oldest.
  const entries = new Map<string, Entry>();
  // One iterator for good: a new one would step over everything forgotten since the map last tidied up.
  const oldestFirst = entries.keys();
  let held = 0;
  const forget = (id: string): void => {
    held -= entries.get(id)?.bytes ?? 0;
    entries.delete(id);
  };
  return {
    record: (finished, finishedAt) => {
      const { auditId: id } = finished.request;
      forget(id);
      const entry: Entry = {
        id,
        bytes: bytesOf(finished),
        isInside: finished.request.as !== undefined,
        summary: summaryOf(finished, finishedAt),
        trace: () => createTrace(finished, id, finishedAt),
      };
      entries.set(id, entry);
      held += entry.bytes;
      while (entries.size > count || held > bytes) forget(oldestFirst.next().value ?? id);
      return entry;
    },
    get: (id) => entries.get(id)?.trace(),
    last: () => newestFromOutside([...entries.values()])?.trace(),
    list: (limit) =>
      [...entries.values()]
        .slice(-limit)
        .toReversed()
        .map(({ summary }) => summary),
  };
}

const newestFromOutside = (entries: readonly Entry[]): Entry | undefined =>
  entries.findLast(({ isInside }) => !isInside);

function summaryOf(finished: Finished, finishedAt: number): TraceSummary {
  const { request, info } = finished;
  return {
    id: request.auditId,
    startedAt: request.receivedAt,
    milliseconds: finishedAt - request.receivedAt,
    verb: info.verb,
    path: request.path,
    code: codeOf(finished),
  };
}

/** About what an entry holds that nobody else does: the body, and a review and an answer for each call. */
function bytesOf({ request, journal }: Finished): number {
  let calls = 0;
  for (const entry of journal.entries()) {
    if (entry.type !== 'admission') continue;
    for (const record of entry.result.records) if (record.type === 'webhook' && 'uid' in record.outcome) calls += 1;
  }
  return bytesOfEmptyTrace + request.body.length * (2 + 2 * calls);
}
