import { ConfigError } from '../../../adapters/config/config-error.ts';
import { didYouMean } from '../../../machinery/nearest-name.ts';
import type { Parts } from '../command.ts';
import { flagLines } from '../../../adapters/config/flags/flag-help.ts';
import { parseFlags } from '../../../adapters/config/flags/flags.ts';
import type { FlagsOf } from '../../../adapters/config/flags/flags.ts';
import { exitCodes, usageError } from '../terminal/io.ts';
import type { Io } from '../terminal/io.ts';
import { exportTraces } from './trace-export.ts';
import { openTraceFile } from './trace-open.ts';
import { exportFlags, openFlags, withLongNames } from './trace-options.ts';

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
