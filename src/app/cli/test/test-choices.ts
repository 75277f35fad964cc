import { existsSync, writeFileSync } from 'node:fs';
import { readRegularFile } from '../../../machinery/files/bounded-file.ts';
import type { Goldens } from '../../../testing/scenario/expect/golden.ts';
import { goldenProblem } from '../../../testing/scenario/golden-place.ts';
import type { RunLimits } from '../../../testing/scenario/run-limits.ts';
import type { Selection } from '../../../testing/scenario/plan-runs.ts';
import type { TestOptions } from './test-options.ts';

/** What `--filter` wants. */
export const wantsOf =
  (filter: RegExp | undefined): Selection['wants'] =>
  (title, file) =>
    filter === undefined || filter.test(title) || filter.test(file);

/** Golden files on disk; `--update` writes them. */
export const goldenFiles = (update: boolean): Goldens => ({
  problem: goldenProblem,
  read: (path) => (existsSync(path) ? readRegularFile(path) : undefined),
  write: update ? (path, text) => writeFileSync(path, text) : undefined,
});

export const limitsOf = ({
  scenarioTimeout,
  stepTimeout,
}: Pick<TestOptions, 'scenarioTimeout' | 'stepTimeout'>): RunLimits => ({
  scenario: scenarioTimeout,
  step: stepTimeout,
});
