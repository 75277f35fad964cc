import { metadataOf } from '../apimachinery/object.ts';
import type { LiveCatalogue } from '../schema/catalogue/create-catalogue.ts';
import type { ClusterCache } from '../store/cluster-cache.ts';
import { definitionResource } from './definition.ts';
import type { LazyEngine } from './engine.ts';
import { rowsOf } from './rows.ts';

/** Keeps the catalogue in step with the stored definitions: what is written counts for the very next request. */
export function followDefinitions(cluster: ClusterCache, catalogue: LiveCatalogue, engine: LazyEngine): void {
  cluster.watch(definitionResource, cluster.revision(), ({ type, object }) => {
    const { name = '' } = metadataOf(object);
    const rows = type === 'removed' ? [] : rowsOf(object, engine.get());
    if (rows.length === 0) catalogue.remove(name);
    else catalogue.put(name, rows);
  });
}
