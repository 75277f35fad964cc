import type { ApiRequest, ApiResponse } from '../../apiserver/request/api-request.ts';
import { traceText } from '../traces/trace-file.ts';
import type { TraceLog } from '../traces/trace-log.ts';
import type { NumberedSummary } from '../../explain/trace/trace-summary.ts';
import type { Trace } from '../../explain/trace/trace.ts';
import { failure } from '../../machinery/meta/status.ts';
import { createDigests, type Digest } from '../../explain/render/digest.ts';
import { yieldIfLong } from './yield-if-long.ts';
import { statusResponse } from './json-body.ts';

const root = '/kadmit/v1/traces';
const defaultLimit = 100;

/**
 * `/kadmit/v1/traces` (summaries, newest first; `?limit=`, `?before=` or `?after=` a sequence number, `?full=true`
 * for traces), `/kadmit/v1/traces/ID` and `/kadmit/v1/traces/last`; undefined for any other path. Called for
 * authorized requests.
 */
export const serveTraces =
  (log: TraceLog) =>
  (request: ApiRequest): ApiResponse | undefined => {
    const { method, path } = request;
    if (method !== 'GET' || (path !== root && !path.startsWith(`${root}/`))) return undefined;
    if (path === root) return summaries(log, request);
    const id = path.slice(root.length + 1);
    return traceOr404(id === 'last' ? log.last() : log.get(id), id);
  };

function summaries(log: TraceLog, { query }: ApiRequest): ApiResponse {
  const limit = countIn(query, 'limit') ?? defaultLimit;
  const before = countIn(query, 'before');
  const after = query.get('after') === '0' ? 0 : countIn(query, 'after');
  const items = after === undefined ? newest(log, limit, before) : log.since(after);
  return json(query.get('full') === 'true' ? wholeTraces(log, items) : JSON.stringify({ traceVersion: 1, items }));
}

const newest = (log: TraceLog, limit: number, before: number | undefined): readonly NumberedSummary[] =>
  before === undefined ? log.list(limit) : log.before(before, limit);

function countIn(query: URLSearchParams, name: string): number | undefined {
  const count = Number(query.get(name) ?? 0);
  return Number.isInteger(count) && count > 0 ? count : undefined;
}

/** Traces may be gigabytes together, so each is rendered when it is sent; evicted ones are left out. */
async function* wholeTraces(log: TraceLog, items: readonly { readonly id: string }[]): AsyncIterable<string> {
  yield '{"traceVersion":1,"items":[';
  let separator = '';
  for (const { id } of items) {
    const trace = log.get(id);
    if (trace) yield `${separator}${traceText(trace)}`;
    if (trace) separator = ',';
    await yieldIfLong();
  }
  yield ']}';
}

function traceOr404(trace: Trace | undefined, id: string): ApiResponse {
  if (trace) return json(traceText(trace));
  const message =
    id === 'last' ? 'no write has been traced yet' : `no trace ${JSON.stringify(id)}: only the last writes are kept`;
  return statusResponse(failure({ code: 404, reason: 'NotFound', message }));
}

const json = (body: string | AsyncIterable<string>): ApiResponse => ({
  type: 'document',
  code: 200,
  contentType: 'application/json',
  body,
});

export interface TraceFindings {
  readonly digest: (id: string) => Digest | undefined;
  readonly serve: ReturnType<typeof serveFindings>;
}

export function createFindings(get: (id: string) => Trace | undefined): TraceFindings {
  const digest = createDigests(get);
  return { digest, serve: serveFindings(digest) };
}

const maxDigests = 200;

/**
 * `/kadmit/v1/findings?id=…`: refusals and findings of the requests with these Audit-Ids, in the order of the ids;
 * unknown ids are left out. Yields between items. undefined for any other path.
 */
export const serveFindings =
  (digest: (id: string) => Digest | undefined) =>
  ({ method, path, query }: ApiRequest): ApiResponse | undefined =>
    method === 'GET' && path === '/kadmit/v1/findings'
      ? json(digests(query.getAll('id').slice(0, maxDigests), digest))
      : undefined;

async function* digests(ids: readonly string[], digest: (id: string) => Digest | undefined): AsyncIterable<string> {
  yield '{"items":[';
  let separator = '';
  for (const id of ids) {
    const found = digest(id);
    if (found) yield `${separator}${JSON.stringify(found)}`;
    if (found) separator = ',';
    await yieldIfLong();
  }
  yield ']}';
}
