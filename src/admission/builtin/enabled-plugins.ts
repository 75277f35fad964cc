import type { CallingPlugin } from '../calling-plugin.ts';
import type { ChainPlugin } from '../create-chain.ts';
import { builtinPlugins } from './builtin-plugins.ts';
import { enabledNames } from './plugin-order.ts';
import type { PluginFlags } from './plugin-order.ts';

/**
 * The plugins of a chain in the order in which they run: the compiled-in ones and those given, as far as the flags
 * enable them. Names that kadmit has no plugin for are left out.
 */
export function enabledPlugins(flags: PluginFlags, calling: readonly CallingPlugin[]): readonly ChainPlugin[] {
  const known = new Map<string, ChainPlugin>([
    ...builtinPlugins,
    ...calling.map((plugin) => [plugin.name, plugin] as const),
  ]);
  return enabledNames(flags).flatMap((name) => known.get(name) ?? []);
}
