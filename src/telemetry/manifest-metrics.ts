import { createCounter } from './counter.ts';
import type { Family } from './family.ts';
import { createSeries } from './series.ts';

/** What is counted of the folders with static admission configuration. */
export interface ManifestMetrics {
  /** `hash` of what holds from now on; undefined when the folder could not be used. */
  readonly reloaded: (plugin: string, hash: string | undefined) => void;
  readonly families: readonly Family[];
}

const prefix = 'apiserver_manifest_admission_config_controller';

/** `now` in milliseconds since 1970. Follows apiserver pkg/admission/plugin/manifest/metrics/metrics.go (rule STA-9). */
export function createManifestMetrics(now: () => number, serverIdHash: string): ManifestMetrics {
  const labels = ['status', 'plugin', 'apiserver_id_hash'];
  const reloads = createCounter(
    `${prefix}_automatic_reloads_total`,
    '[ALPHA] Reloads of static admission configuration by status, plugin and API server.',
    labels,
  );
  const times = createSeries(labels, () => ({ seconds: 0 }));
  const hashes = new Map<string, string>();
  return {
    reloaded: (plugin, hash) => {
      const values = [hash === undefined ? 'failure' : 'success', plugin, serverIdHash];
      reloads.add(...values);
      times.at(...values).seconds = now() / 1000;
      if (hash !== undefined) hashes.set(plugin, hash);
    },
    families: [
      reloads.family,
      {
        name: `${prefix}_automatic_reload_last_timestamp_seconds`,
        help: '[ALPHA] When static admission configuration was reloaded last, by status, plugin and API server.',
        type: 'gauge',
        samples: () => times.all().map(([own, { seconds }]) => ({ suffix: '', labels: own, value: seconds })),
      },
      {
        name: `${prefix}_last_config_info`,
        help: '[ALPHA] The hash of the static admission configuration that holds, by plugin and API server.',
        type: 'gauge',
        samples: () =>
          [...hashes].map(([plugin, hash]) => ({
            suffix: '',
            labels: { plugin, apiserver_id_hash: serverIdHash, hash },
            value: 1,
          })),
      },
    ],
  };
}
