import type { GroupVersionResource } from '../../apimachinery/gvk.ts';

/** The version since when, and what to use instead. Follows k8s.io/api zz_generated.prerelease-lifecycle.go. */
const deprecated: ReadonlyMap<string, string> = new Map([
  ['/v1/endpoints', 'v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice'],
  ['/v1/componentstatuses', 'v1 ComponentStatus is deprecated in v1.19+'],
]);

/** What every request for a deprecated resource is warned of. Follows apiserver pkg/endpoints/deprecation/deprecation.go. */
export const deprecationOf = ({ group, version, resource }: GroupVersionResource): string | undefined =>
  deprecated.get(`${group}/${version}/${resource}`);
