import { digestOf } from '../explain/render/digest.ts';
import { configurationHistory } from '../explain/trace/configuration-history.ts';
import { coverageOf } from '../explain/trace/coverage.ts';
import { type NumberedSummary, summaryOf } from '../explain/trace/trace-summary.ts';
import type { Trace } from '../explain/trace/trace.ts';
import type { PageSource } from './page-source.ts';
import { embeddedId, packedType } from '../explain/trace/page-html.ts';

/** Oldest first, as the traces. */
export const numberSummaries = (traces: readonly Trace[]): readonly NumberedSummary[] =>
  traces.map((trace, at) => ({ ...summaryOf(trace), sequence: at + 1 }));

/** A source of these traces alone, oldest first. */
export function createTracesSource(title: string, traces: readonly Trace[]): PageSource {
  const byId = new Map(traces.map((trace) => [trace.id, trace]));
  return {
    title,
    isLive: false,
    canReveal: false,
    trace: async (id) => byId.get(id),
    digests: async (ids) =>
      new Map(
        ids.flatMap((id) => {
          const trace = byId.get(id);
          return trace ? [[id, digestOf(trace)] as const] : [];
        }),
      ),
    coverage: async () => coverageOf(traces),
    configurations: async () => configurationHistory(traces),
    listen: ({ onRequests, connection }) => {
      connection('file');
      onRequests(numberSummaries(traces));
      return () => {};
    },
  };
}

/** The traces in the page itself; undefined for a page from a server. */
export async function createFileSource(): Promise<PageSource | undefined> {
  const element = document.getElementById(embeddedId);
  if (element === null) return undefined;
  const text = element.textContent ?? '';
  const json = element.getAttribute('type') === packedType ? await decompressBase64(text) : text;
  const { items } = JSON.parse(json) as { readonly items: readonly Trace[] };
  return createTracesSource('trace file', items);
}

/** Decodes base64 of gzip. */
function decompressBase64(base64: string): Promise<string> {
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))).text();
}
