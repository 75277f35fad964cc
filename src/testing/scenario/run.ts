import { coverageOf } from '../../explain/trace/coverage.ts';
import { errorText } from '../../machinery/errors.ts';
import type { StubRegistry, UnansweredCall } from '../stubs/stub-registry.ts';
import type { WebhookSpec } from '../stubs/webhook-spec.ts';
import { type ApiFaults, createApiFaults } from '../stubs/with-api-faults.ts';
import { checkExpectation } from './expect/check.ts';
import { checkGolden, type Goldens } from './expect/golden-text.ts';
import { checkObjectCounts } from './expect/object.ts';
import { type CheckResult, isRefused, type StepObservation } from './expect/step-observation.ts';
import { checkUnanswered } from './expect/unanswered.ts';
import type { Expectation, Scenario, ScenarioStep } from './format.ts';
import { knownWebhooks } from './known-webhooks.ts';
import type { Failure, ScenarioOutcome, StepOutcome } from './outcome.ts';
import { closingLimit, limitText, type RunLimits, targetClosingLimit, usualLimits, within } from './run-limits.ts';
import { setupOf, targetProblem } from './setup.ts';
import { doStep } from './steps/do-step.ts';
import type { SettledResult, StepContext } from './steps/update.ts';
import { findExisting, storeManifests } from './store-manifests.ts';
import type { ScenarioWorld, WorldAnswer, Worlds } from './world.ts';

export interface RunOptions {
  readonly createSwitchboard: (specs: readonly WebhookSpec[], seed: number) => StubRegistry;
  /** A server behind a kubeconfig has objects that must not change. */
  readonly on: 'kadmit' | 'target';
  /** Real milliseconds. */
  readonly now: () => number;
  readonly goldens: Goldens;
  /** usualLimits by default. */
  readonly limits?: RunLimits;
  /** '' without a matrix. */
  readonly combination: string;
  /** Reports the webhooks, policies and expression branches that the steps exercised. */
  readonly coverage?: boolean;
  /** Called with every response that a step compares. */
  readonly onAnswer?: (step: ScenarioStep, answer: WorldAnswer) => void;
}

/**
 * Runs a scenario in a world of its own: stores its manifests, then does each step, waits for the controllers and compares. A failed step
 * ends it. Never throws: a scenario that cannot run is `broken`. Always closes the world.
 */
export async function runScenario(scenario: Scenario, worlds: Worlds, options: RunOptions): Promise<ScenarioOutcome> {
  const startedAt = options.now();
  const problem = options.on === 'target' ? targetProblem(scenario) : undefined;
  const run = problem === undefined ? await inWorld(scenario, worlds, options) : broken({ message: problem });
  return {
    scenario: { name: scenario.name, file: scenario.file, description: scenario.description },
    combination: options.combination,
    ...run,
    ...(options.coverage === true ? { coverage: coverageOf(run.steps.flatMap(({ trace }) => trace ?? [])) } : {}),
    milliseconds: options.now() - startedAt,
  };
}

type Run = Pick<ScenarioOutcome, 'outcome' | 'problem' | 'steps' | 'worldMilliseconds'>;

async function inWorld(scenario: Scenario, worlds: Worlds, options: RunOptions): Promise<Run> {
  let world: ScenarioWorld | undefined;
  let run: Run;
  try {
    const apiFaults = createApiFaults([], scenario.seed);
    const stubRegistry = options.createSwitchboard(answering(scenario), scenario.seed);
    const coverage = options.coverage === true;
    world = await worlds.create({ ...setupOf(scenario, stubRegistry), faultyApi: apiFaults, coverage });
    const playing = play(scenario, { world, stubRegistry, on: options.on }, options, apiFaults);
    const { scenario: limit } = options.limits ?? usualLimits;
    run = await within(limit, playing, () => broken({ message: `it took longer than ${limitText(limit)}` }));
  } catch (error) {
    run = broken({ message: errorText(error) });
  }
  const closing = await close(world, options.on === 'target' ? targetClosingLimit : closingLimit);
  return closing === undefined || run.outcome === 'broken'
    ? run
    : { ...run, ...broken({ message: closing }), steps: run.steps };
}

const broken = (problem: NonNullable<Run['problem']>): Run => ({
  outcome: 'broken',
  problem,
  steps: [],
  worldMilliseconds: 0,
});

/** The reason if the world could not be closed. */
async function close(world: ScenarioWorld | undefined, limit: number): Promise<string | undefined> {
  try {
    const late = (): string => `cleaning up took longer than ${limitText(limit)}`;
    const closing = Promise.resolve(world?.close()).then(() => undefined);
    return await within<string | undefined>(limit, closing, late);
  } catch (error) {
    return `cleaning up failed: ${errorText(error)}`;
  }
}

