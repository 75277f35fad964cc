import { spawn } from 'node:child_process';
import { readBoundedFile } from '../../../machinery/files/bounded-file.ts';
import { errorText } from '../../../machinery/error-text.ts';
import { ConfigError } from '../../../adapters/config/config-error.ts';
import { longestTraceFile, readTraceFile } from '../../../explain/trace/trace-file.ts';
import type { Trace } from '../../../explain/trace/trace.ts';
import type { Parts } from '../command.ts';
import { untilInterrupted } from '../terminal/interrupt.ts';
import { exitCodes } from '../terminal/io.ts';
import type { Io } from '../terminal/io.ts';
import type { OpenOptions } from './trace-options.ts';

/**
 * `kadmit trace open FILE`: shows the traces of a file in the page, on the loopback address, until Ctrl-C. Throws
 * ConfigError for a file that holds none and a port that cannot be had.
 */
export async function openTraceFile(
  path: string,
  { port, browser }: OpenOptions,
  io: Io,
  { openTraces }: Pick<Parts, 'openTraces'>,
): Promise<number> {
  const traces = tracesOf(path);
  const page = await openTraces(traces, port).catch((error: unknown) => {
    throw new ConfigError(`the page cannot be served: ${errorText(error)}`);
  });
  io.out(`${traces.length === 1 ? '1 trace' : `${traces.length} traces`} of ${path}: ${page.url}\n\nCtrl-C ends it.`);
  if (browser) showInBrowser(page.url, io);
  await untilInterrupted(() => page.close());
  return exitCodes.fine;
}

function tracesOf(path: string): readonly Trace[] {
  const reading = readTraceFile(textOf(path));
  if (reading.outcome === 'unreadable') throw new ConfigError(`${path} ${reading.problem}`);
  if (reading.traces.length === 0) throw new ConfigError(`${path} holds no trace`);
  return reading.traces;
}

function textOf(path: string): string {
  try {
    return readBoundedFile(path, longestTraceFile);
  } catch (error) {
    throw new ConfigError(`${path} cannot be read: ${errorText(error)}`);
  }
}

const openers: Readonly<Record<string, readonly [command: string, ...args: string[]]>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
};

function showInBrowser(url: string, io: Io): void {
  const [command, ...args] = openers[process.platform] ?? ['xdg-open'];
  const child = spawn(command, [...args, url], { stdio: 'ignore', detached: true });
  child.on('error', () => io.error(`kadmit trace: ${command} cannot be run; open the URL yourself`));
  child.unref();
}
