import { namesInOrder } from '../../apiserver/admission/plugins/enabled-plugins.ts';
import type { OwnPlugin } from '../../apiserver/admission/chain/own-plugin.ts';
import { pluginPlaceText } from '../../apiserver/admission/chain/place-own-plugins.ts';
import type { ServerConfig } from '../../adapters/config/server-config.ts';
import type { Log } from '../../adapters/telemetry/log.ts';
import { loadOwnPlugins } from './own-plugins.ts';
import { pluginFlags } from './plugin-settings.ts';

/** In the order they run. Rejects with ConfigError for a plugin that cannot be loaded. */
export const runningPlugins = async (config: ServerConfig): Promise<readonly string[]> =>
  namesInOrder(pluginFlags(config), await loadOwnPlugins(config.plugin));

/** Logs the order of all plugins; returns a sentence about the place of each of the user's own. */
export function reportPluginOrder(config: ServerConfig, own: readonly OwnPlugin[], log: Log): readonly string[] {
  const order = namesInOrder(pluginFlags(config), own);
  log.info(1, 'admission plugins', { order: order.join(',') });
  return own.map(({ name }) => pluginPlaceText(name, order));
}
