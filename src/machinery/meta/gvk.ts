export interface GroupVersion {
  readonly group: string;
  readonly version: string;
}

export interface GroupVersionKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

export interface GroupVersionResource {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
}

export interface GroupResource {
  readonly group: string;
  readonly resource: string;
}

/** `v1` for the core group, `apps/v1` otherwise: the apiVersion of an object. */
export const apiVersionOf = ({ group, version }: GroupVersion): string =>
  group === '' ? version : `${group}/${version}`;

/** The group and version in an apiVersion; `a/b/c` keeps everything after the first slash as the version. */
export function parseApiVersion(apiVersion: string): GroupVersion {
  const slash = apiVersion.indexOf('/');
  if (slash < 0) return { group: '', version: apiVersion };
  return { group: apiVersion.slice(0, slash), version: apiVersion.slice(slash + 1) };
}

/** `pods`, or `deployments.apps` outside the core group. Follows apimachinery pkg/runtime/schema GroupResource.String. */
export const groupResourceText = ({ group, resource }: GroupResource): string =>
  group === '' ? resource : `${resource}.${group}`;

/** `Pod`, or `Deployment.apps` outside the core group. Follows apimachinery pkg/runtime/schema GroupKind.String. */
export const groupKindText = ({ group, kind }: { readonly group: string; readonly kind: string }): string =>
  group === '' ? kind : `${kind}.${group}`;

/** `apps/v1, Kind=Deployment`. Follows apimachinery pkg/runtime/schema GroupVersionKind.String. */
export const gvkText = ({ group, version, kind }: GroupVersionKind): string => `${group}/${version}, Kind=${kind}`;

export const sameGvk = (a: GroupVersionKind, b: GroupVersionKind): boolean =>
  a.group === b.group && a.version === b.version && a.kind === b.kind;

export const sameGvr = (a: GroupVersionResource, b: GroupVersionResource): boolean =>
  a.group === b.group && a.version === b.version && a.resource === b.resource;

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
