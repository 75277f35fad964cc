import { permute as permuteScenario } from '../../../analysis/trials/permute.ts';
import type { Parts } from '../command.ts';
import { flagLines } from '../../../adapters/config/flags/flag-help.ts';
import { parseFlags, spelledOut } from '../../../adapters/config/flags/flags.ts';
import { exitCodes, usageError } from '../terminal/io.ts';
import type { Io } from '../terminal/io.ts';
import { ownTerminal } from '../terminal/terminal.ts';
import { permuteText } from './permute-text.ts';
import { runTrials } from './run-trials.ts';
import { permuteFlags } from './trial-options.ts';

/** `kadmit permute SCENARIO…`: the same writes with the mutating webhooks in every order; exit code 1 when the order matters. */
export async function permute(
  args: readonly string[],
  io: Io,
  { createWorlds }: Pick<Parts, 'createWorlds'>,
): Promise<number> {
  const parsed = parseFlags(permuteFlags, spelledOut(args, { o: 'output' }));
  if (parsed.outcome === 'help') {
    io.out(help());
    return exitCodes.fine;
  }
  if (parsed.outcome === 'usage') return usageError(io, 'permute', parsed.problem);
  const { options, rest } = parsed;
  if (rest.length === 0)
    return usageError(io, 'permute', 'which requests? kadmit permute SCENARIO…, or --load CONFIGURATIONS OBJECTS…');
  return runTrials(
    rest,
    options,
    { io, createWorlds },
    {
      command: 'permute',
      run: (scenario, worlds, onProgress) => permuteScenario(scenario, worlds, { ...options, onProgress }),
      text: (reports) => permuteText(reports, ownTerminal()),
      isFound: ({ requests }) =>
        requests.some(
          ({ results, unanswered }) => results.length > 1 || (unanswered.length > 0 && options.load.length > 0),
        ),
    },
  );
}

const help = (): string =>
  [
    'usage: kadmit permute SCENARIO... [FLAGS]',
    '       kadmit permute --load PATH [--to WEBHOOK=URL] OBJECTS...',
    '',
    'Sends the writes of scenarios (a recording of kadmit record is one) with their mutating webhooks in every order, and says',
    'of which two it matters who comes first. Up to six: all orders; of more each pair both ways, and --samples others.',
    'Exit codes: 0 the order does not matter, 1 it does, or a call to a webhook of --load failed, 2 a webhook has no --to,',
    'or a file cannot be read.',
    '',
    ...flagLines(permuteFlags),
  ].join('\n');
