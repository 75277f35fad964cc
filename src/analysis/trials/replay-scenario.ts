import { parentPort, workerData } from 'node:worker_threads';
import { ConfigError } from '../../adapters/config/config-error.ts';
import { errorText } from '../../machinery/error-text.ts';
import { readGoDuration } from '../../machinery/go/go-duration.ts';
import { didYouMean } from '../../machinery/nearest-name.ts';
import type { Scenario } from '../../testing/scenario/format.ts';
import type { Worlds } from '../../testing/scenario/world.ts';
import { laneRequests } from './log-lines.ts';
import type { Lane } from './log-lines.ts';
import { replayPart } from './replay-log.ts';
import type { LogPart } from './replay-log.ts';
import { addressesOf, namesIn, trialObjects, trialScenario } from './trial-scenarios.ts';

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
  const names = namesIn(plain);
  const addresses = addressesOf(to, names);
  const slow = slowOnes(takes, names).filter(({ name }) => !addresses.some((one) => one.name === name));
  return { ...plain, clock: addresses.length > 0 ? 'real' : 'virtual', webhooks: [...addresses, ...slow] };
}

function slowOnes(takes: readonly string[], names: readonly string[]): Scenario['webhooks'] {
  const told = new Map(takes.map((text) => durationOf(text, names)));
  return names.flatMap((name) => {
    const milliseconds = told.get(name) ?? told.get('*');
    if (milliseconds === undefined) return [];
    return [{ name, does: [], faults: [{ what: { type: 'delay', delay: { type: 'fixed', milliseconds } } }] }];
  });
}

function durationOf(text: string, names: readonly string[]): readonly [name: string, milliseconds: number] {
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

export type ReplayWord =
  | { readonly type: 'done'; readonly parts: readonly LogPart[] }
  | { readonly type: 'failed'; readonly text: string };

export async function runReplayWorker(
  createWorlds: (onBug: (error: unknown) => void) => Promise<Worlds>,
): Promise<void> {
  const { auditLog, set, lanes } = workerData as ReplayTask; // Made by log-parts.ts alone.
  const say = (word: ReplayWord): void => parentPort?.postMessage(word);
  const failed = (error: unknown): void => say({ type: 'failed', text: errorText(error) });
  try {
    const worlds = await createWorlds(failed);
    const scenario = replayScenario(set);
    const parts: LogPart[] = [];
    for (const lane of lanes) parts.push(await replayPart(scenario, worlds, () => laneRequests(auditLog, lane)));
    await worlds.close();
    say({ type: 'done', parts });
  } catch (error) {
    failed(error);
  }
}
