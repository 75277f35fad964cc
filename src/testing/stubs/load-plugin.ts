import { type OwnPlugin, readOwnPlugin } from '../../apiserver/admission/chain/own-plugin.ts';
import { runScript, type ScriptRun, type ModuleExports } from './run-script.ts';

export interface PluginScript {
  readonly plugin: OwnPlugin;
  /** With module variables of its own. */
  readonly another: () => OwnPlugin;
}

export type PluginLoading =
  | ({ readonly outcome: 'loaded' } & PluginScript)
  | Extract<ScriptRun, { readonly outcome: 'unloadable' }>;

/** The default export is the plugin; `others` are the user's other plugins. */
export async function loadPlugin(file: string, others: readonly OwnPlugin[]): Promise<PluginLoading> {
  const script = await runScript(file);
  if (script.outcome === 'unloadable') return script;
  const plugin = readOwnPlugin(script.exports['default'], others);
  if (typeof plugin === 'string') return { outcome: 'unloadable', error: `${file}: ${plugin}` };
  const another = (): OwnPlugin => withInstance(plugin, async () => readPlugin(await script.again(), others) ?? plugin);
  return { outcome: 'loaded', plugin, another };
}

/** Runs the script again on first use. */
function withInstance(plugin: OwnPlugin, make: () => Promise<OwnPlugin>): OwnPlugin {
  let cachedInstance: Promise<OwnPlugin> | undefined;
  const instance = (): Promise<OwnPlugin> => (cachedInstance ??= make());
  const { mutate, validate, ...rest } = plugin;
  return {
    ...rest,
    ...(mutate && { mutate: async (request) => (await instance()).mutate?.(request) }),
    ...(validate && { validate: async (request) => (await instance()).validate?.(request) }),
  };
}

function readPlugin(exports: ModuleExports, others: readonly OwnPlugin[]): OwnPlugin | undefined {
  const plugin = readOwnPlugin(exports['default'], others);
  return typeof plugin === 'string' ? undefined : plugin;
}
