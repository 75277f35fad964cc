import { readRelease } from '../../api/release/load-release.ts';
import { withAssumedResponses } from '../../apiserver/admission/webhooks/assumption.ts';
import type { CallWebhook } from '../../apiserver/admission/webhooks/call.ts';
import type { LintObject } from '../../analysis/lint/model/lint-object.ts';
import { readIgnoreComments, lint } from '../../analysis/lint/lint.ts';
import { maskTrace } from '../../explain/trace/mask.ts';
import type { Scenario, ScenarioStep } from '../../testing/scenario/format.ts';
import type { StepOutcome } from '../../testing/scenario/outcome.ts';
import { playStep } from '../../testing/scenario/play-step.ts';
import type { NamedFiles } from '../../testing/scenario/read/problems.ts';
import { knownWebhooks } from '../../testing/scenario/known-webhooks.ts';
import { setupOf } from '../../testing/scenario/setup.ts';
import { locateManifest } from '../../testing/scenario/steps/locate.ts';
import { storeAll } from '../../testing/scenario/store-manifests.ts';
import type { ScenarioWorld, WorldAnswer, WorldSetup } from '../../testing/scenario/world.ts';
import { createStubRegistry, type StubRegistry } from '../../testing/stubs/stub-registry.ts';
import { failedCall } from '../../testing/stubs/fault-effects.ts';
import { createStubCaller } from '../../testing/stubs/stub-caller.ts';
import { forkClusterState } from '../compose/cluster-state.ts';
import { createBases } from '../in-process/bases.ts';
import { openWorld } from '../in-process/open-world.ts';
import { virtualStart, virtualTime } from '../in-process/time.ts';
import { kubectlOutput } from './kubectl-output.ts';
import {
  createOffsets,
  lintProblem,
  type Offsets,
  problemAt,
  readingProblem,
  refusalProblems,
  typeProblems,
} from './problems.ts';
import type { PlaygroundAnswer, PlaygroundProblem, PlaygroundResult, PlaygroundTexts } from './protocol.ts';
import { readTexts } from './read-texts.ts';
import { webPlatform } from './web-platform.ts';

const limits = { bytes: 3 * 1024 * 1024, steps: 200, objects: 1000, problems: 200 };

export interface RunPorts {
  readonly files: NamedFiles;
  /** Whether a newer run waits: this one ends early. */
  readonly isStale: () => boolean;
  /** Receives errors of kadmit itself. */
  readonly onBug: (error: unknown) => void;
}

type Outcome = Omit<PlaygroundResult, 'milliseconds'>;

/** Runs the texts; undefined when a newer run waits. */
export async function runTexts(texts: PlaygroundTexts, ports: RunPorts): Promise<Outcome | undefined> {
  const offsets = createOffsets(texts);
  const outcome = await run(texts, ports, offsets);
  return outcome && { ...outcome, problems: firstProblems(outcome.problems, offsets) };
}

/** An editor with more squiggles is slow. */
function firstProblems(problems: readonly PlaygroundProblem[], offsets: Offsets): readonly PlaygroundProblem[] {
  const more = problems.length - limits.problems;
  if (more <= 0) return problems;
  return [...problems.slice(0, limits.problems), limitProblem(`${more} more problems are not shown`, offsets)];
}

async function run(texts: PlaygroundTexts, ports: RunPorts, offsets: Offsets): Promise<Outcome | undefined> {
  const size = texts.objects.length + texts.webhooks.length + texts.requests.length;
  if (size > limits.bytes) return refused('the texts are longer than 3 MiB', offsets);
  const { scenario, objects, syntax, schema } = await readTexts(texts, ports.files);
  const reading = [
    ...syntax.map((problem) => readingProblem(problem, 'syntax', offsets)),
    ...schema.map((problem) => readingProblem(problem, 'schema', offsets)),
    ...lintProblems(objects, texts, offsets),
  ];
  if (!scenario) return { problems: reading, answers: [], compared: [] };
  const problem = scenarioProblem(scenario, texts.compareWith);
  if (problem !== undefined) return refused(problem, offsets);
  const other = texts.compareWith;
  const played = await play(scenario, { ...ports, objects, offsets });
  const compared =
    other === '' || ports.isStale()
      ? undefined
      : await play({ ...scenario, kubernetesVersion: other }, { ...ports, objects, offsets });
  if (ports.isStale()) return undefined;
  return { problems: [...reading, ...played.problems], answers: played.answers, compared: compared?.answers ?? [] };
}

function scenarioProblem({ load, steps }: Scenario, other: string): string | undefined {
  if (load.length > limits.objects) return `there are more than ${limits.objects} objects`;
  if (steps.length > limits.steps) return `there are more than ${limits.steps} requests`;
  const release = other === '' ? undefined : readRelease(other);
  return release?.outcome === 'unknown' ? `compare with: ${other} ${release.problem}` : undefined;
}

const refused = (message: string, offsets: Offsets): Outcome => ({
  problems: [limitProblem(message, offsets)],
  answers: [],
  compared: [],
});

const limitProblem = (message: string, offsets: Offsets): PlaygroundProblem =>
  problemAt({ file: 'objects', line: 1, column: 1 }, 'limit', message, offsets);

/** The API server itself says what it refuses. */
const lintProblems = (
  objects: readonly LintObject[],
  { objects: text }: PlaygroundTexts,
  offsets: Offsets,
): readonly PlaygroundProblem[] =>
  lint(objects, {
    isWhole: false,
    now: virtualStart,
    ignores: readIgnoreComments(new Map([['objects', text]])),
    certificates: undefined,
  })
    .findings.filter(({ rule }) => rule !== 'refused')
    .map((finding) => lintProblem(finding, offsets));

