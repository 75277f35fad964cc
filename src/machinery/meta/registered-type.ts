const optionKinds = ['CreateOptions', 'DeleteOptions', 'GetOptions', 'ListOptions', 'PatchOptions', 'UpdateOptions'];
const inEveryVersion = [...optionKinds, 'WatchEvent'];
/** These are there in every version. Follows apimachinery pkg/runtime/scheme.go New. */
const unversionedKinds = ['Status', 'APIVersions', 'APIGroup', 'APIGroupList', 'APIResourceList'];

/**
 * The Go type of a kind that is known to a scheme of one group in its versions v1 and v1beta1; '' for any other.
 * Follows apimachinery pkg/apis/meta/v1/register.go AddToGroupVersion.
 */
export function registeredType(kind: string, apiVersion: string, group: string, kinds: readonly string[]): string {
  const version = [`${group}/v1`, `${group}/v1beta1`].includes(apiVersion) ? apiVersion.slice(group.length + 1) : '';
  if (version !== '' && kinds.includes(kind)) return `${version}.${kind}`;
  if (version !== '' && inEveryVersion.includes(kind)) return `v1.${kind}`;
  return unversionedKinds.includes(kind) ? `v1.${kind}` : '';
}
