import type { PluginScript } from '../../stubs/load-plugin.ts';
import type { Located } from './located.ts';
import type { ScenarioReader } from './problems.ts';

/** A file or a list of files. Loading a plugin runs it. */
export async function readPlugins(
  at: Located | undefined,
  { files, problems }: ScenarioReader,
): Promise<readonly PluginScript[]> {
  const plugins: PluginScript[] = [];
  for (const item of at === undefined || Array.isArray(at.value) ? (at?.items() ?? []) : [at]) {
    const file = files.find(item, problems);
    if (file === undefined) continue;
    const others = plugins.map(({ plugin }) => plugin);
    const loading = await files.loadPlugin(file, others);
    if (loading.outcome === 'loaded') plugins.push(loading);
    if (loading.outcome === 'unloadable') problems.at(item, loading.error);
  }
  return plugins;
}
