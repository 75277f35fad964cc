import { loadPlugin, type PluginScript } from '../../stubs/load-plugin.ts';
import { existingFile } from './files.ts';
import type { Located } from './located.ts';
import type { ScenarioReader } from './problems.ts';

/** A file or a list of files. Loading a plugin runs it. */
export async function readPlugins(at: Located | undefined, reading: ScenarioReader): Promise<readonly PluginScript[]> {
  const plugins: PluginScript[] = [];
  for (const item of at === undefined || Array.isArray(at.value) ? (at?.items() ?? []) : [at]) {
    const file = existingFile(item, reading);
    if (file === undefined) continue;
    if (reading.needsScript) {
      reading.needsScript();
      continue;
    }
    const others = plugins.map(({ plugin }) => plugin);
    const loading = await loadPlugin(file, others);
    if (loading.outcome === 'loaded') plugins.push(loading);
    else reading.problems.at(item, loading.error);
  }
  return plugins;
}
