import { writeFileSync } from 'node:fs';
import { ConfigError } from '../server-config.ts';
import { readTraceFile, renderTraceFile } from '../trace/trace-file.ts';
import type { Trace } from '../trace/trace.ts';
import { callServer, messageIn } from './call-server.ts';
import { fetchTrace } from './fetch-trace.ts';
import { exitCodes } from './io.ts';
import type { Io } from './io.ts';
import { readKubeconfig } from './read-kubeconfig.ts';
import type { ServerAccess } from './read-kubeconfig.ts';
import type { ExportOptions } from './trace-options.ts';

/**
 * `kadmit trace export [ID|last|all]`: writes traces of the running server into one HTML file that anybody can open.
 * Throws ConfigError when the server or the file cannot be used.
 */
export async function exportTraces(which: string, options: ExportOptions, io: Io): Promise<number> {
  const { output, showSecrets: reveal, kubeconfig } = options;
  const traces = await fetchTraces(await readKubeconfig(kubeconfig), which);
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
    throw new ConfigError(error instanceof Error ? error.message : String(error));
  }
}

/** Only its owner may read it: traces can hold Secrets. */
function save(path: string, text: string): void {
  try {
    writeFileSync(path, text, { mode: 0o600 });
  } catch (error) {
    throw new ConfigError(`${path} cannot be written: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Oldest first. */
async function fetchTraces(access: ServerAccess, which: string): Promise<readonly Trace[]> {
  const text = which === 'all' ? await fetchAll(access) : await fetchTrace(access, which);
  const reading = readTraceFile(text);
  if (reading.outcome === 'unreadable') throw new ConfigError(`what the server answered ${reading.problem}`);
  if (reading.traces.length === 0) throw new ConfigError('no write has been traced yet');
  return which === 'all' ? reading.traces.toReversed() : reading.traces;
}

async function fetchAll(access: ServerAccess): Promise<string> {
  const { code, text } = await callServer(access, {
    method: 'GET',
    path: '/kadmit/v1/traces?full=true&limit=10000',
  });
  if (code !== 200) throw new ConfigError(messageIn(text));
  return text;
}
