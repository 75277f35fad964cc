import { ConfigError } from '../../adapters/config/config-error.ts';
import { readKubeconfig } from '../../adapters/config/kubeconfig/read-kubeconfig.ts';
import type { Mix } from '../../testing/load/run-load.ts';
import { type BenchDocument, runServerLoad } from '../../testing/load/put-load.ts';
import { readThreshold } from '../../testing/load/threshold.ts';
import { playChanges, type Played, wallClock } from '../../testing/record-replay/snapshot/changes/play-changes.ts';
import { readSnapshot } from '../../testing/record-replay/snapshot/read-snapshot.ts';
import { type RestoreReport, restoreOverApi } from '../../testing/record-replay/snapshot/restore-over-api.ts';
import { saveTo } from '../../testing/record-replay/snapshot/save-to.ts';
import { trialObjects } from '../../analysis/trials/trial-scenarios.ts';

/** The defaults are those of `kadmit bench`. */
export interface BenchOf {
  /** Files of the objects to copy. */
  readonly objects: readonly string[];
  /** The file of the kubeconfig; `kubeconfigPath` of startKadmit is one. */
  readonly kubeconfig: string;
  /** Requests a second (20), for this time (10,000 ms), and how many in flight (16). */
  readonly rate?: number;
  readonly durationMs?: number;
  readonly concurrency?: number;
  /** Share of each verb. */
  readonly mix?: Partial<Mix>;
  /** `p99<100ms`, `errors<1%`, `webhook:hook.example.com.p95<20ms`. */
  readonly thresholds?: readonly string[];
  readonly dryRun?: boolean;
  readonly seed?: number;
}

/** As `kadmit bench`. Rejects with ConfigError for a file or server that cannot be used. */
export async function bench({ objects, kubeconfig, ...options }: BenchOf): Promise<BenchDocument> {
  const { rate = 20, durationMs = 10_000, concurrency = 16, mix, thresholds = [], dryRun = false, seed = 1 } = options;
  const manifests = trialObjects(objects).map(({ object }) => object);
  const shares = mix ? { create: 0, update: 0, patch: 0, delete: 0, ...mix } : defaultMix;
  const threshold = thresholds.map((text) => {
    const reading = readThreshold(text);
    if (reading.outcome === 'read') return reading.threshold;
    throw new ConfigError(`threshold ${JSON.stringify(text)} ${reading.problem}`);
  });
  const loadOptions = { rate, duration: durationMs, concurrency, mix: shares, threshold, dryRun, seed };
  return runServerLoad(manifests, await readKubeconfig(kubeconfig), loadOptions, () => false);
}

const defaultMix: Mix = { create: 2, update: 1, patch: 1, delete: 1 };

export interface SnapshotOf {
  readonly kubeconfig: string;
  /** As kubectl names them; all but Events and Secrets when left out. */
  readonly kinds?: readonly string[];
  /** All when left out. */
  readonly namespaces?: readonly string[];
  readonly secrets?: boolean;
}

/** As `kadmit snapshot save`; resolves with the number of objects. Rejects with ConfigError for a server or file that cannot be used. */
export const saveSnapshot = (
  file: string,
  { kubeconfig, kinds = [], namespaces = [], secrets = false }: SnapshotOf,
): Promise<number> => saveTo(file, { kubeconfig, kinds, namespaces, secrets });

/** As `kadmit snapshot restore`. Rejects with ConfigError for a server or file that cannot be used. */
export const restoreSnapshot = async (
  file: string,
  { kubeconfig }: { readonly kubeconfig: string },
): Promise<RestoreReport> => restoreOverApi(readSnapshot(file).objects, await readKubeconfig(kubeconfig), () => {});

export interface ReplayChangesOf {
  readonly kubeconfig: string;
  /** Factor of the recorded pace (1); Infinity does not wait at all. */
  readonly speed?: number;
}

/** As `kadmit snapshot replay`. Rejects with ConfigError for a server, file or speed that cannot be used. */
export async function replayChanges(file: string, { kubeconfig, speed = 1 }: ReplayChangesOf): Promise<Played> {
  if (!(speed > 0)) throw new ConfigError(`speed ${speed} is not a number above 0`);
  return playChanges(file, await readKubeconfig(kubeconfig), { speed, clock: wallClock, onProgress: () => {} });
}
