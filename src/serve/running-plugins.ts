import { namesInOrder } from '../admission/builtin/enabled-plugins.ts';
import type { ServerConfig } from '../config/server-config.ts';
import { loadOwnPlugins } from './own-plugins.ts';
import { pluginFlags } from './plugin-settings.ts';

/** The names of the plugins of such a server, in the order they run. Throws ConfigError for a plugin that cannot be loaded. */
export const runningPlugins = async (config: ServerConfig): Promise<readonly string[]> =>
  namesInOrder(pluginFlags(config), await loadOwnPlugins(config.plugin));
