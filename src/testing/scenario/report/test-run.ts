import type { ScenarioOutcome } from '../outcome.ts';
import type { Problem } from '../read/problems.ts';
import path from 'node:path';
import { portablePath } from '../../../adapters/files/portable-files.ts';
import type { SourceLocation } from '../format.ts';

/** The result of `kadmit test`, for all reports. */
export interface TestRun {
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly milliseconds: number;
  /** In file order. */
  readonly outcomes: readonly ScenarioOutcome[];
  readonly unreadable: readonly UnreadableScenario[];
  /** Runs not started or not finished, by `--bail` or an interruption. */
  readonly notRun: number;
  /** Why the run ended early. */
  readonly ended?: string;
}

export interface UnreadableScenario {
  readonly file: string;
  readonly problems: readonly Problem[];
}

export interface Totals {
  readonly scenarios: number;
  readonly passed: number;
  readonly failed: number;
  readonly broken: number;
  readonly unreadable: number;
  readonly notRun: number;
  readonly steps: number;
  readonly failures: number;
}

export function totalsOf({ outcomes, unreadable, notRun }: TestRun): Totals {
  const count = (outcome: ScenarioOutcome['outcome']): number =>
    outcomes.filter((one) => one.outcome === outcome).length;
  const steps = outcomes.flatMap((one) => one.steps);
  return {
    scenarios: outcomes.length,
    passed: count('passed'),
    failed: count('failed'),
    broken: count('broken'),
    unreadable: unreadable.length,
    notRun,
    steps: steps.length,
    failures: steps.flatMap(({ failures }) => failures).length,
  };
}

/** With the matrix combination in brackets. */
export const runTitle = ({
  scenario,
  combination,
}: {
  readonly scenario: { readonly name: string };
  readonly combination: string;
}): string => (combination === '' ? scenario.name : `${scenario.name} [${combination}]`);

/** With slashes in all paths, as readers of reports expect them on every system. */
export function portableRun(run: TestRun, paths: Pick<typeof path, 'sep'> = path): TestRun {
  if (paths.sep === '/') return run;
  const at = (place: SourceLocation): SourceLocation => ({ ...place, file: portablePath(place.file, paths) });
  const placed = <T extends { readonly place: SourceLocation }>(one: T): T => ({ ...one, place: at(one.place) });
  return {
    ...run,
    outcomes: run.outcomes.map((outcome) => ({
      ...outcome,
      scenario: { ...outcome.scenario, file: portablePath(outcome.scenario.file, paths) },
      ...(outcome.problem?.place && { problem: { ...outcome.problem, place: at(outcome.problem.place) } }),
      steps: outcome.steps.map((step) => ({ ...placed(step), failures: step.failures.map(placed) })),
    })),
    unreadable: run.unreadable.map(({ file, problems }) => ({
      file: portablePath(file, paths),
      problems: problems.map(placed),
    })),
  };
}
