import { errorText } from '../../../machinery/error-text.ts';
import { ConfigError } from '../../../adapters/config/config-error.ts';
import type { Scenario } from '../../../testing/scenario/format.ts';
import type { Worlds } from '../../../testing/scenario/world.ts';
import type { Parts } from '../command.ts';
import { exitCodes, usageError } from '../terminal/io.ts';
import type { Io } from '../terminal/io.ts';
import { createLiveLine } from '../terminal/live-line.ts';
import { trialScenarios } from '../../../analysis/trials/trial-scenarios.ts';
import type { TrialOptions } from './trial-options.ts';
import { structured } from '../terminal/structured.ts';

interface TrialReport {
  readonly requests: readonly { readonly uncalled: readonly string[] }[];
}

export interface Trials<Report extends TrialReport> {
  readonly command: 'permute' | 'refeed';
  readonly run: (scenario: Scenario, worlds: Worlds, onProgress: (text: string) => void) => Promise<Report>;
  readonly text: (reports: readonly Report[]) => string;
  readonly isFound: (report: Report) => boolean;
}

/** Runs trials over the scenarios of these paths and prints what they found; exit code 1 when they found something, 2 when a webhook was not called. */
export async function runTrials<Report extends TrialReport>(
  paths: readonly string[],
  options: TrialOptions,
  { io, createWorlds }: { readonly io: Io } & Pick<Parts, 'createWorlds'>,
  { command, run, text, isFound }: Trials<Report>,
): Promise<number> {
  const line = createLiveLine(process.stderr);
  const worlds = await createWorlds((error) =>
    io.error(`kadmit ${command}: this is a bug in kadmit: ${String(error)}`),
  );
  try {
    const reports: Report[] = [];
    for (const scenario of await trialScenarios(paths, options)) {
      reports.push(await run(scenario, worlds, (what) => line.show(`${scenario.name}: ${what} …`)));
    }
    line.clear();
    io.out(
      options.output === 'text'
        ? text(reports)
        : await structured(options.output, JSON.stringify({ [`${command}Version`]: 1, reports }, withoutTraces, 2)),
    );
    const uncalled = new Set(reports.flatMap(({ requests }) => requests.flatMap((one) => one.uncalled)));
    if (uncalled.size > 0) return usageError(io, command, missingAddresses([...uncalled]));
    return reports.some(isFound) ? exitCodes.failed : exitCodes.fine;
  } catch (error) {
    line.clear();
    if (error instanceof ConfigError) return usageError(io, command, error.message);
    return usageError(io, command, `it cannot be run: ${errorText(error)}`);
  } finally {
    await worlds.close();
  }
}

/** `give --to hook.example.com=URL`. */
const missingAddresses = (uncalled: readonly string[]): string =>
  `nothing is known of webhooks that were not called; give ${uncalled.map((one) => `--to ${one.slice(one.indexOf('/') + 1)}=URL`).join(' ')}`;

/** Traces are for kadmit explain; whole numbers beyond 2^53 go as texts. */
function withoutTraces(key: string, value: unknown): unknown {
  if (key === 'trace') return undefined;
  return typeof value === 'bigint' ? value.toString() : value;
}
