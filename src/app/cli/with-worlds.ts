import { ConfigError } from '../../adapters/config/config-error.ts';
import { errorText } from '../../machinery/errors.ts';
import type { Worlds } from '../../testing/scenario/world.ts';
import type { CommandContext } from './command-context.ts';
import type { Io } from './terminal/io.ts';
import { createLiveLine, ownTerminal } from './terminal/terminal.ts';
import { existsSync, writeFileSync } from 'node:fs';
import { readRegularFile } from '../../adapters/files/bounded-file.ts';
import type { ScenarioOutcome } from '../../testing/scenario/outcome.ts';
import { planRuns } from '../../testing/scenario/plan-runs.ts';
import { prettyOutcome, prettyUnreadable } from '../../testing/scenario/report/pretty.ts';
import { runAll } from '../../testing/scenario/run-all.ts';

/** Rejects with ConfigError for an error of the work. */
export async function withWorlds<Result>(
  command: string,
  { io, createWorlds }: { readonly io: Io } & Pick<CommandContext, 'createWorlds'>,
  work: (worlds: Worlds, onProgress: (text: string) => void) => Promise<Result>,
): Promise<Result> {
  const line = createLiveLine(process.stderr);
  const worlds = await createWorlds((error) =>
    io.error(`kadmit ${command}: this is a bug in kadmit: ${String(error)}`),
  );
  try {
    return await work(worlds, line.show);
  } catch (error) {
    throw error instanceof ConfigError ? error : new ConfigError(`it cannot be run: ${errorText(error)}`);
  } finally {
    line.clear();
    await worlds.close();
  }
}

export interface TriedScenarios {
  readonly outcomes: readonly ScenarioOutcome[];
  /** Outcomes that are not `passed`, and files that cannot be read. */
  readonly failed: number;
}

/** Runs scenarios that a command has just written, like `kadmit test`. */
export async function tryScenarios(
  paths: readonly string[],
  command: string,
  { io, parts }: { readonly io: Pick<Io, 'error'>; readonly parts: Pick<CommandContext, 'createWorlds'> },
): Promise<TriedScenarios> {
  const plan = await planRuns(paths, { isSelected: () => true, shard: { index: 1, count: 1 }, clock: undefined });
  for (const one of plan.unreadable) io.error(prettyUnreadable(one, ownTerminal().paint));
  const worlds = await parts.createWorlds((error) =>
    io.error(`kadmit ${command}: this is a bug in kadmit: ${String(error)}`),
  );
  try {
    const outcomes = await runAll(plan.runs, worlds, {
      parallel: 1,
      bail: false,
      on: 'kadmit',
      now: () => performance.now(),
      goldens: {
        read: (path) => (existsSync(path) ? readRegularFile(path) : undefined),
        write: (path, text) => writeFileSync(path, text),
      },
      onStart: () => {},
      onOutcome: () => {},
    });
    const failed = plan.unreadable.length + outcomes.filter(({ outcome }) => outcome !== 'passed').length;
    return { outcomes, failed };
  } finally {
    await worlds.close();
  }
}

export const outcomeText = (outcome: ScenarioOutcome): string => prettyOutcome(outcome, ownTerminal().paint);
