import { writeFileSync } from 'node:fs';
import { errorText } from '../../../machinery/error-text.ts';
import { ConfigError } from '../../../adapters/config/config-error.ts';
import { readTraceFile, renderTraceFile } from '../../../explain/trace/trace-file.ts';
import type { Trace } from '../../../explain/trace/trace.ts';
import { callServer, messageIn } from '../../../adapters/config/kubeconfig/call-server.ts';
import { fetchTrace } from '../explain/fetch-trace.ts';
import { exitCodes } from '../terminal/io.ts';
import { tellingWhile } from '../terminal/live-line.ts';
import type { Io } from '../terminal/io.ts';
import { readKubeconfig } from '../../../adapters/config/kubeconfig/read-kubeconfig.ts';
import type { ServerAccess } from '../../../adapters/config/kubeconfig/server-access.ts';
import type { ExportOptions } from './trace-options.ts';

/**
 * `kadmit trace export [ID|last|all]`: writes traces of the running server into one HTML file that anybody can open.
 * Throws ConfigError when the server or the file cannot be used.
 */
export async function exportTraces(which: string, options: ExportOptions, io: Io): Promise<number> {
  const { output, showSecrets: reveal, kubeconfig } = options;
  const traces = await tellingWhile('reading the traces …', fetchTraces(await readKubeconfig(kubeconfig), which));
  const text = await rendered(traces, reveal);
  if (output === '-') {
    io.out(text);
    return exitCodes.fine;
  }
  save(output, text);
  const count = traces.length === 1 ? '1 trace' : `${traces.length} traces`;
  const secrets = reveal ? 'with what Secrets hold' : 'what Secrets hold is masked';
  io.out(`${output}: ${count}, ${Math.ceil(text.length / 1024)} KiB, ${secrets}; open it in any browser`);
  return exitCodes.fine;
}

async function rendered(traces: readonly Trace[], reveal: boolean): Promise<string> {
  try {
    return await renderTraceFile(traces, { reveal });
  } catch (error) {
    throw new ConfigError(errorText(error));
  }
}

/** Only its owner may read it: traces can hold Secrets. */
function save(path: string, text: string): void {
  try {
    writeFileSync(path, text, { mode: 0o600 });
  } catch (error) {
    throw new ConfigError(`${path} cannot be written: ${errorText(error)}`);
  }
}

/** Oldest first. */
async function fetchTraces(access: ServerAccess, which: string): Promise<readonly Trace[]> {
  const traces = which === 'all' ? await fetchAll(access) : tracesIn(await fetchTrace(access, which));
  if (traces.length === 0) throw new ConfigError('no write has been traced yet');
  return traces;
}

const perPage = 200;

/** Page by page, so that the server has time for others. */
async function fetchAll(access: ServerAccess): Promise<readonly Trace[]> {
  const pages: (readonly Trace[])[] = [];
  const { items } = JSON.parse(await get(access, 'limit=10000')) as { readonly items: readonly { sequence: number }[] };
  for (let at = 0; at < items.length; at += perPage) {
    const before = (items[at]?.sequence ?? 0) + 1;
    pages.push(tracesIn(await get(access, `full=true&limit=${perPage}&before=${before}`)));
  }
  return pages.flat().toReversed();
}

async function get(access: ServerAccess, query: string): Promise<string> {
  const { code, text } = await callServer(access, { method: 'GET', path: `/kadmit/v1/traces?${query}` });
  if (code !== 200) throw new ConfigError(messageIn(text));
  return text;
}

function tracesIn(text: string): readonly Trace[] {
  const reading = readTraceFile(text);
  if (reading.outcome === 'unreadable') throw new ConfigError(`what the server answered ${reading.problem}`);
  return reading.traces;
}
