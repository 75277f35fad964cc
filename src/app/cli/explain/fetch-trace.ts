import { isJsonObject } from '../../../machinery/json/json.ts';
import { ConfigError } from '../../../adapters/config/config-error.ts';
import { readTraceFile } from '../../../explain/trace/trace-file.ts';
import type { NumberedSummary } from '../../../explain/trace/trace-summary.ts';
import type { Trace } from '../../../explain/trace/trace.ts';
import { callServer, messageIn, type ServerAccess } from '../../../adapters/config/kubeconfig/call-server.ts';

/** A trace of the server. Throws ConfigError like fetchTrace. */
export async function traceOf(access: ServerAccess, id: string): Promise<Trace> {
  const trace: unknown = JSON.parse(await fetchTrace(access, id));
  if (isTrace(trace)) return trace;
  throw new ConfigError('the server answered with something else than a trace');
}

/** More than a server keeps. */
export const everyTrace = 'limit=1000000';

const isTrace = (value: unknown): value is Trace => isJsonObject(value) && value['traceVersion'] === 1;

/** The text of a trace; `id` is its Audit-Id, or `last`. Throws ConfigError when the server cannot be reached or does not have it. */
export async function fetchTrace(access: ServerAccess, id: string): Promise<string> {
  const path = `/kadmit/v1/traces/${encodeURIComponent(id)}`;
  const { code, text } = await callServer(access, { method: 'GET', path });
  const message = messageIn(text).trim();
  if (code === 404 && !/^no (?:trace|write)/.test(message)) {
    throw new ConfigError(`${access.url} keeps no traces (${message}): is it kadmit?`);
  }
  if (code !== 200) throw new ConfigError(message);
  return text;
}

/**
 * The summaries of the requests that the server keeps, newest first; with `after`, those recorded after the one with this
 * sequence number, oldest first. Throws ConfigError when it cannot be reached or keeps none.
 */
export async function fetchSummaries(access: ServerAccess, after?: number): Promise<readonly NumberedSummary[]> {
  const query = after === undefined ? everyTrace : `after=${after}`;
  const { code, text } = await callServer(access, { method: 'GET', path: `/kadmit/v1/traces?${query}` });
  if (code === 404) throw new ConfigError(`${access.url} keeps no traces (${messageIn(text).trim()}): is it kadmit?`);
  if (code !== 200) throw new ConfigError(messageIn(text).trim());
  const list: unknown = JSON.parse(text);
  if (isSummaries(list)) return list.items;
  throw new ConfigError('the server answered with something else than a list of requests');
}

const isSummaries = (value: unknown): value is { readonly items: readonly NumberedSummary[] } =>
  isJsonObject(value) && value['traceVersion'] === 1 && Array.isArray(value['items']);

/** All traces that the server keeps, oldest first. Throws ConfigError when it cannot be reached or keeps none. */
export async function fetchAllTraces(access: ServerAccess): Promise<readonly Trace[]> {
  const { code, text } = await callServer(access, { method: 'GET', path: `/kadmit/v1/traces?full=true&${everyTrace}` });
  const message = messageIn(text).trim();
  if (code === 404) throw new ConfigError(`${access.url} keeps no traces (${message}): is it kadmit?`);
  if (code !== 200) throw new ConfigError(message);
  const reading = readTraceFile(text);
  if (reading.outcome === 'unreadable') throw new ConfigError(`what the server answered ${reading.problem}`);
  return reading.traces.toReversed();
}
