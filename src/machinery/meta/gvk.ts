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