async function play(scenario: Scenario, context: StepContext, options: RunOptions, apiFaults: ApiFaults): Promise<Run> {
  const { world } = context;
  const startedAt = world.now();
  const existing = context.on === 'target' ? await findExisting(scenario.load, world) : undefined;
  const problem = existing ?? (await storeManifests(scenario.load, world));
  if (problem) return { ...broken(problem), worldMilliseconds: world.now() - startedAt };
  apiFaults.configure(scenario.apiFaults ?? []);
  const clock = context.on === 'target' ? 'real' : scenario.clock;
  const stepOptions = { ...options, clock, known: knownWebhooks(scenario) };
  const steps: StepOutcome[] = [];
  // The first step also has those of controllers after the manifests were stored.
  let reported = 0;
  for (const step of scenario.steps) {
    const isOver = steps.at(-1)?.outcome === 'failed' || steps.at(-1)?.outcome === 'not-run';
    const earlier = steps.flatMap(({ trace }) => trace ?? []);
    const played = isOver ? notRun(step) : await playStep(step, context, { ...stepOptions, earlier });
    steps.push(withUnanswered(played, step, context.stubRegistry.unanswered().slice(reported)));
    reported = context.stubRegistry.unanswered().length;
  }
  const outcome = steps.some((step) => step.outcome === 'failed') ? 'failed' : 'passed';
  return { outcome, steps, worldMilliseconds: world.now() - startedAt };
}

const nothing = { failures: [], milliseconds: 0, trace: undefined, leftOut: [] } as const;

const notRun = ({ name, place }: ScenarioStep): StepOutcome => ({ name, place, outcome: 'not-run', ...nothing });

type StepOptions = Pick<RunOptions, 'now' | 'goldens' | 'limits' | 'onAnswer'> &
  Pick<StepObservation, 'known' | 'clock' | 'earlier'>;

async function playStep(step: ScenarioStep, context: StepContext, options: StepOptions): Promise<StepOutcome> {
  const { name, place, only } = step;
  if (only.length > 0 && !only.includes(context.on)) {
    return { name, place, outcome: 'left-out', ...nothing, leftOut: [`the step is for ${only.join(' and ')} only`] };
  }
  const startedAt = options.now();
  const { step: limit } = options.limits ?? usualLimits;
  const late = (): SettledResult => ({
    outcome: 'failed',
    what: 'timeout',
    message: `the step took longer than ${limitText(limit)}`,
  });
  const result = await within(limit, doStep(step, context), late);
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
      return { ...nothing, outcome: failures.length > 0 ? 'failed' : 'passed', failures };
    }
    case 'left-out':
      return { ...nothing, outcome: 'left-out', leftOut: [result.because] };
    case 'failed':
      return { ...nothing, outcome: 'failed', failures: [{ what: result.what, place, message: result.message }] };
    case 'answered': {
      const { answer } = result;
      options.onAnswer?.(step, answer);
      const { failures: own, leftOut } = checked(step, answer, options);
      const failures = [...own, ...settledFailures(step, result)];
      return { outcome: failures.length > 0 ? 'failed' : 'passed', failures, trace: answer.trace, leftOut };
    }
  }
}

/** Under failurePolicy Ignore nothing else shows that a process is down. A step that failed already has its failures. */
function withUnanswered(played: StepOutcome, { expect }: ScenarioStep, calls: readonly UnansweredCall[]): StepOutcome {
  const failures = played.outcome === 'passed' ? checkUnanswered(expect, calls, played.trace) : [];
  return failures.length === 0 ? played : { ...played, outcome: 'failed', failures };
}

const settledFailures = ({ expect }: ScenarioStep, { counts }: SettledResult): readonly Failure[] =>
  checkObjectCounts(expect, counts).map((failure) => atField(expect, failure));

function checked({ expect }: ScenarioStep, answer: WorldAnswer, options: StepOptions): CheckResult {
  const { failures, leftOut } = checkExpectation(expect, { ...options, answer, trace: answer.trace });
  // An unexpected refusal has no object: it must not become the golden file.
  const isSurprise = isRefused(answer) && failures.length > 0;
  const golden = isSurprise ? [] : checkGolden(expect, answer.body, options.goldens);
  return { failures: [...failures, ...golden].map((failure) => atField(expect, failure)), leftOut };
}

/** A failure about a field of `expect` has the place of that field. */
function atField({ place, places = {} }: Expectation, failure: Failure): Failure {
  const field = /^\w+/.exec(failure.what)?.[0] ?? '';
  return failure.place === place ? { ...failure, place: places[field] ?? place } : failure;
}

/** Webhooks and converters. */
export const answering = ({
  webhooks,
  converters = [],
}: Pick<Scenario, 'webhooks' | 'converters'>): readonly WebhookSpec[] => [...webhooks, ...converters];
