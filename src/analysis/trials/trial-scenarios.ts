import { parentPort, workerData } from 'node:worker_threads';
import { asObject, asString } from '../../machinery/json/json.ts';
import { ConfigError } from '../../adapters/config/config-error.ts';
import { readLintFiles } from '../lint/read-objects.ts';
import type { LintObject } from '../lint/model/lint-object.ts';
import { findScenarios, loadScenario } from '../../testing/scenario/load-scenario.ts';
import type { Scenario } from '../../testing/scenario/format.ts';
import { combinationsOf } from '../../testing/scenario/matrix.ts';
import { createStep } from '../../testing/scenario/outcome.ts';
import { knownWebhooks } from '../../testing/scenario/known-webhooks.ts';
import { didYouMean } from '../../machinery/nearest-name.ts';
import { problemLines } from '../../testing/scenario/read/problems.ts';
import { errorText } from '../../machinery/errors.ts';
import { readGoDuration } from '../../machinery/go/go-duration.ts';
import type { Worlds } from '../../testing/scenario/world.ts';
import { type Lane, laneRequests } from './logged-request.ts';
import { type LogPart, replayPart } from './replay-log.ts';

/** Files to store before the requests, and `WEBHOOK=URL` of real webhooks. */
export interface Background {
  readonly load: readonly string[];
  readonly to: readonly string[];
}

/**
 * The scenarios of these paths; with `--load` one scenario that stores the loaded files and creates the objects of
 * the paths. Throws ConfigError for unreadable files.
 */
export async function trialScenarios(paths: readonly string[], options: Background): Promise<readonly Scenario[]> {
  if (options.load.length > 0) return [manifestScenario(paths, options)];
  const found = findScenarios(paths);
  if (found.outcome !== 'found')
    throw new ConfigError(`${found.problem}; with --load PATH, the objects of a file are created`);
  const scenarios: Scenario[] = [];
  for (const file of found.files) {
    const loading = await loadScenario(file);
    if (loading.outcome === 'unreadable') throw new ConfigError(problemLines(loading.problems).join('\n'));
    const [first] = combinationsOf(loading.scenario);
    if (first) scenarios.push(withAddresses(first.scenario, options.to));
  }
  return scenarios;
}

function manifestScenario(paths: readonly string[], { load, to }: Background): Scenario {
  const scenario = trialScenario({
    name: paths.join(', '),
    load: trialObjects(load),
    webhooks: [],
    steps: trialObjects(paths).map((one) => createStep(withNamespace(one), one.title, locationOf(one))),
  });
  return withAddresses(scenario, to);
}

/** The addresses in `--to`. Throws ConfigError for malformed texts and unknown webhooks. */
export const parseAddresses = (to: readonly string[], known: readonly string[]): Scenario['webhooks'] =>
  to.map((text) => {
    const [name = '', url = ''] = text.split(/=(.*)/);
    if (!URL.canParse(url))
      throw new ConfigError(`--to ${text}: give one such as hook.example.com=http://127.0.0.1:8080/mutate`);
    if (!known.includes(name))
      throw new ConfigError(`--to ${text}: there is no webhook ${JSON.stringify(name)}${didYouMean(name, known)}`);
    return { name, to: url, does: [], faults: [] };
  });

export const trialWebhookNames = ({
  load,
  steps,
  webhooks,
}: Pick<Scenario, 'load' | 'steps' | 'webhooks'>): readonly string[] => [
  ...new Set([...webhooks, ...knownWebhooks({ load, steps })].map(({ name }) => name)),
];

/** The scenario with the addresses of `--to` in place of stubs. */
function withAddresses(scenario: Scenario, to: readonly string[]): Scenario {
  const addresses = parseAddresses(to, trialWebhookNames(scenario));
  if (addresses.length === 0) return scenario;
  const others = scenario.webhooks.filter(({ name }) => !addresses.some((one) => one.name === name));
  return { ...scenario, clock: 'real', webhooks: [...addresses, ...others] };
}

/** A scenario that stores these objects before its steps. */
export const trialScenario = ({
  name,
  load,
  webhooks,
  steps,
}: Pick<Scenario, 'name' | 'webhooks' | 'steps'> & { readonly load: readonly LintObject[] }): Scenario => ({
  name,
  description: '',
  file: name,
  folder: '.',
  clock: webhooks.length > 0 ? 'real' : 'virtual',
  seed: 1,
  controllers: ['*'],
  nodes: 0,
  enableAdmissionPlugins: [],
  disableAdmissionPlugins: [],
  authorizationMode: 'AlwaysAllow',
  load: load.map((one) => ({ object: one.object, place: locationOf(one) })),
  webhooks,
  steps,
  matrix: [],
});

