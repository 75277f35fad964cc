import { summaryOf } from '../../../explain/trace/trace-summary.ts';
import type { Trace } from '../../../explain/trace/trace.ts';
import { type PageServer, startPageServer } from './page-server.ts';
import { sourcesOf } from './page-sources.ts';

/** Serves traces, oldest first, on a loopback port; 0: any free one. */
export function openTraces(traces: readonly Trace[], port: number): Promise<PageServer> {
  const summaries = traces.map((trace, at) => ({ ...summaryOf(trace), sequence: at + 1 }));
  return startPageServer(port, sourcesOf(traces, summaries));
}
