import type { IsServed } from '../../api/types/catalogue/served-apis.ts';
import type { Release } from '../../api/release/release.ts';

/** What 1.36 does not serve any more, and still brings for those who emulate a release that does. */
const broughtAlong: ReadonlySet<string> = new Set([
  'admissionregistration.k8s.io/v1beta1/validatingadmissionpolicies',
  'admissionregistration.k8s.io/v1beta1/validatingadmissionpolicybindings',
]);

/**
 * Of what the emulated release serves, what the binary can: APIs whose code is gone are nobody's to emulate.
 * Follows apiserver pkg/server/deleted_kinds.go and kubernetes pkg/registry/GROUP/rest.
 */
export function whileEmulating(isServed: IsServed, binary: Release): IsServed {
  const { find } = binary.createCatalogue(() => true);
  return (row) =>
    isServed(row) &&
    (broughtAlong.has(`${row.group}/${row.version}/${row.resource}`) || find(row, row.subresource ?? '') !== undefined);
}
