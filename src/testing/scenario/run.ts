import { coverageOf } from '../../explain/trace/coverage.ts';
import { errorText } from '../../machinery/errors.ts';
import type { StubRegistry } from '../stubs/stub-registry.ts';
import type { WebhookSpec } from '../stubs/webhook-spec.ts';
import { type ApiFaults, createApiFaults } from '../stubs/with-api-faults.ts';
import type { Scenario } from './format.ts';
import { knownWebhooks } from './known-webhooks.ts';
import type { ScenarioOutcome, StepOutcome } from './outcome.ts';
import { notRun, playStep, type StepPorts, withUnanswered } from './play-step.ts';
import { closingLimit, formatLimit, targetClosingLimit, defaultLimits, withTimeout } from './run-limits.ts';
import { setupOf, targetProblem } from './setup.ts';
import type { StepContext } from './steps/do-step.ts';
import { findExisting, storeManifests } from './store-manifests.ts';
import type { ScenarioWorld, Worlds } from './world.ts';

export interface RunOptions extends StepPorts {
  readonly newStubRegistry: (specs: readonly WebhookSpec[], seed: number) => StubRegistry;
  /** A server behind a kubeconfig has objects that must not change. */
  readonly on: 'kadmit' | 'target';
  /** '' without a matrix. */
  readonly combination: string;
  /** Reports the webhooks, policies and expression branches that the steps exercised. */
  readonly coverage?: boolean;
}

/**
 * Runs a scenario in a world of its own: stores its manifests, then does each step, waits for the controllers and compares. A failed step
 * ends it. Never throws: a scenario that cannot run is `broken`. Always closes the world.
 */
export async function runScenario(scenario: Scenario, worlds: Worlds, options: RunOptions): Promise<ScenarioOutcome> {
  const startedAt = options.now();
  const problem = options.on === 'target' ? targetProblem(scenario) : undefined;
  const run = problem === undefined ? await runInWorld(scenario, worlds, options) : brokenRun({ message: problem });
  return {
    scenario: { name: scenario.name, file: scenario.file, description: scenario.description },
    combination: options.combination,
    ...run,
    ...(options.coverage === true ? { coverage: coverageOf(run.steps.flatMap(({ trace }) => trace ?? [])) } : {}),
    milliseconds: options.now() - startedAt,
  };
}

type Run = Pick<ScenarioOutcome, 'outcome' | 'problem' | 'steps' | 'worldMilliseconds'>;

async function runInWorld(scenario: Scenario, worlds: Worlds, options: RunOptions): Promise<Run> {
  let world: ScenarioWorld | undefined;
  let run: Run;
  try {
    const apiFaults = createApiFaults([], scenario.seed);
    const stubRegistry = options.newStubRegistry(webhookSpecsOf(scenario), scenario.seed);
    const coverage = options.coverage === true;
    world = await worlds.create({ ...setupOf(scenario, stubRegistry), faultyApi: apiFaults, coverage });
    const playing = playSteps(scenario, { world, stubRegistry, on: options.on }, options, apiFaults);
    const { scenario: limit } = options.limits ?? defaultLimits;
    run = await withTimeout(limit, playing, () => brokenRun({ message: `it took longer than ${formatLimit(limit)}` }));
  } catch (error) {
    run = brokenRun({ message: errorText(error) });
  }
  const closing = await close(world, options.on === 'target' ? targetClosingLimit : closingLimit);
  return closing === undefined || run.outcome === 'broken'
    ? run
    : { ...run, ...brokenRun({ message: closing }), steps: run.steps };
}

const brokenRun = (problem: NonNullable<Run['problem']>): Run => ({
  outcome: 'broken',
  problem,
  steps: [],
  worldMilliseconds: 0,
});

/** The reason if the world could not be closed. */
async function close(world: ScenarioWorld | undefined, limit: number): Promise<string | undefined> {
  try {
    const late = (): string => `cleaning up took longer than ${formatLimit(limit)}`;
    const closing = Promise.resolve(world?.close()).then(() => undefined);
    return await withTimeout<string | undefined>(limit, closing, late);
  } catch (error) {
    return `cleaning up failed: ${errorText(error)}`;
  }
}

async function playSteps(
  scenario: Scenario,
  context: StepContext,
  options: RunOptions,
  apiFaults: ApiFaults,
): Promise<Run> {
  const { world } = context;
  const startedAt = world.now();
  const existing = context.on === 'target' ? await findExisting(scenario.load, world) : undefined;
  const problem = existing ?? (await storeManifests(scenario.load, world));
  if (problem) return { ...brokenRun(problem), worldMilliseconds: world.now() - startedAt };
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

/** Webhooks and converters. */
export const webhookSpecsOf = ({
  webhooks,
  converters = [],
}: Pick<Scenario, 'webhooks' | 'converters'>): readonly WebhookSpec[] => [...webhooks, ...converters];
