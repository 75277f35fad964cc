import { errorText } from '../../machinery/errors.ts';
import {
  asList,
  asObject,
  asString,
  type JsonObject,
  type JsonValue,
  valueAt,
  withValue,
} from '../../machinery/json/json.ts';
import { createStubRegistry } from '../stubs/stub-registry.ts';
import { goldenText } from './expect/golden-text.ts';
import { isRefused } from './expect/step-observation.ts';
import type { Scenario, ScenarioStep, SourceLocation } from './format.ts';
import { isConfiguration } from './known-webhooks.ts';
import type { ScenarioOutcome } from './outcome.ts';
import { differenceLines } from './report/failure-text.ts';
import { runTitle } from './report/test-run.ts';
import { webhookSpecsOf } from './run.ts';
import { setupOf, targetProblem } from './setup.ts';
import { doStep, type StepContext } from './steps/do-step.ts';
import type { StepResult } from './steps/request-step.ts';
import { findExisting, storeManifests } from './store-manifests.ts';
import type { ScenarioWorld, WorldAnswer, Worlds } from './world.ts';
import { countText } from '../../machinery/lists.ts';

/** The same steps on kadmit (`here`) and on another server (`there`). */
export interface ReleaseComparison {
  readonly scenario: ScenarioOutcome['scenario'];
  readonly combination: string;
  readonly outcome: 'same' | 'different' | 'broken';
  /** Of `broken`. */
  readonly problem?: NonNullable<ScenarioOutcome['problem']>;
  readonly steps: readonly ComparedStep[];
}

export interface ComparedStep {
  readonly name: string;
  readonly place: SourceLocation;
  readonly outcome: 'same' | 'different' | 'left-out';
  readonly differences: readonly StepDifference[];
}

/** `step`: one of the two could not do the step. */
export type StepDifference = AnswerDifference | (Omit<AnswerDifference, 'what'> & { readonly what: 'step' });

export interface CompareOptions {
  readonly here: Worlds;
  readonly there: Worlds;
  readonly combination: string;
}

/**
 * Does the steps on both servers and reports different responses. Expectations are ignored, and a difference does not end the run. Never
 * throws; closes both worlds.
 */
export async function compareScenario(scenario: Scenario, options: CompareOptions): Promise<ReleaseComparison> {
  const { name, file, description } = scenario;
  const about = { scenario: { name, file, description }, combination: options.combination };
  const open: ScenarioWorld[] = [];
  const compare = async (): Promise<Result> => {
    const problem = targetProblem(scenario);
    if (problem !== undefined) return brokenComparison(problem);
    const sides = await openSides(scenario, options, open);
    return sides.outcome === 'broken' ? sides : compareSteps(scenario.steps, sides.sides);
  };
  const result = await compare().catch(brokenComparison);
  const closing = await Promise.all(open.map((world) => world.close().then(() => undefined, brokenComparison)));
  return { ...about, ...(closing.find((one) => one !== undefined) ?? result) };
}

type Result = Pick<ReleaseComparison, 'outcome' | 'problem' | 'steps'>;

