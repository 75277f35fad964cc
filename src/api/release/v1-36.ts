import bootstrapRbac from './v1.36/bootstrap-rbac.json' with { type: 'json' };
import columns from './v1.36/columns.json' with { type: 'json' };
import deprecations from './v1.36/deprecations.json' with { type: 'json' };
import featureGates from './v1.36/feature-gates.json' with { type: 'json' };
import resources from './v1.36/resources.json' with { type: 'json' };
import types from './v1.36/types.json' with { type: 'json' };
import type { ReleaseTables } from './release.ts';

export const v136: ReleaseTables = {
  types,
  resources,
  columns,
  bootstrapRbac,
  featureGates,
  deprecations,
};
