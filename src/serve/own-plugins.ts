import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { admissionPlugins } from '../admission/builtin/plugin-order.ts';
import type { OwnPlugin } from '../admission/own-plugin.ts';
import { errorText } from '../apimachinery/error-text.ts';
import { ConfigError } from '../config/config-error.ts';

/** The plugins that the modules of `--plugin` export. Throws ConfigError, which says what is wrong with which file. */
export const loadOwnPlugins = (files: readonly string[]): Promise<readonly OwnPlugin[]> =>
  Promise.all(files.map(loadOwnPlugin));

async function loadOwnPlugin(file: string): Promise<OwnPlugin> {
  const wrong = (problem: string): never => {
    throw new ConfigError(`--plugin ${file}: ${problem}`);
  };
  const imported: Promise<{ readonly default?: unknown }> = import(pathToFileURL(resolve(file)).href);
  const module = await imported.catch((error: unknown) => wrong(errorText(error)));
  const plugin = module.default;
  if (!isOwnPlugin(plugin))
    return wrong('export default { name, mutate(request) {…} } or { name, validate(request) {…} }');
  if (admissionPlugins.inOrder.includes(plugin.name)) return wrong(`there is a plugin ${plugin.name} already`);
  const anchor = plugin.before ?? plugin.after;
  if (anchor === undefined || admissionPlugins.inOrder.includes(anchor)) return plugin;
  return wrong(`there is no plugin ${anchor} to run ${plugin.before === undefined ? 'after' : 'before'}`);
}

const isOwnPlugin = (value: unknown): value is OwnPlugin =>
  typeof value === 'object' &&
  value !== null &&
  'name' in value &&
  typeof value.name === 'string' &&
  (isFunctionIn(value, 'mutate') || isFunctionIn(value, 'validate'));

const isFunctionIn = (value: object, name: string): boolean =>
  Object.entries(value).some(([key, one]) => key === name && typeof one === 'function');
