import { metadataOf } from '../../machinery/meta/object.ts';
import type { LiveCatalogue } from '../../api/types/catalogue/create-catalogue.ts';
import type { ClusterCache } from '../storage/cluster-cache.ts';
import { definitionResource } from './definition.ts';
import type { LazyEngine } from './engine.ts';
import { rowsOf } from './rows.ts';

/** Serves existing definitions of an older cluster; loads the engine. */
export async function serveDefinitions(
  cluster: ClusterCache,
  catalogue: LiveCatalogue,
  engine: LazyEngine,
): Promise<void> {
  await engine.load();
  for (const definition of cluster.list(definitionResource)) {
    const rows = rowsOf(definition, engine.get());
    if (rows.length > 0) catalogue.put(metadataOf(definition).name ?? '', rows);
  }
}

/** Keeps the catalogue in step with stored definitions, before the next request. */
export function followDefinitions(cluster: ClusterCache, catalogue: LiveCatalogue, engine: LazyEngine): void {
  cluster.watch(definitionResource, cluster.revision(), ({ type, object }) => {
    const { name = '' } = metadataOf(object);
    const rows = type === 'removed' ? [] : rowsOf(object, engine.get());
    if (rows.length === 0) catalogue.remove(name);
    else catalogue.put(name, rows);
  });
}
