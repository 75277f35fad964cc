import { errorText } from '../../machinery/errors.ts';
import type { Breakpoints } from '../../adapters/breakpoints/breakpoints.ts';
import { uiBreakpoints } from '../../adapters/http/breakpoints.ts';
import type { ServerConfig } from '../../adapters/config/server-config.ts';
import type { UiApi } from '../../adapters/http/page/page-sources.ts';
import type { Tracing } from './record-traces.ts';

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
  { breaks, door }: { readonly breaks: Breakpoints; readonly door: UiApi },
): Promise<ServedPage> {
  if (uiPort < 0) return noPage;
  const { startPageServer } = await import('../../adapters/http/page/page-server.ts');
  try {
    const { url, close } = await startPageServer(uiPort, { ...log, digest, breaks: uiBreakpoints(breaks), door });
    return { uiUrl: url, uiProblem: '', close };
  } catch (error) {
    return { ...noPage, uiProblem: problemWith(error, uiPort) };
  }
}

function problemWith(error: unknown, port: number): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  const choose = 'choose another --ui-port (0 picks a free one, -1 switches the page off)';
  if (code === 'EADDRINUSE') return `127.0.0.1:${port}, where the page would be, is taken; ${choose}`;
  if (code === 'EACCES') return `may not serve the page on 127.0.0.1:${port}; ${choose}`;
  return `the page cannot be served on 127.0.0.1:${port}: ${errorText(error)}`;
}
