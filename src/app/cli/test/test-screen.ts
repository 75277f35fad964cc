import type { ScenarioOutcome } from '../../../testing/scenario/outcome.ts';
import { prettyOutcome, prettySummary, prettyUnreadable } from '../../../testing/scenario/report/pretty.ts';
import type { TestRun, UnreadableScenario } from '../../../testing/scenario/report/test-run.ts';
import type { Io } from '../terminal/io.ts';
import { createLiveLine } from '../terminal/live-line.ts';
import { ownTerminal } from '../terminal/terminal.ts';
import type { TestOptions } from './test-options.ts';
import { isLive } from './test-reports.ts';

/** What is to be seen while scenarios run: a line for each that is over, and in a terminal what is going on. */
export interface Screen {
  readonly unreadable: (scenario: UnreadableScenario) => void;
  /** So many are known to be run; undefined while nobody knows. */
  readonly running: (title: string, total: number | undefined) => void;
  readonly over: (outcome: ScenarioOutcome) => void;
  readonly summary: (run: TestRun) => void;
}

export function createScreen({ report }: Pick<TestOptions, 'report'>, io: Io): Screen {
  const { paint } = ownTerminal();
  const line = createLiveLine(process.stderr);
  const live = isLive(report);
  let done = 0;
  const print = (text: string): void => {
    line.clear();
    if (live) io.out(text);
  };
  return {
    unreadable: (scenario) => print(prettyUnreadable(scenario, paint)),
    running: (title, total) => line.show(`${done}${total === undefined ? '' : `/${total}`}  ${title}`),
    over: (outcome) => {
      done += 1;
      print(prettyOutcome(outcome, paint));
    },
    summary: (run) => print(prettySummary(run, paint)),
  };
}
