import type { OwnPlugin } from '../../apiserver/admission/chain/own-plugin.ts';
import { ConfigError } from '../../adapters/config/config-error.ts';
import { loadPlugin } from '../../testing/stubs/load-plugin.ts';

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
