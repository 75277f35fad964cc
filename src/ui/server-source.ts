import type { NumberedSummary } from '../trace/trace-summary.ts';
import type { Trace } from '../trace/trace.ts';
import type { PageSource } from './page-source.ts';

const root = '/kadmit/v1';

/** The server that the page came from. */
export const serverSource = (): PageSource => ({
  title: location.host,
  isLive: true,
  canReveal: true,
  trace: async (id, reveal) => {
    const response = await fetch(`${root}/traces/${encodeURIComponent(id)}${reveal ? '?reveal=true' : ''}`);
    return response.ok ? ((await response.json()) as Trace) : undefined;
  },
  all: async () => {
    const response = await fetch(`${root}/traces?full=true`);
    return response.ok ? ((await response.json()) as { readonly items: readonly Trace[] }).items : [];
  },
  listen: ({ heard, connection, breaksChanged }) => {
    const events = new EventSource(`${root}/events`);
    events.addEventListener('open', () => connection('live'));
    events.addEventListener('error', () =>
      connection(events.readyState === EventSource.CLOSED ? 'lost' : 'connecting'),
    );
    events.addEventListener('summaries', (event) => heard(JSON.parse(String(event.data)) as NumberedSummary[]));
    events.addEventListener('breaks', breaksChanged);
    return () => events.close();
  },
});
