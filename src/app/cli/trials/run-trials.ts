import { ConfigError } from '../../../adapters/config/config-error.ts';
import { manifestsFlag, outputFlag, repeatedFlag } from '../../../adapters/config/flags/common-flags.ts';
import type { Unanswered } from '../../../analysis/trials/participants.ts';
import { type Background, trialScenarios } from '../../../analysis/trials/trial-scenarios.ts';
import { isPolicy } from '../../../explain/render/about-decision.ts';
import type { Scenario } from '../../../testing/scenario/format.ts';
import type { Worlds } from '../../../testing/scenario/world.ts';
import type { CommandContext } from '../command-context.ts';
import { exitCodes, type Io, type Output, structured, usageError } from '../terminal/io.ts';
import { withWorlds } from '../with-worlds.ts';
import { countText } from '../../../machinery/lists.ts';

/** For `kadmit order` and `kadmit idempotency`. */
export const trialFlags = {
  files: manifestsFlag('with --load: file or folder of objects to create, like OBJECTS'),
  load: repeatedFlag(
    'load',
    'PATH',
    'configurations, policies and definitions to store; the arguments are then objects to create',
  ),
  to: repeatedFlag('to', 'WEBHOOK=URL', 'address of a webhook; one without it is not called'),
  output: outputFlag,
};

export const trialForm = {
  synopsis: ['SCENARIO... [FLAGS]', '--load PATH [--to WEBHOOK=URL] -f OBJECTS'],
  positionals: { name: 'SCENARIO', complete: [{ type: 'files' }] },
} as const;

interface TrialReport {
  readonly requests: readonly { readonly notCalled: readonly string[] }[];
}

export interface Trials<Report extends TrialReport> {
  readonly command: 'order' | 'idempotency';
  readonly run: (scenario: Scenario, worlds: Worlds, onProgress: (text: string) => void) => Promise<Report>;
  readonly text: (reports: readonly Report[]) => string;
  readonly isFound: (report: Report) => boolean;
}

/** Runs trials over scenarios and prints the reports; exit code 1 for findings, 2 when a webhook was not called. */
export async function runTrials<Report extends TrialReport>(
  args: readonly string[],
  options: Background & { readonly files: readonly string[]; readonly output: Output },
  { io, createWorlds }: { readonly io: Io } & Pick<CommandContext, 'createWorlds'>,
  { command, run, text, isFound }: Trials<Report>,
): Promise<number> {
  const { files, output } = options;
  const paths = [...files, ...args];
  if (paths.length === 0) throw new ConfigError('SCENARIO or -f FILE is required');
  const reports = await withWorlds(command, { io, createWorlds }, async (worlds, onProgress) => {
    const done: Report[] = [];
    for (const scenario of await trialScenarios(paths, options))
      done.push(await run(scenario, worlds, (what) => onProgress(`${scenario.name}: ${what} …`)));
    return done;
  });
  const document = (): string => JSON.stringify({ [`${command}Version`]: 1, reports }, withoutTraces, 2);
  io.document?.(JSON.parse(document()));
  io.out(output === 'text' ? text(reports) : await structured(output, document()));
  const notCalled = new Set(reports.flatMap(({ requests }) => requests.flatMap((one) => one.notCalled)));
  if (notCalled.size > 0) return usageError(io, command, missingAddresses([...notCalled]));
  return reports.some(isFound) ? exitCodes.failed : exitCodes.fine;
}

const missingAddresses = (notCalled: readonly string[]): string =>
  `nothing is known of webhooks that were not called; add ${notCalled.map((one) => `--to ${one.slice(one.indexOf('/') + 1)}=URL`).join(' ')}`;

/** Whole numbers beyond 2^53 become texts. */
function withoutTraces(key: string, value: unknown): unknown {
  if (key === 'trace') return undefined;
  return typeof value === 'bigint' ? value.toString() : value;
}

/** `gate/hook.example.com could not be called: connection refused`. */
export const unansweredText = ({ webhook, error }: Unanswered): string =>
  `${webhook} could not be called: ${oneLine(error)}`;

/** A message of several lines on one. */
export const oneLine = (message: string): string =>
  message.replaceAll(/\s+/g, (blanks) => (blanks.includes('\n') ? ' ' : blanks)).trim();

/** `2 of 2 mutating webhooks have no --to and were not called: a/a.example.com, b/b.example.com`. */
export function notCalledText(notCalled: readonly string[], callees: readonly string[]): string {
  const webhooks = callees.filter((callee) => !isPolicy(callee)).length;
  const verb = notCalled.length === 1 ? 'has no --to and was' : 'have no --to and were';
  return `${notCalled.length} of ${countText(webhooks, 'mutating webhook')} ${verb} not called: ${notCalled.join(', ')}`;
}
