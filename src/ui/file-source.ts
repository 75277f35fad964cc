import { configurationHistory } from '../trace/configuration-history.ts';
import { coverageOf } from '../trace/coverage.ts';
import { embeddedId } from '../trace/page-html.ts';
import { summaryOf } from '../trace/trace-summary.ts';
import type { Trace } from '../trace/trace.ts';
import type { PageSource } from './page-source.ts';

/** The traces that stand in the page itself; undefined for a page from a server. */
export function fileSource(): PageSource | undefined {
  const text = document.getElementById(embeddedId)?.textContent;
  if (text === undefined || text === null) return undefined;
  const { items } = JSON.parse(text) as { readonly items: readonly Trace[] };
  const byId = new Map(items.map((trace) => [trace.id, trace]));
  return {
    title: 'trace file',
    isLive: false,
    canReveal: false,
    trace: async (id) => byId.get(id),
    coverage: async () => coverageOf(items),
    configurations: async () => configurationHistory(items),
    listen: ({ heard, connection }) => {
      connection('file');
      heard(items.map((trace, at) => ({ ...summaryOf(trace), sequence: at + 1 })));
      return () => {};
    },
  };
}
