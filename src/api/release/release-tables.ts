import type { JsonObject } from '../../machinery/json/json.ts';
import type { CompactGroup } from '../types/catalogue/builtin-rows.ts';
import type { ColumnDefinition } from './columns.ts';
import type { TypeTables } from '../types/builtin-types.ts';

/** What differs from one release of Kubernetes to the next, as data. */
export interface ReleaseTables {
  readonly types: TypeTables;
  /** In discovery order. */
  readonly resources: readonly CompactGroup[];
  /** Of tables, by `group/version/resource`. */
  readonly columns: Readonly<Record<string, readonly ColumnDefinition[]>>;
  /** The roles and bindings of a fresh server: `clusterroles`, `clusterrolebindings`, `roles`, `rolebindings`. */
  readonly bootstrapRbac: JsonObject;
  /** `beta on SomeOtherGate`, by name. */
  readonly featureGates: Readonly<Record<string, string>>;
  /** What every request for a deprecated resource is warned of, by `group/version/resource`. */
  readonly deprecations: Readonly<Record<string, string>>;
}
