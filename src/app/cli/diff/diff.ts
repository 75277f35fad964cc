import { bigintAsText } from '../../../machinery/json/bigint-replacer.ts';
import { basename } from 'node:path';
import { errorText } from '../../../machinery/error-text.ts';
import { ConfigError } from '../../../adapters/config/config-error.ts';
import { compareSets } from '../../../analysis/trials/compare-sets.ts';
import type { SetsReport } from '../../../analysis/trials/compare-sets.ts';
import type { Parts } from '../command.ts';
import { parseFlags, spelledOut } from '../../../adapters/config/flags/flags.ts';
import { exitCodes, usageError } from '../terminal/io.ts';
import type { Io } from '../terminal/io.ts';
import { createLiveLine } from '../terminal/live-line.ts';
import { structured } from '../terminal/structured.ts';
import { ownTerminal } from '../terminal/terminal.ts';
import { comparisonsOf } from '../../../analysis/trials/comparisons.ts';
import { diffFlags, diffHelp } from './diff-options.ts';
import type { DiffOptions } from './diff-options.ts';
import { diffText } from './diff-text.ts';

/** `kadmit diff A B REQUESTS…`: two sets of configurations and policies over the same requests; exit code 1 when something differs. */
export async function diff(
  args: readonly string[],
  io: Io,
  { createWorlds }: Pick<Parts, 'createWorlds'>,
): Promise<number> {
  const parsed = parseFlags(diffFlags, spelledOut(args, { o: 'output' }));
  if (parsed.outcome === 'help') {
    io.out(diffHelp());
    return exitCodes.fine;
  }
  if (parsed.outcome === 'usage') return usageError(io, 'diff', parsed.problem);
  const { options, rest } = parsed;
  const [a, b, ...requests] = rest;
  if (a === undefined || b === undefined) return usageError(io, 'diff', 'of what? kadmit diff A B OBJECTS|SCENARIO…');
  if (requests.length === 0 && options.auditLog === '' && options.traces === '')
    return usageError(
      io,
      'diff',
      'over which requests? name objects or scenarios, or --audit-log FILE, --traces FOLDER',
    );
  const line = createLiveLine(process.stderr);
  const worlds = await createWorlds((error) => io.error(`kadmit diff: this is a bug in kadmit: ${String(error)}`));
  try {
    const reports: (SetsReport & { readonly over: string })[] = [];
    for (const { over, sides, ask } of await comparisonsOf([a, b], requests, options)) {
      const report = await compareSets(sides, ask, worlds, (text) => line.show(`${over}: ${text} …`));
      reports.push({ over, ...report });
    }
    line.clear();
    io.out(await printed(reports, [a, b], options));
    return reports.some(({ differing }) => differing > 0) ? exitCodes.failed : exitCodes.fine;
  } catch (error) {
    line.clear();
    const told = error instanceof ConfigError ? error.message : `it cannot be run: ${errorText(error)}`;
    return usageError(io, 'diff', told);
  } finally {
    await worlds.close();
  }
}

async function printed(
  reports: readonly (SetsReport & { readonly over: string })[],
  names: readonly [string, string],
  { output }: DiffOptions,
): Promise<string> {
  if (output !== 'text') {
    const document = { diffVersion: 1, a: names[0], b: names[1], reports };
    return structured(output, JSON.stringify(document, bigintAsText, 2));
  }
  const terminal = ownTerminal();
  const [a, b] = names.map((name) => basename(name));
  const shown: readonly [string, string] = a !== undefined && b !== undefined && a !== b ? [a, b] : names;
  return reports.map((report) => `${report.over}: ${diffText(report, shown, terminal)}`).join('\n\n');
}
