import bootstrapRbac from './newest/bootstrap-rbac.json' with { type: 'json' };
import columns from './newest/columns.json' with { type: 'json' };
import deprecations from './newest/deprecations.json' with { type: 'json' };
import featureGates from './newest/feature-gates.json' with { type: 'json' };
import resources from './newest/resources.json' with { type: 'json' };
import types from './newest/types.json' with { type: 'json' };
import type { ReleaseTables } from './release.ts';

/** The tables of Kubernetes v1.37.2. */
export const newestTables: ReleaseTables = {
  types,
  resources,
  columns,
  bootstrapRbac,
  featureGates,
  deprecations,
};
