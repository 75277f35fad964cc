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

/** Where a version of a group is served: `/api/v1`, `/apis/apps/v1`. */
export const groupVersionPath = ({ group, version }: GroupVersion): string =>
  group === '' ? `/api/${version}` : `/apis/${group}/${version}`;

/** `/apis/apps/v1/namespaces/shop/deployments` */
export const collectionPath = (
  { resource, namespaced, ...served }: GroupVersionResource & { readonly namespaced: boolean },
  namespace = 'default',
): string =>
  `${groupVersionPath(served)}${namespaced ? `/namespaces/${encodeURIComponent(namespace)}` : ''}/${resource}`;

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
/** Registered in every version. Follows apimachinery pkg/runtime/scheme.go New. */
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

/**
 * Which of two versions of an API is newer: above 0 if it is the first. GA before beta before alpha, then by number;
 * names that are not versions come last, in alphabetical order. Follows apimachinery pkg/version/helpers.go.
 */
export const compareVersionNames = (a: string, b: string): number =>
  compareParsed(a, parseVersion(a), b, parseVersion(b));

/** Names in this order; each is read once. */
export const newestFirst = (names: Iterable<string>): readonly string[] =>
  Array.from(names, (name) => ({ name, version: parseVersion(name) }))
    .toSorted((a, b) => compareParsed(b.name, b.version, a.name, a.version))
    .map(({ name }) => name);

function compareParsed(a: string, first: Version | undefined, b: string, second: Version | undefined): number {
  if (a === b) return 0;
  if (!first && !second) return a < b ? 1 : -1;
  if (!first) return -1;
  if (!second) return 1;
  return first.stage - second.stage || first.major - second.major || first.minor - second.minor;
}

interface Version {
  readonly major: number;
  /** 2 for GA, 1 for beta, 0 for alpha. */
  readonly stage: number;
  readonly minor: number;
}

const stages: Readonly<Record<string, number>> = { alpha: 0, beta: 1 };

function parseVersion(name: string): Version | undefined {
  const match = /^v([1-9]\d*)(?:(alpha|beta)([1-9]\d*))?$/.exec(name);
  if (!match) return undefined;
  const [, major = '', stage = '', minor = '0'] = match;
  return { major: Number(major), stage: stages[stage] ?? 2, minor: Number(minor) };
}
