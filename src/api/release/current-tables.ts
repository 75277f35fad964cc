import bootstrapRbac from './current/bootstrap-rbac.json' with { type: 'json' };
import columns from './current/columns.json' with { type: 'json' };
import deprecations from './current/deprecations.json' with { type: 'json' };
import featureGates from './current/feature-gates.json' with { type: 'json' };
import resources from './current/resources.json' with { type: 'json' };
import types from './current/types.json' with { type: 'json' };
import type { ReleaseTables } from './release.ts';

/** The tables of Kubernetes v1.37.2. */
export const currentTables: ReleaseTables = {
  types,
  resources,
  columns,
  bootstrapRbac,
  featureGates,
  deprecations,
};
