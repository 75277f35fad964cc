import { existsSync, writeFileSync } from 'node:fs';
import { readRegularFile } from '../../../machinery/files/bounded-file.ts';
import { planRuns } from '../../../testing/scenario/plan-runs.ts';
import { prettyOutcome, prettyUnreadable } from '../../../testing/scenario/report/pretty.ts';
import { runAll } from '../../../testing/scenario/run-all.ts';
import type { CommandContext } from '../command.ts';
import type { Io } from '../terminal/io.ts';
import { ownTerminal } from '../terminal/terminal.ts';

/** Runs scenarios that a command has just written, as kadmit test would, golden files and all; resolves with how many did not pass. */
export async function tryScenarios(
  paths: readonly string[],
  command: string,
  { io, parts }: { readonly io: Io; readonly parts: Pick<CommandContext, 'createWorlds'> },
): Promise<number> {
  const { paint } = ownTerminal();
  const plan = await planRuns(paths, { wants: () => true, shard: { index: 1, count: 1 }, clock: undefined });
  for (const one of plan.unreadable) io.error(prettyUnreadable(one, paint));
  const worlds = await parts.createWorlds((error) =>
    io.error(`kadmit ${command}: this is a bug in kadmit: ${String(error)}`),
  );
  try {
    const outcomes = await runAll(plan.runs, worlds, {
      parallel: 1,
      failFast: false,
      on: 'kadmit',
      now: () => performance.now(),
      goldens: {
        read: (path) => (existsSync(path) ? readRegularFile(path) : undefined),
        write: (path, text) => writeFileSync(path, text),
      },
      onStart: () => {},
      onOutcome: (outcome) => io.out(prettyOutcome(outcome, paint)),
    });
    return plan.unreadable.length + outcomes.filter(({ outcome }) => outcome !== 'passed').length;
  } finally {
    await worlds.close();
  }
}
