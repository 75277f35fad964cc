import { Counter, Gauge } from 'prom-client';
import type { Registry } from 'prom-client';

/** `hash` is undefined when the folder could not be loaded. */
export type RecordReload = (plugin: string, hash: string | undefined) => void;

const prefix = 'apiserver_manifest_admission_config_controller';

/** `now` in milliseconds since 1970. Follows apiserver pkg/admission/plugin/manifest/metrics/metrics.go (rule STA-9). */
export function createManifestMetrics(registry: Registry, now: () => number, serverIdHash: string): RecordReload {
  const labelNames = ['status', 'plugin', 'apiserver_id_hash'];
  const registers = [registry];
  const reloads = new Counter({
    name: `${prefix}_automatic_reloads_total`,
    help: '[ALPHA] Reloads of static admission configuration by status, plugin and API server.',
    labelNames,
    registers,
  });
  const lastReload = new Gauge({
    name: `${prefix}_automatic_reload_last_timestamp_seconds`,
    help: '[ALPHA] When static admission configuration was reloaded last, by status, plugin and API server.',
    labelNames,
    registers,
  });
  const info = new Gauge({
    name: `${prefix}_last_config_info`,
    help: '[ALPHA] The hash of the current static admission configuration, by plugin and API server.',
    labelNames: ['plugin', 'apiserver_id_hash', 'hash'],
    registers,
  });
  const hashes = new Map<string, string>();
  return (plugin, hash) => {
    const labels = { status: hash === undefined ? 'failure' : 'success', plugin, apiserver_id_hash: serverIdHash };
    reloads.inc(labels);
    lastReload.set(labels, now() / 1000);
    if (hash === undefined) return;
    const earlier = hashes.get(plugin);
    if (earlier !== undefined) info.remove({ plugin, apiserver_id_hash: serverIdHash, hash: earlier });
    hashes.set(plugin, hash);
    info.set({ plugin, apiserver_id_hash: serverIdHash, hash }, 1);
  };
}
