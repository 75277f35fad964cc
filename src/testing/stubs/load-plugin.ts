import { readOwnPlugin } from '../../apiserver/admission/chain/place-own-plugins.ts';
import type { OwnPlugin } from '../../apiserver/admission/chain/own-plugin.ts';
import { runScript } from './run-script.ts';
import type { ScriptRun } from './run-script.ts';
import type { ModuleExports } from './script-modules.ts';

/** A plugin that a file exports. */
export interface PluginScript {
  readonly plugin: OwnPlugin;
  /** The same plugin with module variables of its own. */
  readonly another: () => OwnPlugin;
}

export type PluginLoading =
  | ({ readonly outcome: 'loaded' } & PluginScript)
  | Extract<ScriptRun, { readonly outcome: 'unloadable' }>;

/** Loads a script whose default export is an admission plugin, next to others of the user's own. */
export async function loadPlugin(file: string, others: readonly OwnPlugin[]): Promise<PluginLoading> {
  const script = await runScript(file);
  if (script.outcome === 'unloadable') return script;
  const plugin = readOwnPlugin(script.exports['default'], others);
  if (typeof plugin === 'string') return { outcome: 'unloadable', error: `${file}: ${plugin}` };
  const another = (): OwnPlugin => withInstance(plugin, async () => pluginIn(await script.again(), others) ?? plugin);
  return { outcome: 'loaded', plugin, another };
}

/** The script is run again when the plugin is first asked. */
function withInstance(plugin: OwnPlugin, make: () => Promise<OwnPlugin>): OwnPlugin {
  let made: Promise<OwnPlugin> | undefined;
  const instance = (): Promise<OwnPlugin> => (made ??= make());
  const { mutate, validate, ...rest } = plugin;
  return {
    ...rest,
    ...(mutate && { mutate: async (request) => (await instance()).mutate?.(request) }),
    ...(validate && { validate: async (request) => (await instance()).validate?.(request) }),
  };
}

function pluginIn(exports: ModuleExports, others: readonly OwnPlugin[]): OwnPlugin | undefined {
  const plugin = readOwnPlugin(exports['default'], others);
  return typeof plugin === 'string' ? undefined : plugin;
}
