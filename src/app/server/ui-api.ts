import type { Breakpoints } from '../../adapters/breakpoints/breakpoints.ts';
import type { ServerConfig } from '../../adapters/config/server-config.ts';
import { uiBreakpoints } from '../../adapters/http/breakpoints.ts';
import type { UiApi } from '../../adapters/http/page/page-sources.ts';
import type { Mappings } from '../../adapters/webhook-client/mappings.ts';
import type { ApiResponse } from '../../apiserver/request/api-request.ts';
import type { BudgetsDocument } from '../../explain/trace/request-budget.ts';
import { errorText } from '../../machinery/errors.ts';
import { plainValue, readJson } from '../../machinery/json/json-reader.ts';
import { bigintAsText } from '../../machinery/json/json-writer.ts';
import { asObject, asString } from '../../machinery/json/json.ts';
import type { ClusterView } from '../../machinery/meta/cluster-view.ts';
import { chainChoices, type ChainEndpointPorts, serveChain } from './serve-chain.ts';
import type { Tracing } from './record-traces.ts';
import { serveMap } from './serve-map.ts';
import type { Orders } from './try-orders.ts';

interface UiApiParts extends ChainEndpointPorts {
  readonly mappings: Mappings;
  readonly cluster: Pick<ClusterView, 'list'>;
  readonly orders: Orders;
}

/** The API of the page besides traces: chain, budgets, orders and mappings. */
export function createUiApi(parts: UiApiParts): UiApi {
  const chain = serveChain(parts);
  const mapped = serveMap(parts.mappings);
  return async ({ method, path, body, gone }) => {
    const request = { method, path, body: new TextEncoder().encode(body) };
    if (method === 'GET' && path === '/kadmit/v1/chain') return toUiAnswer(chainChoices(parts.catalogue()));
    if (method === 'GET' && path === '/kadmit/v1/budgets')
      return { code: 200, body: JSON.stringify(await pageBudgets(parts.cluster)) };
    if (method === 'GET' && path === '/kadmit/v1/orders')
      return { code: 200, body: JSON.stringify(parts.orders.progress()) };
    if (method === 'POST' && path === '/kadmit/v1/orders') return answerOrders({ body, gone }, parts.orders);
    const response = (await chain(request)) ?? mapped(request);
    return response && toUiAnswer(response);
  };
}

function toUiAnswer(response: ApiResponse): Awaited<ReturnType<UiApi>> {
  if (response.type === 'status') return { code: response.status.code ?? 500, body: JSON.stringify(response.status) };
  return response.type === 'document' && typeof response.body === 'string'
    ? { code: response.code, body: response.body }
    : undefined;
}

/** The body: `{ id, reveal }`. */
async function answerOrders(
  { body, gone }: Pick<Parameters<UiApi>[0], 'body' | 'gone'>,
  orders: UiApiParts['orders'],
): ReturnType<UiApi> {
  const reading = readJson(body);
  const sent = reading.outcome === 'unreadable' ? {} : asObject(plainValue(reading.json.value));
  const answer = await orders.tried(asString(sent['id']), sent['reveal'] === true, gone);
  return answer.outcome === 'tried'
    ? { code: 200, body: JSON.stringify(answer.document, bigintAsText) }
    : { code: answer.code, body: JSON.stringify({ message: answer.message }) };
}

const kinds = [
  { group: 'admissionregistration.k8s.io', resource: 'mutatingwebhookconfigurations' },
  { group: 'admissionregistration.k8s.io', resource: 'validatingwebhookconfigurations' },
  { group: 'apiextensions.k8s.io', resource: 'customresourcedefinitions' },
];

/** `GET /kadmit/v1/budgets` of the page. */
export async function pageBudgets(cluster: Pick<ClusterView, 'list'>): Promise<BudgetsDocument> {
  const { computeServedBudgets: servedBudgets } = await import('../../analysis/lint/model/budget.ts');
  return { budgets: servedBudgets(kinds.flatMap((kind) => cluster.list(kind))) };
}

export interface ServedPage {
  /** With its token; '' without a page. */
  readonly uiUrl: string;
  /** Why the page cannot be served; '' when it is, or is switched off. */
  readonly uiProblem: string;
  readonly close: () => Promise<void>;
}

const noPage: ServedPage = { uiUrl: '', uiProblem: '', close: async () => {} };

/** Serves the page unless `--ui-port -1` switches it off. */
export async function servePage(
  { uiPort }: Pick<ServerConfig, 'uiPort'>,
  { log, digest }: Pick<Tracing, 'log' | 'digest'>,
  { breaks, uiApi }: { readonly breaks: Breakpoints; readonly uiApi: UiApi },
): Promise<ServedPage> {
  if (uiPort < 0) return noPage;
  const { startPageServer } = await import('../../adapters/http/page/page-server.ts');
  try {
    const { url, close } = await startPageServer(uiPort, { ...log, digest, breaks: uiBreakpoints(breaks), api: uiApi });
    return { uiUrl: url, uiProblem: '', close };
  } catch (error) {
    return { ...noPage, uiProblem: pageProblem(error, uiPort) };
  }
}

function pageProblem(error: unknown, port: number): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  const choose = 'choose another --ui-port (0 picks a free one, -1 switches the page off)';
  if (code === 'EADDRINUSE') return `127.0.0.1:${port}, where the page would be, is taken; ${choose}`;
  if (code === 'EACCES') return `may not serve the page on 127.0.0.1:${port}; ${choose}`;
  return `the page cannot be served on 127.0.0.1:${port}: ${errorText(error)}`;
}
