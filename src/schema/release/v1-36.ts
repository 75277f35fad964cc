import bootstrapRbac from './v1.36/bootstrap-rbac.json' with { type: 'json' };
import columns from './v1.36/columns.json' with { type: 'json' };
import featureGates from './v1.36/feature-gates.json' with { type: 'json' };
import resources from './v1.36/resources.json' with { type: 'json' };
import types from './v1.36/types.json' with { type: 'json' };
import type { ReleaseTables } from './release-tables.ts';

/** The tables of Kubernetes v1.36.2. */
export const v136: ReleaseTables = {
  types,
  resources,
  columns,
  bootstrapRbac,
  featureGates,
  // Follows k8s.io/api zz_generated.prerelease-lifecycle.go.
  deprecations: {
    '/v1/endpoints': 'v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice',
    '/v1/componentstatuses': 'v1 ComponentStatus is deprecated in v1.19+',
  },
};
