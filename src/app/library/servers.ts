import { ConfigError } from '../../adapters/config/config-error.ts';
import { readKubeconfig } from '../../adapters/config/kubeconfig/read-kubeconfig.ts';
import type { Mix } from '../../testing/load/run-load.ts';
import { type LoadDocument, runServerLoad } from '../../testing/load/put-load.ts';
import { readThreshold } from '../../testing/load/threshold.ts';
import { playChanges, type Played } from '../../testing/record-replay/snapshot/changes/play.ts';
import { wallClock } from '../../testing/record-replay/snapshot/changes/wall-clock.ts';
import { readSnapshot } from '../../testing/record-replay/snapshot/read-snapshot.ts';
import { type RestoreReport, restoreOverApi } from '../../testing/record-replay/snapshot/restore-over-api.ts';
import { saveTo } from '../../testing/record-replay/snapshot/save-to.ts';
import { trialObjects } from '../../analysis/trials/trial-scenarios.ts';

/** A load, and what has to be kept to; what is left out is as `kadmit load` has it. */
export interface LoadOf {
  /** Files of the objects of which copies are made. */
  readonly objects: readonly string[];
  /** The file of the kubeconfig; `kubeconfigPath` of startKadmit is one. */
  readonly kubeconfig: string;
  /** Requests a second (20), for how many milliseconds (10,000), of which so many may be under way (16). */
  readonly rate?: number;
  readonly durationMs?: number;
  readonly concurrency?: number;
  /** Shares of what is done. */
  readonly mix?: Partial<Mix>;
  /** `p99<100ms`, `errors<1%`, `webhook:hook.example.com.p95<20ms`. */
  readonly thresholds?: readonly string[];
  readonly dryRun?: boolean;
  readonly seed?: number;
}

/** A mix of writes at a rate, as `kadmit load`. Rejects with ConfigError for what cannot be read or reached. */
export async function load({ objects, kubeconfig, ...options }: LoadOf): Promise<LoadDocument> {
  const { rate = 20, durationMs = 10_000, concurrency = 16, mix, thresholds = [], dryRun = false, seed = 1 } = options;
  const manifests = trialObjects(objects).map(({ object }) => object);
  const shares = mix ? { create: 0, update: 0, patch: 0, delete: 0, ...mix } : usualMix;
  const threshold = thresholds.map((text) => {
    const reading = readThreshold(text);
    if (reading.outcome === 'read') return reading.threshold;
    throw new ConfigError(`threshold ${JSON.stringify(text)} ${reading.problem}`);
  });
  const wish = { rate, duration: durationMs, concurrency, mix: shares, threshold, dryRun, seed };
  return runServerLoad(manifests, await readKubeconfig(kubeconfig), wish, () => false);
}

const usualMix: Mix = { create: 2, update: 1, patch: 1, delete: 1 };

/** Which server, and what of it. */
export interface SnapshotOf {
  readonly kubeconfig: string;
  /** As kubectl names them; all but Events and Secrets when left out. */
  readonly kinds?: readonly string[];
  /** All when left out. */
  readonly namespaces?: readonly string[];
  readonly secrets?: boolean;
}

/**
 * Writes the objects of a server into a file, as `kadmit snapshot save`; resolves with how many they are. Rejects with ConfigError for
 * a server or a file that cannot be used.
 */
export const saveSnapshot = (
  file: string,
  { kubeconfig, kinds = [], namespaces = [], secrets = false }: SnapshotOf,
): Promise<number> => saveTo(file, { kubeconfig, kinds, namespaces, secrets });

/** Writes the objects of a snapshot to a running server, as `kadmit snapshot restore`. Rejects with ConfigError for what cannot be used. */
export const restoreSnapshot = async (
  file: string,
  { kubeconfig }: { readonly kubeconfig: string },
): Promise<RestoreReport> => restoreOverApi(readSnapshot(file).objects, await readKubeconfig(kubeconfig), () => {});

/** Where a recording of changes is played, and how fast. */
export interface ReplayChangesOf {
  readonly kubeconfig: string;
  /** How many times as fast as it was recorded (1); Infinity without any waiting. */
  readonly speed?: number;
}

/**
 * Makes recorded changes on a running server, as `kadmit snapshot replay`. Rejects with ConfigError for a file or a server that cannot be
 * used, and for a speed that is none.
 */
export async function replayChanges(file: string, { kubeconfig, speed = 1 }: ReplayChangesOf): Promise<Played> {
  if (!(speed > 0)) throw new ConfigError(`speed ${speed} is no number above 0`);
  return playChanges(file, await readKubeconfig(kubeconfig), { speed, clock: wallClock, onProgress: () => {} });
}
