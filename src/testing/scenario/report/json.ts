import type { JsonObject } from '../../../machinery/json/json.ts';
import { failureCodeOf, type FailureCode, type Failure, type ScenarioOutcome, type StepOutcome } from '../outcome.ts';
import type { SourceLocation } from '../format.ts';
import { explanationLines } from './failure-text.ts';
import { coverageOfRun, coverageTotals } from './coverage.ts';
import { totalsOf, type TestRun } from './test-run.ts';

/** docs/reference/scenario-format.md. `reportVersion` increases when a field changes its meaning. */
export const jsonReport = (run: TestRun): string => `${JSON.stringify(documentOf(run), null, 2)}\n`;

const documentOf = (run: TestRun): object => ({
  reportVersion: 1,
  startedAt: new Date(run.startedAt).toISOString(),
  milliseconds: rounded(run.milliseconds),
  totals: { ...totalsOf(run) },
  ...coverageDocument(run),
  scenarios: run.outcomes.map(scenarioOf),
  unreadable: run.unreadable.map(({ file, problems }) => ({
    file,
    problems: problems.map(({ place, path, message }) => ({ ...placeOf(place), code: format, path, message })),
  })),
});

const setUp: FailureCode = 'set-up';
const format: FailureCode = 'format';

/** Empty without the option `coverage`. */
function coverageDocument(run: TestRun): object {
  const coverage = coverageOfRun(run);
  return coverage === undefined ? {} : { coverage: { totals: coverageTotals(coverage), ...coverage } };
}

const scenarioOf = ({ scenario, combination, outcome, problem, steps, ...times }: ScenarioOutcome): JsonObject => ({
  name: scenario.name,
  file: scenario.file,
  combination,
  outcome,
  milliseconds: rounded(times.milliseconds),
  worldMilliseconds: rounded(times.worldMilliseconds),
  ...(problem
    ? { problem: { code: setUp, message: problem.message, ...(problem.place ? placeOf(problem.place) : {}) } }
    : {}),
  steps: steps.map(stepOf),
});

const stepOf = (step: StepOutcome): JsonObject => ({
  name: step.name,
  ...placeOf(step.place),
  outcome: step.outcome,
  milliseconds: rounded(step.milliseconds),
  ...(step.note === undefined ? {} : { note: step.note }),
  ...(step.leftOut.length > 0 ? { leftOut: step.leftOut } : {}),
  ...(step.failures.length > 0
    ? { failures: step.failures.map(failureOf), explanation: explanationLines(step).join('\n').trim() }
    : {}),
});

const failureOf = ({ what, place, message, expected, actual }: Failure): JsonObject => ({
  code: failureCodeOf(what),
  what,
  ...placeOf(place),
  message,
  ...(expected === undefined ? {} : { expected }),
  ...(actual === undefined ? {} : { actual }),
});

const placeOf = ({ file, line, column }: SourceLocation): JsonObject => ({ file, line, column });

const rounded = (milliseconds: number): number => Math.round(milliseconds * 1000) / 1000;
