import type { Finished } from '../request/handle.ts';
import { codeOf, createTrace } from './create-trace.ts';
import type { TraceSource } from './create-trace.ts';
import { packJournal, unpackJournal } from './packed-journal.ts';
import type { PackedJournal } from './packed-journal.ts';
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

interface Entry {
  readonly id: string;
  readonly finishedAt: number;
  readonly bytes: number;
  readonly isInside: boolean;
  readonly kept: KeptRequest;
}

/** What is kept of a request: little, since thousands are. */
interface KeptRequest extends Omit<TraceSource, 'journal'> {
  readonly journal: PackedJournal;
  readonly warnings: readonly string[];
}

/** How many traces are kept, and about how many bytes. */
interface Limits {
  readonly count: number;
  readonly bytes: number;
}

const limits: Limits = { count: 10_000, bytes: 128 * 1024 * 1024 };
// Measured, as everything that counts memory here must be: what stays beside the texts that the client sent.
const bytesOfTrace = 3072;
const bytesOfCall = 2560;

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
        finishedAt,
        bytes: bytesOf(finished),
        isInside: finished.request.as !== undefined,
        kept: keep(finished),
      };
      entries.set(id, entry);
      held += entry.bytes;
      while (entries.size > count || held > bytes) forget(oldestFirst.next().value ?? id);
      return { id, trace: () => traceOf(entry) };
    },
    get: (id) => traceIn(entries.get(id)),
    last: () => traceIn(newestFromOutside([...entries.values()])),
    list: (limit) => [...entries.values()].slice(-limit).toReversed().map(summaryOf),
  };
}

function traceOf({ kept, id, finishedAt }: Entry): Trace {
  const journal = { entries: () => unpackJournal(kept.journal), warnings: () => kept.warnings };
  return createTrace({ ...kept, journal }, id, finishedAt);
}

const traceIn = (entry: Entry | undefined): Trace | undefined => entry && traceOf(entry);

const newestFromOutside = (entries: readonly Entry[]): Entry | undefined =>
  entries.findLast(({ isInside }) => !isInside);

function keep({ request, info, journal, exchange, response }: Finished): KeptRequest {
  const { method, path, query, headers, receivedAt } = request;
  const rest = {
    request: { method, path, query, headers: { 'user-agent': headers['user-agent'] }, receivedAt },
    info,
    journal: packJournal(journal.entries()),
    warnings: journal.warnings(),
    response,
  };
  if (!exchange) return rest;
  const { user, object, current, deadline } = exchange;
  return { ...rest, exchange: { user, object, current, deadline } };
}

function summaryOf({ id, finishedAt, kept: { request, info, response } }: Entry): TraceSummary {
  return {
    id,
    startedAt: request.receivedAt,
    milliseconds: finishedAt - request.receivedAt,
    verb: info.verb,
    path: request.path,
    code: codeOf({ response }),
  };
}

/** About what an entry holds that nobody else does: the body, and a review and an answer for each call. */
function bytesOf({ request, journal }: Finished): number {
  let calls = 0;
  for (const entry of journal.entries()) {
    if (entry.type !== 'admission') continue;
    for (const record of entry.result.records) if (record.type === 'webhook' && 'uid' in record.outcome) calls += 1;
  }
  return bytesOfTrace + calls * bytesOfCall + request.body.length * (2 + 2 * calls);
}
