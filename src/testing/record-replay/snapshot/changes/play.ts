import { writeJson } from '../../../../machinery/json/json-writer.ts';
import type { Clock } from '../../../../machinery/clock.ts';
import type { KubernetesObject } from '../../../../machinery/meta/object.ts';
import { ConfigError } from '../../../../adapters/config/config-error.ts';
import type { ServerAccess } from '../../../../adapters/config/kubeconfig/server-access.ts';
import { restoreOverApi } from '../restore-over-api.ts';
import { inOrder } from './in-order.ts';
import { createPlayer, titleOf } from './player.ts';
import { readRecording } from './read-recording.ts';
import { waitFor } from './speed.ts';
import type { Speed } from './speed.ts';

export interface Played {
  /** Objects that were there when the recording began. */
  readonly restored: number;
  readonly created: number;
  readonly changed: number;
  readonly removed: number;
  /** Removals of what was not there any more. */
  readonly gone: number;
  readonly refused: number;
  /** The first twenty, and how often each came: `Pod shop/web: …`. */
  readonly problems: readonly { readonly problem: string; readonly times: number }[];
  /** How long it took to record, how long to play, and by how much a change came too late at worst: milliseconds. */
  readonly recordedMs: number;
  readonly playedMs: number;
  readonly behindMs: number;
}

export interface PlayOptions {
  readonly speed: Speed;
  readonly clock: Clock;
  readonly onProgress: (text: string) => void;
}

const mostProblems = 20;
const mostObjectBytes = 512 * 1024 * 1024;

/**
 * Plays a recording of changes on a server: what was there when it began is restored at once, then each change is made when it is due,
 * one after the other. However long the recording is, 1,024 changes of it are in memory, and the objects of its beginning. Rejects with
 * ConfigError for a file that cannot be read, and for a server that cannot be reached.
 */
export async function playChanges(file: string, access: ServerAccess, options: PlayOptions): Promise<Played> {
  const { speed, clock, onProgress } = options;
  const uids = new Map<string, string>();
  const player = createPlayer(access, uids);
  const beginning: KubernetesObject[] = [];
  const count = { restored: 0, created: 0, changed: 0, removed: 0, gone: 0, refused: 0 };
  const time = { begun: 0, recordedMs: 0, behindMs: 0 };
  const problems = new Map<string, number>();
  const refuse = (problem: string): void => {
    count.refused += 1;
    const times = problems.get(problem) ?? 0;
    if (times > 0 || problems.size < mostProblems) problems.set(problem, times + 1);
  };
  const restore = async (): Promise<void> => {
    const restored = await restoreOverApi(beginning.splice(0), access, onProgress, uids);
    count.restored += restored.created + restored.replaced;
    restored.problems.forEach(refuse);
  };
  let bytes = 0;
  for await (const one of inOrder(readRecording(file))) {
    if (one.type === 'object') {
      bytes += writeJson(one.object).length;
      if (bytes > mostObjectBytes)
        throw new ConfigError(`${file}: the objects before its first change are more than 512 MiB`);
      beginning.push(one.object);
      continue;
    }
    if (beginning.length > 0) await restore();
    if (time.begun === 0) time.begun = clock.now();
    const { change } = one;
    const wait = waitFor(change.at, clock.now() - time.begun, speed);
    onProgress(`${titleOf(change.target)}, at ${(change.at / 1000).toFixed(1)} s`);
    if (wait > 0) await clock.sleep(wait);
    const put = await player(change);
    if (typeof put === 'object') refuse(`${titleOf(change.target)}: ${put.problem}`);
    else if (put !== 'left') count[put] += 1;
    time.recordedMs = Math.max(time.recordedMs, change.at);
    if (speed !== Infinity) time.behindMs = Math.max(time.behindMs, clock.now() - time.begun - change.at / speed);
  }
  if (beginning.length > 0) await restore();
  const { recordedMs, behindMs, begun } = time;
  const told = [...problems].map(([problem, times]) => ({ problem, times }));
  return { ...count, problems: told, recordedMs, playedMs: begun === 0 ? 0 : clock.now() - begun, behindMs };
}
