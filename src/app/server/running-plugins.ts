import { ConfigError } from '../../adapters/config/config-error.ts';
import type { ServerConfig } from '../../adapters/config/server-config.ts';
import type { Log } from '../../adapters/telemetry/log.ts';
import { type OwnPlugin, pluginPlaceText } from '../../apiserver/admission/chain/own-plugin.ts';
import { namesInOrder } from '../../apiserver/admission/plugins/enabled-plugins.ts';
import { loadPlugin } from '../../testing/stubs/load-plugin.ts';
import { pluginFlags } from './plugin-settings.ts';

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
  namesInOrder(pluginFlags(config), await loadOwnPlugins(config.plugin));

/** Logs the order of all plugins; returns a sentence about the place of each of the user's own. */
export function reportPluginOrder(config: ServerConfig, own: readonly OwnPlugin[], log: Log): readonly string[] {
  const order = namesInOrder(pluginFlags(config), own);
  log.info(1, 'admission plugins', { order: order.join(',') });
  return own.map(({ name }) => pluginPlaceText(name, order));
}
