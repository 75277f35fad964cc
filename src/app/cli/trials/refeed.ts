import { refeed as refeedScenario } from '../../../analysis/trials/refeed.ts';
import type { Parts } from '../command.ts';
import { flagLines } from '../../../adapters/config/flags/flag-help.ts';
import { parseFlags, spelledOut } from '../../../adapters/config/flags/flags.ts';
import { exitCodes, usageError } from '../terminal/io.ts';
import type { Io } from '../terminal/io.ts';
import { ownTerminal } from '../terminal/terminal.ts';
import { refeedText } from './refeed-text.ts';
import { runTrials } from './run-trials.ts';
import { refeedFlags } from './trial-options.ts';

/** `kadmit refeed SCENARIO…`: every mutating webhook gets its own output again; exit code 1 when one changes it. */
export async function refeed(
  args: readonly string[],
  io: Io,
  { createWorlds }: Pick<Parts, 'createWorlds'>,
): Promise<number> {
  const parsed = parseFlags(refeedFlags, spelledOut(args, { o: 'output' }));
  if (parsed.outcome === 'help') {
    io.out(help());
    return exitCodes.fine;
  }
  if (parsed.outcome === 'usage') return usageError(io, 'refeed', parsed.problem);
  const { options, rest } = parsed;
  if (rest.length === 0)
    return usageError(io, 'refeed', 'which requests? kadmit refeed SCENARIO…, or --load CONFIGURATIONS OBJECTS…');
  return runTrials(
    rest,
    options,
    { io, createWorlds },
    {
      command: 'refeed',
      run: refeedScenario,
      text: (reports) => refeedText(reports, ownTerminal()),
      isFound: ({ requests }) =>
        requests.some(
          ({ restless, rounds, findings, unanswered }) =>
            restless.some(({ after }) => after === 'own') ||
            findings.length > 0 ||
            rounds.outcome !== 'settles' ||
            (unanswered.length > 0 && options.load.length > 0),
        ),
    },
  );
}

const help = (): string =>
  [
    'usage: kadmit refeed SCENARIO... [FLAGS]',
    '       kadmit refeed --load PATH [--to WEBHOOK=URL] OBJECTS...',
    '',
    'Gives every mutating webhook that the writes of scenarios meet its own output again, then lets all go round until nothing',
    'changes: a webhook that changes its own work breaks when it is called again (reinvocationPolicy IfNeeded).',
    'Exit codes: 0 all are idempotent, 1 one is not, or a call to a webhook of --load failed, 2 a webhook has no --to,',
    'or a file cannot be read.',
    '',
    ...flagLines(refeedFlags),
  ].join('\n');
