import { parentPort, workerData } from 'node:worker_threads';
import { errorText } from '../../machinery/error-text.ts';
import { replayPart } from './replay-log.ts';
import type { LogPart } from './replay-log.ts';
import type { Worlds } from '../../testing/scenario/world.ts';
import { replayScenario } from './replay-scenario.ts';
import type { ReplaySet } from './replay-scenario.ts';
import { laneRequests } from './log-lines.ts';
import type { Lane } from './log-lines.ts';

/** What one thread replays: its lanes, one after the other, each in a world of its own. */
export interface ReplayTask {
  readonly auditLog: string;
  readonly set: ReplaySet;
  readonly lanes: readonly Lane[];
}

export type ReplayWord =
  | { readonly type: 'done'; readonly parts: readonly LogPart[] }
  | { readonly type: 'failed'; readonly text: string };

/** Replays the lanes this thread was started with. */
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
