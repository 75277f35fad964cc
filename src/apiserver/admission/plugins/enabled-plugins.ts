import type { Clock } from '../../../machinery/clock.ts';
import { builtinInChain } from '../chain/builtin-in-chain.ts';
import type { ChainPlugin } from '../chain/chain-plugin.ts';
import { ownInChain, type OwnPlugin, placedAmong } from '../chain/own-plugin.ts';
import type { PluginPorts } from '../chain/plugin.ts';
import { createBuiltinPlugins } from './builtin-plugins.ts';
import { admissionPlugins, enabledNames, hasPlugin, type PluginFlags } from './plugin-order.ts';
import type { PluginSettings } from './plugin-settings.ts';

/** The enabled plugins in order: compiled-in and given ones. Unimplemented names are dropped. */
export function enabledPlugins(
  flags: PluginFlags,
  calling: readonly ChainPlugin[],
  { pluginPorts, clock, settings, minor }: ChainParts,
): readonly ChainPlugin[] {
  const builtins = createBuiltinPlugins(settings);
  const known = new Map(calling.map((plugin) => [plugin.name, plugin] as const));
  const own = new Map(settings.ownPlugins.map((plugin) => [plugin.name, ownInChain(plugin)] as const));
  const names = namesInOrder(flags, settings.ownPlugins).filter((name) => hasPlugin(name, minor));
  return names.flatMap((name) => {
    const builtin = builtins.get(name) ?? own.get(name);
    return builtin ? builtinInChain(builtin, pluginPorts, clock) : (known.get(name) ?? []);
  });
}

/** The names of the running plugins; an own plugin may be placed beside a disabled one. */
export function namesInOrder(flags: PluginFlags, own: readonly OwnPlugin[]): readonly string[] {
  const running = new Set([...enabledNames(flags), ...own.map(({ name }) => name)]);
  return placedAmong(admissionPlugins.inOrder, own).filter((name) => running.has(name));
}

interface ChainParts {
  readonly pluginPorts: PluginPorts;
  readonly clock: Clock;
  readonly settings: PluginSettings;
  readonly minor: number;
}
