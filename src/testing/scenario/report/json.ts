import type { JsonObject } from '../../../machinery/json/json.ts';
import { failureCodeOf, type FailureCode, type Failure, type ScenarioOutcome, type StepOutcome } from '../outcome.ts';
import type { SourceLocation } from '../format.ts';
import { explanationLines } from './failure-text.ts';
import { coverageOfRun, coverageTotals } from './coverage.ts';
import { totalsOf, type TestRun } from './test-run.ts';

/** docs/reference/scenario-format.md. `reportVersion` increases when a field changes its meaning. */
export const jsonReport = (run: TestRun): string => `${JSON.stringify(toDocument(run), null, 2)}\n`;

const toDocument = (run: TestRun): object => ({
  reportVersion: 1,
  startedAt: new Date(run.startedAt).toISOString(),
  milliseconds: roundMilliseconds(run.milliseconds),
  totals: { ...totalsOf(run) },
  ...coverageDocument(run),
  scenarios: run.outcomes.map(toScenarioFields),
  unreadable: run.unreadable.map(({ file, problems }) => ({
    file,
    problems: problems.map(({ place, path, message }) => ({ ...locationFields(place), code: format, path, message })),
  })),
});

const setUp: FailureCode = 'set-up';
const format: FailureCode = 'format';

/** Empty without the option `coverage`. */
function coverageDocument(run: TestRun): object {
  const coverage = coverageOfRun(run);
  return coverage === undefined ? {} : { coverage: { totals: coverageTotals(coverage), ...coverage } };
}

const toScenarioFields = ({
  scenario,
  combination,
  outcome,
  problem,
  steps,
  ...times
}: ScenarioOutcome): JsonObject => ({
  name: scenario.name,
  file: scenario.file,
  combination,
  outcome,
  milliseconds: roundMilliseconds(times.milliseconds),
  worldMilliseconds: roundMilliseconds(times.worldMilliseconds),
  ...(problem
    ? { problem: { code: setUp, message: problem.message, ...(problem.place ? locationFields(problem.place) : {}) } }
    : {}),
  steps: steps.map(toStepFields),
});

const toStepFields = (step: StepOutcome): JsonObject => ({
  name: step.name,
  ...locationFields(step.place),
  outcome: step.outcome,
  milliseconds: roundMilliseconds(step.milliseconds),
  ...(step.note === undefined ? {} : { note: step.note }),
  ...(step.leftOut.length > 0 ? { leftOut: step.leftOut } : {}),
  ...(step.failures.length > 0
    ? { failures: step.failures.map(toFailureFields), explanation: explanationLines(step).join('\n').trim() }
    : {}),
});

const toFailureFields = ({ what, place, message, expected, actual }: Failure): JsonObject => ({
  code: failureCodeOf(what),
  what,
  ...locationFields(place),
  message,
  ...(expected === undefined ? {} : { expected }),
  ...(actual === undefined ? {} : { actual }),
});

const locationFields = ({ file, line, column }: SourceLocation): JsonObject => ({ file, line, column });

const roundMilliseconds = (milliseconds: number): number => Math.round(milliseconds * 1000) / 1000;
