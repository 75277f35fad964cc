import { errorText } from '../../machinery/error-text.ts';
import { answering } from './answering.ts';
import { createSwitchboard } from '../stubs/create-switchboard.ts';
import { differencesOf } from './compare-answers.ts';
import type { AnswerDifference } from './compare-answers.ts';
import type { Place, Scenario, Step } from './format.ts';
import type { ScenarioOutcome } from './outcome.ts';
import { setupOf, whyNotElsewhere } from './setup.ts';
import { doStep } from './steps/do-step.ts';
import type { StepContext, StepResult } from './steps/step-result.ts';
import { findExisting, storeManifests } from './store-manifests.ts';
import type { World, Worlds } from './world.ts';

/** What came of doing the same on two servers: kadmit (`here`) and another (`there`). */
export interface Comparison {
  readonly scenario: ScenarioOutcome['scenario'];
  readonly combination: string;
  readonly outcome: 'same' | 'different' | 'broken';
  /** Of a broken one: why. */
  readonly problem?: NonNullable<ScenarioOutcome['problem']>;
  readonly steps: readonly ComparedStep[];
}

export interface ComparedStep {
  readonly name: string;
  readonly place: Place;
  readonly outcome: 'same' | 'different' | 'left-out';
  readonly differences: readonly StepDifference[];
}

/** `step`: one of the two could not even do it. */
export type StepDifference = AnswerDifference | (Omit<AnswerDifference, 'what'> & { readonly what: 'step' });

export interface CompareOptions {
  readonly here: Worlds;
  readonly there: Worlds;
  readonly combination: string;
}

/**
 * Does the steps of a scenario in kadmit and on another server, side by side, and reports where the answers differ.
 * Expectations are not looked at, and no difference ends the run. Never throws; both worlds are closed.
 */
export async function compareScenario(scenario: Scenario, options: CompareOptions): Promise<Comparison> {
  const { name, file, description } = scenario;
  const about = { scenario: { name, file, description }, combination: options.combination };
  const open: World[] = [];
  const both = async (): Promise<Result> => {
    const problem = whyNotElsewhere(scenario);
    if (problem !== undefined) return broken(problem);
    const sides = await openSides(scenario, options, open);
    return sides.outcome === 'broken' ? sides : compareSteps(scenario.steps, sides.sides);
  };
  const result = await both().catch(broken);
  const closing = await Promise.all(open.map((world) => world.close().then(() => undefined, broken)));
  return { ...about, ...(closing.find((one) => one !== undefined) ?? result) };
}

type Result = Pick<Comparison, 'outcome' | 'problem' | 'steps'>;

const broken = (error: unknown): Result & { readonly outcome: 'broken' } => ({
  outcome: 'broken',
  problem: { message: errorText(error) },
  steps: [],
});

interface Sides {
  readonly here: StepContext;
  readonly there: StepContext;
}

async function openSides(
  scenario: Scenario,
  { here, there }: CompareOptions,
  open: World[],
): Promise<{ readonly outcome: 'open'; readonly sides: Sides } | ReturnType<typeof broken>> {
  const side = async (worlds: Worlds, on: StepContext['on']): Promise<StepContext> => {
    const switchboard = createSwitchboard(answering(scenario), scenario.seed);
    const world = await worlds.create(setupOf(scenario, switchboard));
    open.push(world);
    return { world, switchboard, on };
  };
  const sides = { there: await side(there, 'target'), here: await side(here, 'kadmit') };
  const problem =
    (await findExisting(scenario.load, sides.there.world)) ??
    (await storeManifests(scenario.load, sides.here.world)) ??
    (await storeManifests(scenario.load, sides.there.world));
  return problem ? { outcome: 'broken', problem, steps: [] } : { outcome: 'open', sides };
}

async function compareSteps(steps: readonly Step[], sides: Sides): Promise<Result> {
  const compared: ComparedStep[] = [];
  for (const step of steps) {
    const [a, b] = await doOnBoth(step, sides);
    compared.push(comparedStep(step, a, b));
  }
  const outcome = compared.some((step) => step.outcome === 'different') ? 'different' : 'same';
  return { outcome, steps: compared };
}

/** A step for one of the two is nothing to compare. */
async function doOnBoth(step: Step, { here, there }: Sides): Promise<readonly [StepResult, StepResult]> {
  const leftOut = { outcome: 'left-out', because: `the step is for ${step.only.join(' and ')} only` } as const;
  return step.only.length > 0 ? [leftOut, leftOut] : [await doStep(step, here), await doStep(step, there)];
}

function comparedStep({ name, place }: Step, here: StepResult, there: StepResult): ComparedStep {
  if (here.outcome === 'left-out' || there.outcome === 'left-out') {
    return { name, place, outcome: 'left-out', differences: [] };
  }
  const differences = stepDifferences(here, there);
  return { name, place, outcome: differences.length === 0 ? 'same' : 'different', differences };
}

function stepDifferences(here: StepResult, there: StepResult): readonly StepDifference[] {
  if (here.outcome === 'answered' && there.outcome === 'answered') return differencesOf(here.answer, there.answer);
  const [a, b] = [wordsOf(here), wordsOf(there)];
  return a === b ? [] : [{ what: 'step', here: a, there: b }];
}

const wordsOf = (result: StepResult): string => (result.outcome === 'failed' ? result.message : 'done');
