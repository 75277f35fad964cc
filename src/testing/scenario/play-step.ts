import type { UnansweredCall } from '../stubs/stub-registry.ts';
import { checkExpectation } from './expect/check.ts';
import { checkGolden, type Goldens } from './expect/golden-text.ts';
import { checkObjectCounts } from './expect/object.ts';
import { isRefused, type CheckResult, type StepObservation } from './expect/step-observation.ts';
import type { Expectation, ScenarioStep } from './format.ts';
import type { Failure, StepOutcome } from './outcome.ts';
import { formatLimit, defaultLimits, withTimeout, type RunLimits } from './run-limits.ts';
import { doStep, type SettledResult, type StepContext } from './steps/do-step.ts';
import type { WorldAnswer } from './world.ts';
import type { Trace } from '../../explain/trace/trace.ts';
import { hasDecisionName, webhooksIn } from './expect/decisions.ts';

export interface StepPorts {
  /** Real milliseconds. */
  readonly now: () => number;
  readonly goldens: Goldens;
  /** usualLimits by default. */
  readonly limits?: RunLimits;
  /** Called with every response that a step compares. */
  readonly onAnswer?: (step: ScenarioStep, answer: WorldAnswer) => void;
}

const noResult = { failures: [], milliseconds: 0, trace: undefined, leftOut: [] } as const;

export const notRun = ({ name, place }: ScenarioStep): StepOutcome => ({
  name,
  place,
  outcome: 'not-run',
  ...noResult,
});

export type StepOptions = StepPorts & Pick<StepObservation, 'known' | 'clock' | 'earlier'>;

/** Does the step, waits for the controllers and compares. */
export async function playStep(step: ScenarioStep, context: StepContext, options: StepOptions): Promise<StepOutcome> {
  const { name, place, only } = step;
  if (only.length > 0 && !only.includes(context.on)) {
    return { name, place, outcome: 'left-out', ...noResult, leftOut: [`the step is for ${only.join(' and ')} only`] };
  }
  const startedAt = options.now();
  const { step: limit } = options.limits ?? defaultLimits;
  const late = (): SettledResult => ({
    outcome: 'failed',
    what: 'timeout',
    message: `the step took longer than ${formatLimit(limit)}`,
  });
  const result = await withTimeout(limit, doStep(step, context), late);
  const milliseconds = options.now() - startedAt;
  return { name, place, milliseconds, ...compare(step, result, options) };
}

function compare(
  step: ScenarioStep,
  result: SettledResult,
  options: StepOptions,
): Pick<StepOutcome, 'outcome' | 'failures' | 'trace' | 'leftOut'> {
  const { place } = step;
  switch (result.outcome) {
    case 'done': {
      const failures = settledFailures(step, result);
      return { ...noResult, outcome: failures.length > 0 ? 'failed' : 'passed', failures };
    }
    case 'left-out':
      return { ...noResult, outcome: 'left-out', leftOut: [result.because] };
    case 'failed':
      return { ...noResult, outcome: 'failed', failures: [{ what: result.what, place, message: result.message }] };
    case 'answered': {
      const { answer } = result;
      options.onAnswer?.(step, answer);
      const { failures: own, leftOut } = checkAnswer(step, answer, options);
      const failures = [...own, ...settledFailures(step, result)];
      return { outcome: failures.length > 0 ? 'failed' : 'passed', failures, trace: answer.trace, leftOut };
    }
  }
}

/** Under failurePolicy Ignore nothing else shows that a process is down. A step that failed already has its failures. */
export function withUnanswered(
  played: StepOutcome,
  { expect }: ScenarioStep,
  calls: readonly UnansweredCall[],
): StepOutcome {
  const failures = played.outcome === 'passed' ? checkUnanswered(expect, calls, played.trace) : [];
  return failures.length === 0 ? played : { ...played, outcome: 'failed', failures };
}

const settledFailures = ({ expect }: ScenarioStep, { counts }: SettledResult): readonly Failure[] =>
  checkObjectCounts(expect, counts).map((failure) => atExpectedField(expect, failure));

function checkAnswer({ expect }: ScenarioStep, answer: WorldAnswer, options: StepOptions): CheckResult {
  const { failures, leftOut } = checkExpectation(expect, { ...options, answer, trace: answer.trace });
  // An unexpected refusal has no object: it must not become the golden file.
  const isSurprise = isRefused(answer) && failures.length > 0;
  const golden = isSurprise ? [] : checkGolden(expect, answer.body, options.goldens);
  return { failures: [...failures, ...golden].map((failure) => atExpectedField(expect, failure)), leftOut };
}

/** A failure about a field of `expect` has the place of that field. */
function atExpectedField({ place, places = {} }: Expectation, failure: Failure): Failure {
  const field = /^\w+/.exec(failure.what)?.[0] ?? '';
  return failure.place === place ? { ...failure, place: places[field] ?? place } : failure;
}

/** A webhook with `to` must respond, unless the step expects its call to fail. One failure for each webhook. */
function checkUnanswered(
  expect: Expectation,
  calls: readonly UnansweredCall[],
  trace: Trace | undefined,
): readonly Failure[] {
  const byWebhook = new Map(calls.map((call) => [unansweredWebhook(call), call]));
  return [...byWebhook.values()]
    .filter((call) => !expectsFailure(expect, call, trace))
    .map(({ webhook, to, error }) => ({
      what: 'webhooks',
      place: expect.place,
      message: `${webhook} did not respond at ${to}: ${error}. Start it, or expect failed-open or failed-closed`,
    }));
}

const unansweredWebhook = ({ configuration = '', webhook }: UnansweredCall): string => `${configuration}/${webhook}`;

/** By name, or by comparing the response of a webhook that failed closed. */
function expectsFailure(expect: Expectation, call: UnansweredCall, trace: Trace | undefined): boolean {
  const isNamed = expect.webhooks.some(
    ({ name, outcome, phase, error }) =>
      (name === call.webhook || name === unansweredWebhook(call)) &&
      (outcome === 'failed-open' || outcome === 'failed-closed' || phase !== undefined || error !== undefined),
  );
  const { code, reason, message } = expect;
  const comparesResponse = code !== undefined || reason !== undefined || message !== undefined;
  return isNamed || (comparesResponse && trace !== undefined && failedClosed(trace, call));
}

const failedClosed = (trace: Trace, call: UnansweredCall): boolean =>
  webhooksIn(trace).some((one) => one.outcome === 'failed-closed' && hasDecisionName(one, call.webhook));
