import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { ConfigError } from '../../../adapters/config/config-error.ts';
import { flagLines, parseFlags } from '../../../adapters/config/flags/flags.ts';
import type { FlagsOf } from '../../../adapters/config/flags/flags.ts';
import { callServer, messageIn } from '../../../adapters/config/kubeconfig/call-server.ts';
import { readKubeconfig } from '../../../adapters/config/kubeconfig/read-kubeconfig.ts';
import type { ServerAccess } from '../../../adapters/config/kubeconfig/call-server.ts';
import { longestTraceFile, readTraceFile, renderTraceFile } from '../../../explain/trace/trace-file.ts';
import type { Trace } from '../../../explain/trace/trace.ts';
import { errorText } from '../../../machinery/error-text.ts';
import { readBoundedFile } from '../../../machinery/files/bounded-file.ts';
import { didYouMean } from '../../../machinery/nearest-name.ts';
import type { Parts } from '../command.ts';
import { fetchTrace } from '../explain/fetch-trace.ts';
import { untilInterrupted } from '../terminal/interrupt.ts';
import { exitCodes, usageError } from '../terminal/io.ts';
import type { Io } from '../terminal/io.ts';
import { tellingWhile } from '../terminal/live-line.ts';
import { exportFlags, openFlags, withLongNames } from './trace-options.ts';
import type { ExportOptions, OpenOptions } from './trace-options.ts';

/** `kadmit trace export` and `kadmit trace open`; resolves with the exit code. */
export async function trace(args: readonly string[], io: Io, parts: Pick<Parts, 'openTraces'>): Promise<number> {
  const [action = '', ...rest] = args;
  try {
    if (action === 'export') return await runExport(rest, io);
    if (action === 'open') return await runOpen(rest, io, parts);
  } catch (error) {
    if (error instanceof ConfigError) return usageError(io, 'trace', error.message);
    throw error;
  }
  if (['--help', '-h'].includes(action)) return told(io, help());
  return usageError(
    io,
    'trace',
    `${action === '' ? 'say export or open' : `there is no ${JSON.stringify(action)}${didYouMean(action, ['export', 'open', '--help']) || '; say export or open'}`}`,
  );
}

function told(io: Io, text: string): number {
  io.out(text);
  return exitCodes.fine;
}

async function runExport(args: readonly string[], io: Io): Promise<number> {
  const parsed = parsedArgs(exportFlags, withLongNames(args));
  if (parsed === 'help') return told(io, help());
  const [which = 'last', ...more] = parsed.rest;
  refuseMore(more);
  return exportTraces(which, parsed.options, io);
}

async function runOpen(args: readonly string[], io: Io, parts: Pick<Parts, 'openTraces'>): Promise<number> {
  const parsed = parsedArgs(openFlags, args);
  if (parsed === 'help') return told(io, help());
  const [file, ...more] = parsed.rest;
  if (file === undefined) throw new ConfigError('open needs a file: kadmit trace open FILE');
  refuseMore(more);
  return openTraceFile(file, parsed.options, io, parts);
}

interface ParsedArgs<Options> {
  readonly options: Options;
  readonly rest: readonly string[];
}

function parsedArgs<Options>(flags: FlagsOf<Options>, args: readonly string[]): ParsedArgs<Options> | 'help' {
  const parsed = parseFlags(flags, args);
  if (parsed.outcome === 'help') return 'help';
  if (parsed.outcome === 'usage') throw new ConfigError(parsed.problem);
  return parsed;
}

function refuseMore([first]: readonly string[]): void {
  if (first !== undefined) throw new ConfigError(`${JSON.stringify(first)} is one argument too many`);
}

const help = (): string =>
  [
    'usage: kadmit trace export [ID|last|all] [FLAGS]',
    '       kadmit trace open FILE [FLAGS]',
    '',
    'export writes traces of the running server into one HTML file that any browser opens, without a server.',
    'ID is the Audit-Id header of an answer.',
    '',
    ...flagLines(exportFlags),
    '',
    'open serves the traces of such a file, or of a JSON file of --trace-dir, in the page.',
    '',
    ...flagLines(openFlags),
  ].join('\n');

/**
 * `kadmit trace open FILE`: shows the traces of a file in the page, on the loopback address, until Ctrl-C. Throws
 * ConfigError for a file that holds none and a port that cannot be had.
 */
async function openTraceFile(
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

/**
 * `kadmit trace export [ID|last|all]`: writes traces of the running server into one HTML file that anybody can open.
 * Throws ConfigError when the server or the file cannot be used.
 */
async function exportTraces(which: string, options: ExportOptions, io: Io): Promise<number> {
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