const locationOf = (one: LintObject): Scenario['load'][number]['place'] => one.placesOf([])[0];

/** The objects of these files and folders. Throws ConfigError when there are none or one is unreadable. */
export function trialObjects(paths: readonly string[]): readonly LintObject[] {
  const { objects, problems } = readLintFiles(paths);
  if (problems.length > 0) throw new ConfigError(problemLines(problems).join('\n'));
  if (objects.length === 0) throw new ConfigError(`${paths.join(', ')}: there is no object`);
  return objects;
}

/** With the default namespace. */
export const withNamespace = ({ object }: LintObject): LintObject['object'] => {
  const metadata = asObject(object['metadata']);
  return asString(metadata['namespace']) === ''
    ? { ...object, metadata: { ...metadata, namespace: 'default' } }
    : object;
};

/** What is stored, and what is known of its webhooks. */
export interface ReplaySet {
  readonly load: readonly string[];
  /** `WEBHOOK=URL`: its real address. */
  readonly to: readonly string[];
  /** `WEBHOOK=DURATION`: its latency; `*` for all others. */
  readonly takes: readonly string[];
}

/**
 * A scenario that stores the objects of these paths. Other webhooks allow at once. Time is real with `to`, otherwise
 * simulated. Throws ConfigError for unreadable files and unknown webhooks.
 */
export function replayScenario({ load, to, takes }: ReplaySet): Scenario {
  const plain = trialScenario({ name: 'replay', load: trialObjects(load), webhooks: [], steps: [] });
  const names = trialWebhookNames(plain);
  const addresses = parseAddresses(to, names);
  const slow = slowWebhooks(takes, names).filter(({ name }) => !addresses.some((one) => one.name === name));
  return { ...plain, clock: addresses.length > 0 ? 'real' : 'virtual', webhooks: [...addresses, ...slow] };
}

function slowWebhooks(takes: readonly string[], names: readonly string[]): Scenario['webhooks'] {
  const durations = new Map(takes.map((text) => parseLatency(text, names)));
  return names.flatMap((name) => {
    const milliseconds = durations.get(name) ?? durations.get('*');
    if (milliseconds === undefined) return [];
    return [{ name, does: [], faults: [{ what: { type: 'delay', delay: { type: 'fixed', milliseconds } } }] }];
  });
}

function parseLatency(text: string, names: readonly string[]): readonly [name: string, milliseconds: number] {
  const [name = '', duration = ''] = text.split(/=(.*)/);
  const milliseconds = readGoDuration(duration);
  if (milliseconds === undefined || milliseconds < 0)
    throw new ConfigError(`--takes ${text}: give one such as hook.example.com=200ms`);
  if (name !== '*' && !names.includes(name))
    throw new ConfigError(`--takes ${text}: there is no webhook ${JSON.stringify(name)}${didYouMean(name, names)}`);
  return [name, milliseconds];
}

/** One thread's lanes, replayed one after the other in separate worlds. */
export interface ReplayTask {
  readonly auditLog: string;
  readonly set: ReplaySet;
  readonly lanes: readonly Lane[];
}

export type ReplayMessage =
  | { readonly type: 'done'; readonly parts: readonly LogPart[] }
  | { readonly type: 'failed'; readonly text: string };

export async function runReplayWorker(
  createWorlds: (onBug: (error: unknown) => void) => Promise<Worlds>,
): Promise<void> {
  const { auditLog, set, lanes } = workerData as ReplayTask; // replay-report.ts starts these threads.
  const post = (word: ReplayMessage): void => parentPort?.postMessage(word);
  const failed = (error: unknown): void => post({ type: 'failed', text: errorText(error) });
  try {
    const worlds = await createWorlds(failed);
    const scenario = replayScenario(set);
    const parts: LogPart[] = [];
    for (const lane of lanes) parts.push(await replayPart(scenario, worlds, () => laneRequests(auditLog, lane)));
    await worlds.close();
    post({ type: 'done', parts });
  } catch (error) {
    failed(error);
  }
}