interface PlayPorts extends RunPorts {
  readonly objects: readonly LintObject[];
  readonly offsets: Offsets;
}

async function play(scenario: Scenario, ports: PlayPorts): Promise<Pick<Outcome, 'problems' | 'answers'>> {
  const { objects, offsets } = ports;
  const stubRegistry = createStubRegistry(scenario.webhooks, scenario.seed);
  const world = await createWorld({ ...setupOf(scenario, stubRegistry), clock: 'virtual' }, ports);
  try {
    const refusals = await storeAll(scenario.load, world);
    const types = await typeChecked(objects, world, offsets);
    const problems = [...refusalProblems(refusals, objects, offsets), ...types];
    const answers = await playSteps(scenario, { world, stubRegistry, ports });
    return { problems, answers };
  } finally {
    await world.close();
  }
}

/** Forks a cluster that is made once for each release. */
async function createWorld(setup: WorldSetup, { onBug }: RunPorts): Promise<ScenarioWorld> {
  const clusterState = forkClusterState(await baseFor(setup));
  const time = virtualTime(virtualStart, webPlatform.nextIteration);
  const otherwise = withAssumedResponses(setup.assume ?? [])(unreachable);
  const call = createStubCaller({ stubRegistry: setup.stubRegistry, ...time, callProcess: unreachable, otherwise });
  return openWorld(clusterState, setup, {
    time,
    platform: webPlatform,
    seed: setup.seed,
    answerer: { call, close: async () => {} },
    onBug,
  });
}

const baseFor = createBases(webPlatform, (error) => {
  throw error;
});

/** A page has no network for webhooks. */
const unreachable: CallWebhook = async (call) =>
  failedCall(call, 'connect', 'no stub answers for this webhook: add it in the tab Stub webhooks');

interface Playing {
  readonly world: ScenarioWorld;
  readonly stubRegistry: StubRegistry;
  readonly ports: PlayPorts;
}

async function playSteps(scenario: Scenario, playing: Playing): Promise<readonly PlaygroundAnswer[]> {
  const { world, stubRegistry, ports } = playing;
  const context = { world, stubRegistry, on: 'kadmit' } as const;
  const answers: PlaygroundAnswer[] = [];
  const earlier: NonNullable<StepOutcome['trace']>[] = [];
  for (const step of scenario.steps) {
    if (ports.isStale()) break;
    let answer: WorldAnswer | undefined;
    const outcome = await playStep(step, context, {
      now: () => performance.now(),
      goldens: { read: () => undefined, write: undefined },
      clock: 'virtual',
      known: knownWebhooks(scenario),
      earlier,
      onAnswer: (_step, one) => (answer = one),
    });
    if (outcome.trace) earlier.push(outcome.trace);
    answers.push(await answerOf(step, outcome, answer, playing));
  }
  return answers;
}

async function answerOf(
  step: ScenarioStep,
  { failures, trace }: StepOutcome,
  answer: WorldAnswer | undefined,
  { world, ports }: Playing,
): Promise<PlaygroundAnswer> {
  const { action, dryRun, name, place } = step;
  const from = ports.offsets.at(place);
  const words = failures.filter(({ what }) => what !== 'outcome' || hasExpectation(step)).map(({ message }) => message);
  if (!answer) {
    const printed = words.map((message) => `error: ${message}`).join('\n');
    return { title: name, from, code: 0, printed, failures: words, trace: undefined, object: undefined, duration: 0 };
  }
  const deleted = action.type === 'delete' || action.type === 'deletecollection' ? action.target.resource : undefined;
  const resource = deleted === undefined ? undefined : await world.findResource(deleted);
  const { code, body, milliseconds: duration } = answer;
  const printed = kubectlOutput({ action, dryRun, resource }, answer);
  const masked = trace && maskTrace(trace);
  return {
    title: trace ? titleOf(trace.request) : name,
    from,
    code,
    printed,
    failures: words,
    trace: masked,
    object: code < 400 ? body : undefined,
    duration,
  };
}

/** Without one, a refusal is no failure. */
const hasExpectation = ({ expect }: ScenarioStep): boolean =>
  expect.places !== undefined || expect.outcome !== undefined;

/** `create pods web in default`. */
function titleOf({
  verb,
  resource,
  subresource,
  group,
  namespace,
  name,
}: NonNullable<PlaygroundAnswer['trace']>['request']): string {
  const full = `${resource}${group === '' ? '' : `.${group}`}${subresource === '' ? '' : `/${subresource}`}`;
  const where = namespace === '' || resource === 'namespaces' ? '' : ` in ${namespace}`;
  return `${verb} ${full}${name === '' ? '' : ` ${name}`}${where}`;
}

/** Warnings about the types of the expressions of stored policies. */
async function typeChecked(
  objects: readonly LintObject[],
  world: ScenarioWorld,
  offsets: Offsets,
): Promise<readonly PlaygroundProblem[]> {
  const problems: PlaygroundProblem[] = [];
  for (const one of objects.filter(({ kind }) => kind === 'ValidatingAdmissionPolicy')) {
    const location = await locateManifest(world, one.object);
    if (location.outcome === 'unknown') continue;
    const { code, body } = await world.send({ method: 'GET', path: location.path });
    if (code === 200) problems.push(...typeProblems(body, one, offsets));
  }
  return problems;
}
