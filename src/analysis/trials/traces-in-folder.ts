import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { readBoundedFile } from '../../machinery/files/bounded-file.ts';
import { errorText } from '../../machinery/error-text.ts';
import { ConfigError } from '../../adapters/config/config-error.ts';
import { longestTraceFile, readTraceFile } from '../../explain/trace/trace-file.ts';
import { isWriteOrConnection } from '../../explain/trace/object-write.ts';
import { traceFileName } from '../../explain/trace/trace-files.ts';
import { resourceText } from '../../explain/trace/trace-summary.ts';
import type { Trace } from '../../explain/trace/trace.ts';

/**
 * A trace in a folder written by `--trace-dir`: by Audit-Id, `last`, or with `undefined` the last denied one. Throws
 * ConfigError when there is none.
 */
export function traceInFolder(folder: string, id: string | undefined): Trace {
  const paths = newestFirst(folder);
  if (id !== undefined && id !== 'last') {
    const path = join(folder, traceFileName(id));
    if (!paths.includes(path)) throw new ConfigError(`${folder} holds no trace ${JSON.stringify(id)}`);
    return readTrace(path);
  }
  if (paths.length === 0) throw new ConfigError(`${folder} holds no trace`);
  let last: Trace | undefined;
  for (const path of paths) {
    const trace = readTrace(path);
    const { verb } = trace.request;
    if (!isWriteOrConnection({ verb, resource: resourceText(trace.request) })) continue;
    if (id === 'last' || trace.verdict === 'refused') return trace;
    last ??= trace;
  }
  if (last === undefined) throw new ConfigError(`${folder} holds no trace of a write; name one by its ID`);
  return last;
}

/** Newest first. Throws ConfigError when a trace is unreadable. */
export const tracesInFolder = (folder: string): readonly Trace[] => newestFirst(folder).map(readTrace);

function newestFirst(folder: string): readonly string[] {
  const written = readFolder(folder)
    .filter((name) => name.endsWith('.json'))
    .map((name) => join(folder, name))
    .map((path) => ({ path, at: statSync(path).mtimeMs }));
  return written.toSorted((one, other) => other.at - one.at).map(({ path }) => path);
}

function readFolder(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    throw unreadable(folder, error);
  }
}

function readTrace(path: string): Trace {
  const reading = readTraceFile(textOf(path));
  if (reading.outcome === 'unreadable') throw new ConfigError(`${path} ${reading.problem}`);
  const [trace] = reading.traces;
  if (!trace) throw new ConfigError(`${path} holds no trace`);
  return trace;
}

function textOf(path: string): string {
  try {
    return readBoundedFile(path, longestTraceFile);
  } catch (error) {
    throw unreadable(path, error);
  }
}

const unreadable = (path: string, error: unknown): ConfigError =>
  new ConfigError(`${path} cannot be read: ${errorText(error)}`);
