import path from 'node:path';
import { portablePath } from '../../../adapters/files/portable-path.ts';
import type { SourceLocation } from '../format.ts';
import type { TestRun } from './test-run.ts';

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
