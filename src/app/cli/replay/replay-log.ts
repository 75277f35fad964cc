import { errorText } from '../../../machinery/error-text.ts';
import { ConfigError } from '../../../adapters/config/config-error.ts';
import { replayReport } from '../../../analysis/trials/replay-report.ts';
import type { Parts } from '../command.ts';
import { parseFlags, spelledOut } from '../../../adapters/config/flags/flags.ts';
import { exitCodes, usageError } from '../terminal/io.ts';
import type { Io } from '../terminal/io.ts';
import { ownTerminal } from '../terminal/terminal.ts';
import { replayLogFlags, replayLogHelp } from './replay-log-options.ts';
import { replayLogText } from './replay-log-text.ts';
import { structured } from '../terminal/structured.ts';

/** `kadmit replay --audit-log FILE --load PATH`: what a changed set of policies would have made of the writes of a log. */
export async function replayLog(
  args: readonly string[],
  io: Io,
  { createWorlds }: Pick<Parts, 'createWorlds'>,
): Promise<number> {
  const parsed = parseFlags(replayLogFlags, spelledOut(args, { o: 'output' }));
  if (parsed.outcome === 'help') {
    io.out(replayLogHelp());
    return exitCodes.fine;
  }
  if (parsed.outcome === 'usage') return usageError(io, 'replay', parsed.problem);
  const { options, rest } = parsed;
  if (rest.length > 0) return usageError(io, 'replay', `${JSON.stringify(rest[0])} is one argument too many`);
  if (options.load.length === 0)
    return usageError(io, 'replay', 'before what? --load PATH names the policies and configurations');
  const worlds = await createWorlds((error) => io.error(`kadmit replay: this is a bug in kadmit: ${String(error)}`));
  try {
    const report = await replayReport(options, worlds);
    io.out(
      options.output === 'text'
        ? replayLogText(report, ownTerminal(), options.takes.length + options.to.length > 0)
        : await structured(options.output, JSON.stringify({ replayVersion: 1, ...report }, null, 2)),
    );
    return report.refusals.length > 0 ? exitCodes.failed : exitCodes.fine;
  } catch (error) {
    return usageError(
      io,
      'replay',
      error instanceof ConfigError ? error.message : `it cannot be run: ${errorText(error)}`,
    );
  } finally {
    await worlds.close();
  }
}
