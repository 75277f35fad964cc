import type { JsonObject } from '../machinery/json/json.ts';
import type { Digest } from '../explain/render/digest.ts';
import type { ChainChoices, ChainDocument } from '../explain/trace/chain-document.ts';
import type { ConfigurationChange } from '../explain/trace/configuration-history.ts';
import type { Coverage } from '../explain/trace/coverage.ts';
import type { OrdersDocument, OrdersProgress } from '../explain/trace/permuted-request.ts';
import type { BudgetsDocument } from '../explain/trace/request-budget.ts';
import type { NumberedSummary } from '../explain/trace/trace-summary.ts';
import type { Trace } from '../explain/trace/trace.ts';
import type { BreaksSource, BreaksState, ChainSource, WebhookMapping, PageSource } from './page-source.ts';

const root = '/kadmit/v1';

export const createServerSource = (): PageSource => ({
  title: location.host,
  isLive: true,
  canReveal: true,
  fileUrl: (id, reveal) => `${root}/traces/${encodeURIComponent(id)}?as=file${reveal ? '&reveal=true' : ''}`,
  trace: async (id, reveal) => {
    const response = await fetch(`${root}/traces/${encodeURIComponent(id)}${revealQuery(reveal)}`);
    return response.ok ? ((await response.json()) as Trace) : undefined;
  },
  digests: async (ids) => {
    const items = await fetchItems(`digests?${ids.map((id) => `id=${encodeURIComponent(id)}`).join('&')}`);
    return new Map((items as readonly Digest[]).map((digest) => [digest.id, digest]));
  },
  coverage: async () => (await fetchDocument('coverage')) as Coverage,
  configurations: async () => (await fetchItems('configurations')) as readonly ConfigurationChange[],
  breaks: createBreaksSource,
  chain: createChainSource,
  listen: ({ onRequests, onOlderRequests, connection, breaksChanged }) => {
    const events = new EventSource(`${root}/events`);
    events.addEventListener('open', () => connection('live'));
    events.addEventListener('error', () =>
      connection(events.readyState === EventSource.CLOSED ? 'lost' : 'connecting'),
    );
    events.addEventListener('summaries', (event) => onRequests(JSON.parse(String(event.data)) as NumberedSummary[]));
    events.addEventListener('older', (event) => onOlderRequests(JSON.parse(String(event.data)) as NumberedSummary[]));
    events.addEventListener('breaks', breaksChanged);
    return () => events.close();
  },
});

const revealQuery = (reveal: boolean): string => (reveal ? '?reveal=true' : '');

const fetchItems = async (path: string): Promise<readonly unknown[]> =>
  ((await fetchDocument(path)) as { readonly items: readonly unknown[] }).items;

async function fetchDocument(path: string): Promise<unknown> {
  const response = await fetch(`${root}/${path}`);
  if (!response.ok) throw new Error(await response.text());
  return response.json();
}

const createBreaksSource: BreaksSource = {
  state: async (reveal) => {
    const response = await fetch(`${root}/breaks${revealQuery(reveal)}`);
    return response.ok ? ((await response.json()) as BreaksState | null) : null;
  },
  switch: (to, point) => postChange(`${root}/breaks`, { [to]: point }),
  resume: (id, action) => postChange(`${root}/breaks/held/${encodeURIComponent(id)}`, action),
};

const createChainSource: ChainSource = {
  choices: async () => {
    const response = await fetch(`${root}/chain`);
    return response.ok ? ((await response.json()) as ChainChoices) : null;
  },
  chainOf: async (question) => {
    const response = await post(`${root}/chain`, question);
    if (!response.ok) throw new Error(errorMessage(await response.text()));
    return (await response.json()) as ChainDocument;
  },
  orders: async (id, reveal, gone) => {
    const response = await post(`${root}/orders`, { id, reveal }, gone);
    if (!response.ok) throw new Error(errorMessage(await response.text()));
    return (await response.json()) as OrdersDocument;
  },
  ordersProgress: async () => (await fetchDocument('orders')) as OrdersProgress,
  budgets: async () => ((await fetchDocument('budgets')) as BudgetsDocument).budgets,
  mappings: async () => ((await fetchDocument('map')) as { readonly map: readonly WebhookMapping[] }).map,
  map: (change) => postChange(`${root}/map`, change),
};

const post = (path: string, body: JsonObject, signal?: AbortSignal): Promise<Response> =>
  fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    ...(signal ? { signal } : {}),
  });

/** Resolves with the server's problem, '' for none. */
async function postChange(path: string, body: JsonObject): Promise<string> {
  const response = await post(path, body);
  return response.ok ? '' : errorMessage(await response.text());
}

/** The message of a Status, or the text itself. */
function errorMessage(text: string): string {
  try {
    return (JSON.parse(text) as { readonly message?: string }).message ?? text;
  } catch {
    return text;
  }
}
