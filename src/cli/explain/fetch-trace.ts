import { ConfigError } from '../../config/config-error.ts';
import { readTraceFile } from '../../trace/trace-file.ts';
import type { Trace } from '../../trace/trace.ts';
import { callServer, messageIn } from '../kubeconfig/call-server.ts';
import type { ServerAccess } from '../kubeconfig/server-access.ts';

/** The text of a trace; `id` is its Audit-Id, or `last`. Throws ConfigError when the server cannot be reached or does not have it. */
export async function fetchTrace(access: ServerAccess, id: string): Promise<string> {
  const path = `/kadmit/v1/traces/${encodeURIComponent(id)}`;
  const { code, text } = await callServer(access, { method: 'GET', path });
  const message = messageIn(text).trim();
  if (code === 404 && !/^no (?:trace|write)/.test(message)) {
    throw new ConfigError(`${access.url} keeps no traces (${message}): is it kadmit?`);
  }
  if (code !== 200) throw new ConfigError(message);
  return text;
}

/** All traces that the server keeps, oldest first. Throws ConfigError when it cannot be reached or keeps none. */
export async function fetchAllTraces(access: ServerAccess): Promise<readonly Trace[]> {
  const { code, text } = await callServer(access, { method: 'GET', path: '/kadmit/v1/traces?full=true&limit=10000' });
  const message = messageIn(text).trim();
  if (code === 404) throw new ConfigError(`${access.url} keeps no traces (${message}): is it kadmit?`);
  if (code !== 200) throw new ConfigError(message);
  const reading = readTraceFile(text);
  if (reading.outcome === 'unreadable') throw new ConfigError(`what the server answered ${reading.problem}`);
  return reading.traces.toReversed();
}
