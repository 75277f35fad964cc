import { setTimeout as sleep } from 'node:timers/promises';
import { ConfigError } from '../../../adapters/config/config-error.ts';
import { type ServerAccess, callKadmit } from '../../../adapters/config/kubeconfig/call-server.ts';
import { type KnownResource, fetchResources } from '../../../adapters/config/kubeconfig/discovery.ts';
import { readKubeconfig } from '../../../adapters/config/kubeconfig/read-kubeconfig.ts';
import { traceFileInFolder, tracesInFolder } from '../../../analysis/trials/traced-request.ts';
import { readTraceFile } from '../../../adapters/traces/trace-file.ts';
import { type NumberedSummary, summaryOf } from '../../../explain/trace/trace-summary.ts';
import { isTrace, type Trace } from '../../../explain/trace/trace.ts';
import { asString, isJsonObject } from '../../../machinery/json/json.ts';
import type { SourceLocation } from '../../../testing/scenario/format.ts';

/** A folder of traces, or the server of this kubeconfig when the folder is ''. */
interface SourceOptions {
  readonly traceDir: string;
  readonly kubeconfig: string;
}

interface TraceSource {
  readonly known: readonly KnownResource[];
  readonly newestFirst: readonly NumberedSummary[];
  /** The default namespace of objects. */
  readonly ownNamespace: string;
  readonly traceOf: (id: string) => Promise<Trace>;
}

/** Rejects with ConfigError for an unreachable server or unreadable folder. */
export const openTraceSource = (options: SourceOptions): Promise<TraceSource> =>
  options.traceDir === '' ? openServer(options.kubeconfig) : openFolder(options.traceDir);

/** Newest first. Rejects like openTraceSource. */
export const readSummaries = async ({ traceDir, kubeconfig }: SourceOptions): Promise<readonly NumberedSummary[]> =>
  traceDir === '' ? fetchSummaries(await readKubeconfig(kubeconfig)) : (await openFolder(traceDir)).newestFirst;

export async function traceLocation(id: string, { traceDir, kubeconfig }: SourceOptions): Promise<SourceLocation> {
  const file =
    traceDir === ''
      ? `${(await readKubeconfig(kubeconfig)).url}/kadmit/v1/traces/${encodeURIComponent(id)}`
      : traceFileInFolder(traceDir, id);
  return { file, line: 1, column: 1 };
}

async function openServer(kubeconfig: string): Promise<TraceSource> {
  const access = await readKubeconfig(kubeconfig);
  const [known, newestFirst] = await Promise.all([fetchResources(access), fetchSummaries(access)]);
  return { known, newestFirst, ownNamespace: access.namespace, traceOf: (id) => readTrace(access, id) };
}

async function openFolder(folder: string): Promise<TraceSource> {
  const traces = tracesInFolder(folder).toSorted((one, other) => other.startedAt - one.startedAt);
  const byId = new Map(traces.map((trace) => [trace.id, trace]));
  return {
    known: resourcesInTraces(traces),
    newestFirst: traces.map((trace, at) => ({ ...summaryOf(trace), sequence: traces.length - at })),
    ownNamespace: 'default',
    traceOf: async (id) => {
      const trace = byId.get(id);
      if (trace === undefined) throw new ConfigError(`${folder} has no trace ${JSON.stringify(id)}`);
      return trace;
    },
  };
}

/** Traces have no discovery document with the short names. */
const shortNames: Readonly<Record<string, string>> = {
  pods: 'po',
  services: 'svc',
  namespaces: 'ns',
  configmaps: 'cm',
  serviceaccounts: 'sa',
  deployments: 'deploy',
  replicasets: 'rs',
  statefulsets: 'sts',
  daemonsets: 'ds',
  cronjobs: 'cj',
  ingresses: 'ing',
  persistentvolumeclaims: 'pvc',
  customresourcedefinitions: 'crd',
};