const brokenComparison = (error: unknown): Result & { readonly outcome: 'broken' } => ({
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
  open: ScenarioWorld[],
): Promise<{ readonly outcome: 'open'; readonly sides: Sides } | ReturnType<typeof brokenComparison>> {
  const side = async (worlds: Worlds, on: StepContext['on']): Promise<StepContext> => {
    const stubRegistry = createStubRegistry(webhookSpecsOf(scenario), scenario.seed);
    const world = await worlds.create(setupOf(scenario, stubRegistry));
    open.push(world);
    return { world, stubRegistry, on };
  };
  const sides = { there: await side(there, 'target'), here: await side(here, 'kadmit') };
  const problem =
    (await findExisting(scenario.load, sides.there.world)) ??
    (await storeManifests(scenario.load, sides.here.world)) ??
    (await storeManifests(scenario.load, sides.there.world));
  return problem ? { outcome: 'broken', problem, steps: [] } : { outcome: 'open', sides };
}

async function compareSteps(steps: readonly ScenarioStep[], sides: Sides): Promise<Result> {
  const compared: ComparedStep[] = [];
  for (const step of steps) {
    const [a, b] = await doOnBoth(step, sides);
    compared.push(compareStep(step, a, b));
  }
  const outcome = compared.some((step) => step.outcome === 'different') ? 'different' : 'same';
  return { outcome, steps: compared };
}

/** A step for one of the two cannot be compared. */
async function doOnBoth(step: ScenarioStep, { here, there }: Sides): Promise<readonly [StepResult, StepResult]> {
  const leftOut = { outcome: 'left-out', because: `the step is for ${step.only.join(' and ')} only` } as const;
  return step.only.length > 0 ? [leftOut, leftOut] : [await doStep(step, here), await doStep(step, there)];
}

function compareStep({ name, place }: ScenarioStep, here: StepResult, there: StepResult): ComparedStep {
  if (here.outcome === 'left-out' || there.outcome === 'left-out') {
    return { name, place, outcome: 'left-out', differences: [] };
  }
  const differences = stepDifferences(here, there);
  return { name, place, outcome: differences.length === 0 ? 'same' : 'different', differences };
}

function stepDifferences(here: StepResult, there: StepResult): readonly StepDifference[] {
  if (here.outcome === 'answered' && there.outcome === 'answered') return compareAnswers(here.answer, there.answer);
  const [a, b] = [describeResult(here), describeResult(there)];
  return a === b ? [] : [{ what: 'step', here: a, there: b }];
}

const describeResult = (result: StepResult): string => (result.outcome === 'failed' ? result.message : 'done');

/** Texts for a diff. */
interface AnswerDifference {
  readonly what: 'code' | 'reason' | 'message' | 'warnings' | 'object';
  readonly here: string;
  readonly there: string;
}

/**
 * Compares code, reason, message, warnings and object. Normalizes what differs between any two servers: uids, times, revisions, addresses
 * of webhooks and Services.
 */
export function compareAnswers(here: WorldAnswer, there: WorldAnswer): readonly AnswerDifference[] {
  const [a, b] = [answerTexts(here), answerTexts(there)];
  // An object and a Status have no common fields.
  const compared =
    isRefused(here) === isRefused(there) ? comparedParts : comparedParts.filter((what) => what !== 'object');
  return compared.flatMap((what) => (a[what] === b[what] ? [] : [{ what, here: a[what], there: b[what] }]));
}

const comparedParts = ['code', 'reason', 'message', 'warnings', 'object'] as const;

type AnswerTexts = Readonly<Record<(typeof comparedParts)[number], string>>;

function answerTexts({ code, body, warnings }: WorldAnswer): AnswerTexts {
  const isFailure = body['kind'] === 'Status' && code >= 400;
  return {
    code: String(code),
    reason: isFailure ? asString(body['reason']) : '',
    message: isFailure ? withoutAddresses(asString(body['message'])) : '',
    warnings: warnings.map((text) => `${withoutAddresses(text)}\n`).join(''),
    object: withoutAddresses(goldenText(isFailure ? withoutMessages(body) : withoutOwnValues(body))),
  };
}

/** Stubs and DNS have other addresses on another server. */
const withoutAddresses = (text: string): string =>
  text
    .replace(/https:\/\/[^\s"?]+/g, 'https://<webhook>')
    .replace(/lookup \S+ on \S+:53/g, 'lookup <host> on <address>')
    .replace(/\b\d+\.\d+\.\d+\.\d+:\d+(->\d+\.\d+\.\d+\.\d+:\d+)?/g, '<address>');

/** The message is compared separately; causes of an internal error repeat it. */
function withoutMessages(status: JsonObject): JsonObject {
  const { message: _message, reason: _reason, code: _code, ...rest } = status;
  const causes = valueAt(rest, 'details', 'causes');
  if (status['reason'] !== 'InternalError' || causes === undefined) return rest;
  return withValue(rest, ['details', 'causes'], undefined);
}

/** Without the values that each server chooses. */
function withoutOwnValues(object: JsonObject): JsonObject {
  if (isConfiguration(object)) return withItems(object, ['webhooks'], ['clientConfig']);
  if (object['kind'] !== 'Service') return object;
  const chosen = ['clusterIP', 'clusterIPs', 'healthCheckNodePort'].reduce(
    (rest, field) => withValue(rest, ['spec', field], undefined),
    object,
  );
  return withItems(chosen, ['spec', 'ports'], ['nodePort']);
}

function withItems(object: JsonObject, path: readonly string[], fields: readonly string[]): JsonObject {
  const list = valueAt(object, ...path);
  if (list === undefined) return object;
  const items = asList(list).map((item): JsonValue =>
    Object.fromEntries(Object.entries(asObject(item)).filter(([field]) => !fields.includes(field))),
  );
  return withValue(object, path, items);
}

/** One line, or each differing step with both responses. */
export function comparisonText(comparison: ReleaseComparison): string {
  const { scenario, outcome, problem, steps } = comparison;
  const about = `${runTitle(comparison)}  ${scenario.file}`;
  if (outcome === 'broken') return `BROKEN  ${about}: ${problem?.message ?? 'it could not be run'}`;
  const compared = steps.filter((step) => step.outcome !== 'left-out').length;
  if (outcome === 'same') return `SAME  ${about}, ${countText(compared, 'step')} compared`;
  const different = steps.filter((step) => step.outcome === 'different');
  return [
    `DIFFERENT  ${about}, ${different.length} of ${countText(compared, 'step')}`,
    ...different.flatMap(renderStep),
  ].join('\n');
}

const renderStep = ({ name, place, differences }: ComparedStep): readonly string[] => [
  `  ${place.file}:${place.line}:${place.column}: ${name}`,
  ...differences.flatMap(renderDifference),
];

function renderDifference({ what, here, there }: StepDifference): readonly string[] {
  if (!here.includes('\n') && !there.includes('\n')) {
    return [`    ${what}: kadmit ${quoteText(here)}, there ${quoteText(there)}`];
  }
  const [, ...lines] = differenceLines(here, there);
  return [`    ${what}:  - kadmit  + there`, ...lines.map((line) => `    ${line}`)];
}

const quoteText = (text: string): string => (text === '' ? 'none' : JSON.stringify(text));
