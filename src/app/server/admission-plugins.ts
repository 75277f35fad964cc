import { admissionPlugins, enabledNames, type PluginFlags } from '../../apiserver/admission/plugins/plugin-order.ts';
import type { PluginSettings } from '../../apiserver/admission/plugins/plugin-settings.ts';
import {
  createStaticManifests,
  type LoadedManifests,
} from '../../apiserver/admission/configuration/manifests/static-manifests.ts';
import { readSettings } from '../../apiserver/admission/configuration/read-settings.ts';
import type { ServerConfig } from '../../adapters/config/server-config.ts';
import { configurationFiles } from '../../adapters/config/read-files.ts';
import { StartFailure, commandFailed, ConfigError } from '../../adapters/config/config-error.ts';
import type { FeatureGates } from '../../api/types/features/feature-gates.ts';
import type { Log } from '../../adapters/telemetry/log.ts';
import { type OwnPlugin, describePluginOrder } from '../../apiserver/admission/chain/own-plugin.ts';
import { orderPluginNames } from '../../apiserver/admission/plugins/builtin-plugins.ts';
import { loadPlugin } from '../../testing/stubs/load-plugin.ts';

/** The settings of plugins in flags and --admission-control-config-file. Throws StartFailure. */
export function pluginSettings(
  config: ServerConfig,
  { isOn }: FeatureGates,
): { readonly settings: PluginSettings; readonly manifests: LoadedManifests } {
  const manifests = createStaticManifests();
  const hasStaticManifests = isOn('ManifestBasedAdmissionControlConfig');
  const outside = { ...configurationFiles, hasStaticManifests };
  const reading = readSettings(config.admissionControlConfigFile, enabledNames(pluginFlags(config)), outside);
  if (reading.outcome === 'failed') {
    throw reading.exitCode === 255 ? new StartFailure(reading.error, 255) : commandFailed(reading.error);
  }
  const { defaultNotReadyTolerationSeconds: notReady, defaultUnreachableTolerationSeconds: unreachable } = config;
  const settings = { ...reading.settings, tolerationSeconds: { notReady, unreachable } };
  return { settings: hasStaticManifests ? { ...settings, staticManifests: manifests } : settings, manifests };
}

/** Which plugins run. Follows kubernetes pkg/kubeapiserver/options/admission.go computePluginNames. */
export function pluginFlags(config: ServerConfig): PluginFlags {
  const { admissionControl: only, enableAdmissionPlugins: enable, disableAdmissionPlugins: disable } = config;
  if (only.length === 0) return { enable, disable };
  return { enable: only, disable: admissionPlugins.inOrder.filter((name) => !only.includes(name)) };
}

/** The plugins exported by the files of `--plugin`. Rejects with ConfigError. */
export async function loadOwnPlugins(files: readonly string[]): Promise<readonly OwnPlugin[]> {
  const plugins: OwnPlugin[] = [];
  for (const file of files) {
    const loading = await loadPlugin(file, plugins);
    if (loading.outcome === 'unloadable') throw new ConfigError(`--plugin ${loading.error}`);
    plugins.push(loading.plugin);
  }
  return plugins;
}

/** In the order they run. Rejects with ConfigError for a plugin that cannot be loaded. */
export const runningPlugins = async (config: ServerConfig): Promise<readonly string[]> =>
  orderPluginNames(pluginFlags(config), await loadOwnPlugins(config.plugin));

/** Logs the order of all plugins; returns a sentence about the place of each of the user's own. */
export function reportPluginOrder(config: ServerConfig, own: readonly OwnPlugin[], log: Log): readonly string[] {
  const order = orderPluginNames(pluginFlags(config), own);
  log.info(1, 'admission plugins', { order: order.join(',') });
  return own.map(({ name }) => describePluginOrder(name, order));
}
