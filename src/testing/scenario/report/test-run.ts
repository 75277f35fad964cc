import type { ScenarioOutcome } from '../outcome.ts';
import type { Problem } from '../read/problems.ts';

/** What one run of `kadmit test` came to: what all reports are made of. */
export interface TestRun {
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly milliseconds: number;
  /** In the order of the files, not of the finish. */
  readonly outcomes: readonly ScenarioOutcome[];
  readonly unreadable: readonly UnreadableScenario[];
  /** Runs that were not begun, or not finished: `--fail-fast` left them out, or the run was ended. */
  readonly notRun: number;
  /** Why it was ended before it was over; absent when it was not. */
  readonly ended?: string;
}

/** A scenario with faults in its files. */
export interface UnreadableScenario {
  readonly file: string;
  readonly problems: readonly Problem[];
}

export interface Totals {
  readonly scenarios: number;
  readonly passed: number;
  readonly failed: number;
  /** Those that could not be set up. */
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

/** The scenario and, in brackets, the combination of its matrix. */
export const titleOf = ({
  scenario,
  combination,
}: {
  readonly scenario: { readonly name: string };
  readonly combination: string;
}): string => (combination === '' ? scenario.name : `${scenario.name} [${combination}]`);