function resourcesInTraces(traces: readonly Trace[]): readonly KnownResource[] {
  const known = new Map<string, KnownResource>();
  for (const { request, objectAfter, objectBefore, objectReceived } of traces) {
    const { group, version, resource, subresource, namespace } = request;
    const object = objectAfter ?? objectReceived ?? objectBefore;
    const kind = subresource === '' ? asString(object?.['kind']) : '';
    const key = `${group}/${resource}`;
    if (resource === '' || (known.get(key)?.kind ?? '') !== '') continue;
    const otherNames = [kind.toLowerCase(), shortNames[resource] ?? ''].filter((name) => name !== '');
    known.set(key, { group, version, resource, kind, namespaced: namespace !== '', otherNames });
  }
  return [...known.values()];
}

/** Rejects like fetchTrace. */
export async function readTrace(access: ServerAccess, id: string): Promise<Trace> {
  const trace: unknown = JSON.parse(await fetchTrace(access, id));
  if (isTrace(trace)) return trace;
  throw new ConfigError('the response of the server is not a trace');
}

/** More than a server keeps. */
const noLimit = 'limit=1000000';

/** `id` is an Audit-Id or `last`. Rejects with ConfigError for an unreachable server or unknown id. */
export const fetchTrace = (access: ServerAccess, id: string): Promise<string> =>
  fetchTraceText(access, `/${encodeURIComponent(id)}`);

const fetchTraceText = (access: ServerAccess, pathOrQuery: string): Promise<string> =>
  callKadmit(access, { method: 'GET', path: `/kadmit/v1/traces${pathOrQuery}` }, 'keeps no traces');

/**
 * The summaries of the requests that the server keeps, newest first; with `after`, those recorded after the one with this
 * sequence number, oldest first. Throws ConfigError when it cannot be reached or keeps none.
 */
export async function fetchSummaries(access: ServerAccess, after?: number): Promise<readonly NumberedSummary[]> {
  const query = after === undefined ? noLimit : `after=${after}`;
  const list: unknown = JSON.parse(await fetchTraceText(access, `?${query}`));
  if (isSummaries(list)) return list.items;
  throw new ConfigError('the response of the server is not a list of requests');
}

const pollMs = 400;

/**
 * Passes on the summaries of requests after the one with this sequence number, oldest first, until the signal aborts. Rejects like
 * fetchSummaries.
 */
export async function followSummaries(
  access: ServerAccess,
  after: number,
  signal: AbortSignal,
  onSummaries: (summaries: readonly NumberedSummary[]) => Promise<void>,
): Promise<void> {
  let last = after;
  while (!signal.aborted) {
    const fresh = await fetchSummaries(access, last);
    last = fresh.at(-1)?.sequence ?? last;
    await onSummaries(fresh);
    await sleep(pollMs, undefined, { signal }).catch(() => {});
  }
}

const isSummaries = (value: unknown): value is { readonly items: readonly NumberedSummary[] } =>
  isJsonObject(value) && value['traceVersion'] === 1 && Array.isArray(value['items']);

const perPage = 25;

/** Oldest first, in pages: one response with all of them would block the server. Rejects like fetchSummaries. */
export async function fetchAllTraces(access: ServerAccess): Promise<readonly Trace[]> {
  const summaries = await fetchSummaries(access);
  const pages: (readonly Trace[])[] = [];
  for (let at = 0; at < summaries.length; at += perPage) {
    const before = (summaries[at]?.sequence ?? 0) + 1;
    pages.push(parseTraces(await fetchTraceText(access, `?full=true&limit=${perPage}&before=${before}`)));
  }
  return pages.flat().toReversed();
}

/** Throws ConfigError. */
export function parseTraces(text: string): readonly Trace[] {
  const reading = readTraceFile(text);
  if (reading.outcome === 'unreadable') throw new ConfigError(`the response of the server ${reading.problem}`);
  return reading.traces;
}
