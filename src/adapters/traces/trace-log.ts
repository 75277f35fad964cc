import { estimateParsedBytes } from '../../machinery/memory-estimate.ts';
import type { Exchange } from '../../apiserver/request/exchange.ts';
import type { FinishedRequest } from '../../apiserver/request/handle.ts';
import type { Hold } from '../../apiserver/admission/webhooks/call.ts';
import type { AdmissionRecord } from '../../apiserver/admission/chain/outcome.ts';
import type { JournalEntry, StageList } from '../../apiserver/request/journal.ts';
import { responseCode } from '../../apiserver/request/api-request.ts';
import { createTrace, printedObject, tracedName, type TraceSource } from '../../explain/trace/create-trace.ts';
import {
  type NumberedSummary,
  ownersOf,
  resourceText,
  wasWriteOrConnection,
  webhookNames,
  type WebhookNames,
} from '../../explain/trace/trace-summary.ts';
import { isDryRun, sentName } from '../../explain/trace/sent-body.ts';
import { heldMilliseconds } from '../../explain/trace/sentences.ts';
import type { Trace } from '../../explain/trace/trace.ts';

/** The traces of the last writes, created from compact records when they are read. */
export interface TraceLog {
  readonly record: (finished: FinishedRequest, finishedAt: number) => LoggedTrace;
  readonly get: (id: string) => Trace | undefined;
  /** The newest write or connection of a client, without those of controllers in the process. */
  readonly last: () => Trace | undefined;
  /** Newest first. */
  readonly list: (limit: number) => readonly NumberedSummary[];
  /** Recorded after this sequence number, oldest first. */
  readonly since: (sequence: number) => readonly NumberedSummary[];
  /** Recorded before this sequence number, newest first. */
  readonly before: (sequence: number, limit: number) => readonly NumberedSummary[];
  /** Oldest first; each trace is created when it is reached. */
  readonly all: () => Iterable<Trace>;
  /** Of an API group, oldest first. */
  readonly ofGroup: (group: string) => readonly Trace[];
  /** `listener` must be quick; the returned function removes it. */
  readonly onRecorded: (listener: () => void) => () => void;
}

export interface LoggedTrace {
  readonly id: string;
  readonly trace: () => Trace;
}

interface Entry {
  readonly id: string;
  readonly sequence: number;
  readonly finishedAt: number;
  readonly bytes: number;
  readonly isInside: boolean;
  readonly kept: KeptRequest;
}

/** The compact form of a request: thousands are kept. */
interface KeptRequest extends Omit<TraceSource, 'journal' | 'request' | 'exchange'> {
  readonly exchange: Pick<Exchange, 'user' | 'object' | 'current'> | undefined;
  readonly deadline: number;
  readonly request: Omit<TraceSource['request'], 'body'>;
  /** One character for each byte: a Buffer takes three times the memory, or keeps a whole pool alive. */
  readonly bytes: string;
  readonly journal: readonly JournalEntry[];
  readonly stages: StageList;
  readonly warnings: readonly string[];
}

interface Limits {
  readonly count: number;
  readonly bytes: number;
}

/** Unless `--keep-traces` says otherwise. */
const keptTraces = 2_000;
const maxBytes = 128 * 1024 * 1024;
// Measured: the memory of an entry besides the client's texts.
const bytesOfTrace = 7168;
const bytesOfCall = 2560;
const bytesOfConversion = 256;

export function createTraceLog({ count = keptTraces, bytes = maxBytes }: Partial<Limits> = {}): TraceLog {
  // A Map keeps the order of insertion: the first key is the oldest.
  const entries = new Map<string, Entry>();
  // One iterator for all: a new one would pass over all removed entries.
  const oldestFirst = entries.keys();
  const listeners = new Set<() => void>();
  let recorded = 0;
  let held = 0;
  const forget = (id: string): void => {
    held -= entries.get(id)?.bytes ?? 0;
    entries.delete(id);
  };
  return {
    record: (finished, finishedAt) => {
      const { auditId: id } = finished.request;
      forget(id);
      recorded += 1;
      const entry: Entry = {
        id,
        sequence: recorded,
        finishedAt,
        bytes: bytesOf(finished),
        isInside: finished.request.as !== undefined,
        kept: keep(finished),
      };
      entries.set(id, entry);
      held += entry.bytes;
      while (entries.size > count || held > bytes) forget(oldestFirst.next().value ?? id);
      for (const listener of listeners) listener();
      return { id, trace: () => traceOf(entry) };
    },
    get: (id) => traceIn(entries.get(id)),
    last: () => traceIn(newestFromOutside([...entries.values()])),
    list: (limit) => [...entries.values()].slice(-limit).toReversed().map(summaryOf),
    since: (sequence) => newerThan(sequence, [...entries.values()]).map(summaryOf),
    before: (sequence, limit) => olderThan(sequence, [...entries.values()], limit).map(summaryOf),
    all: () => tracesOf(entries.values()),
    ofGroup: (group) => [...entries.values()].filter((entry) => groupOf(entry) === group).map(traceOf),
    onRecorded: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** Entries are in the order of their numbers. */
const newerThan = (sequence: number, entries: readonly Entry[]): readonly Entry[] =>
  entries.slice(entries.findLastIndex((entry) => entry.sequence <= sequence) + 1);

const groupOf = ({ kept: { info } }: Entry): string | undefined => (info.type === 'resource' ? info.group : undefined);

function olderThan(sequence: number, entries: readonly Entry[], limit: number): readonly Entry[] {
  const end = entries.findLastIndex((entry) => entry.sequence < sequence) + 1;
  return entries.slice(Math.max(0, end - limit), end).toReversed();
}

function* tracesOf(entries: Iterable<Entry>): Iterable<Trace> {
  for (const entry of entries) yield traceOf(entry);
}

function traceOf({ kept, id, finishedAt }: Entry): Trace {
  const journal = { entries: () => kept.journal, stages: () => kept.stages, warnings: () => kept.warnings };
  const request = { ...kept.request, body: bodyOf(kept) };
  const exchange = kept.exchange && { ...kept.exchange, deadline: { at: () => kept.deadline } };
  return createTrace({ ...kept, request, journal, exchange }, id, finishedAt);
}

const bodyOf = ({ bytes }: KeptRequest): Buffer => Buffer.from(bytes, 'latin1');

const traceIn = (entry: Entry | undefined): Trace | undefined => entry && traceOf(entry);

const newestFromOutside = (entries: readonly Entry[]): Entry | undefined =>
  entries.findLast(({ isInside, kept }) => !isInside && wasWriteOrConnection(kept.info));

function keep({ request, info, journal, access, exchange, response, release }: FinishedRequest): KeptRequest {
  const { method, path, query, headers, body, receivedAt } = request;
  return {
    request: {
      method,
      path,
      query,
      headers: { 'user-agent': headers['user-agent'], 'content-type': headers['content-type'] },
      receivedAt,
    },
    info,
    // The exchange has the user.
    access: exchange ? {} : access,
    journal: journal.entries(),
    stages: journal.stages(),
    warnings: journal.warnings(),
    bytes: Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('latin1'),
    response,
    ...(release === undefined ? {} : { release }),
    exchange: exchange && reachedBy(exchange),
    deadline: exchange?.deadline.at() ?? Infinity,
  };
}

const reachedBy = (exchange: Exchange): KeptRequest['exchange'] => ({
  user: exchange.user,
  object: printedObject(exchange),
  current: exchange.current,
});

/**
 * The same as summaryOf of trace-summary.ts, without creating the trace. `webhooks` is a getter: there may be
 * thousands in each of thousands of requests.
 */
function summaryOf({ id, sequence, finishedAt, kept }: Entry): NumberedSummary {
  const { request, info, response, exchange, access, journal } = kept;
  const { namespace, name, ...resource } = info.type === 'resource' ? info : nothing;
  return {
    id,
    sequence,
    startedAt: request.receivedAt,
    milliseconds: finishedAt - request.receivedAt - heldMilliseconds(holdsIn(journal)),
    ...answerOf(response),
    verb: info.verb,
    path: request.path,
    resource: resourceText(resource),
    namespace,
    name: tracedName({ name, verb: info.verb, exchange, sent: () => sentName({ ...request, body: bodyOf(kept) }) }),
    dryRun: isDryRun(request, () => kept.bytes),
    user: (exchange?.user ?? access.user ?? access.requester)?.username ?? '',
    get webhooks() {
      return namesIn(journal);
    },
    owners: ownersOf(exchange?.object ?? exchange?.current?.view),
  };
}

function answerOf(response: KeptRequest['response']): Pick<NumberedSummary, 'verdict' | 'code' | 'message'> {
  const code = responseCode(response);
  if (code < 400) return { verdict: 'admitted', code, message: '' };
  return { verdict: 'refused', code, message: (response.type === 'status' && response.status.message) || '' };
}

const nothing = { group: '', resource: '', subresource: '', namespace: '', name: '' };

const namesIn = (journal: readonly JournalEntry[]): WebhookNames =>
  webhookNames(
    journal.flatMap((entry) => (entry.type === 'admission' ? entry.result.records.flatMap(outcomeNameOf) : [])),
  );

const holdsIn = (journal: readonly JournalEntry[]): readonly Hold[] =>
  journal.flatMap((entry) =>
    entry.type === 'admission'
      ? entry.result.records.flatMap((one) =>
          one.type === 'webhook' && 'holds' in one.outcome ? (one.outcome.holds ?? []) : [],
        )
      : [],
  );

const outcomeNameOf = (record: AdmissionRecord): Parameters<typeof webhookNames>[0] => {
  if (record.type !== 'webhook') return [];
  const { webhook: name, outcome } = record;
  const reason = outcome.outcome === 'skipped' ? outcome.reason : undefined;
  const assumed = 'assumed' in outcome ? outcome.assumed : undefined;
  return [{ name, outcome: outcome.outcome === 'allowed' ? 'called' : outcome.outcome, reason, assumed }];
};

/** An estimate of the memory of an entry: the body, and for each call a review and an answer. */
function bytesOf({ request, journal }: FinishedRequest): number {
  let [calls, conversions, memory] = [0, 0, 0];
  for (const entry of journal.entries()) {
    if (entry.type === 'conversion') conversions += 1;
    if (entry.type !== 'admission') continue;
    for (const record of entry.result.records) {
      if (record.type !== 'webhook' || !('uid' in record.outcome)) continue;
      calls += 1;
      memory += record.outcome.memory ?? 0;
    }
  }
  const { body } = request;
  return (
    bytesOfTrace +
    calls * bytesOfCall +
    conversions * bytesOfConversion +
    body.length * 2 * calls +
    estimateParsedBytes(body) +
    memory
  );
}
