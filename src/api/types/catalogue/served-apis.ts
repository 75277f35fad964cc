import type { GroupVersionResource } from '../../../machinery/meta/gvk.ts';
import type { FeatureGates } from '../features/feature-gates.ts';
import { goBoolError, readGoBool } from '../../../machinery/go/strconv.ts';
import type { BuiltinTypes } from '../builtin-types.ts';

export type IsServed = (resource: GroupVersionResource & { readonly subresource?: string }) => boolean;

/** Stable versions. */
export const createDefaultIsServed =
  (isOn: FeatureGates['isOn']): IsServed =>
  (row) =>
    isStable(row.version) && isSwitchedOn(row, isOn);

export type ServedApis =
  | { readonly outcome: 'read'; readonly isServed: IsServed }
  /** Upstream's text: `unknown api groups nosuch.example.com/v1`. */
  | { readonly outcome: 'wrong'; readonly error: string };

/** Resources behind a feature gate. Follows kubernetes pkg/registry/…/rest/storage_….go. */
const gates: ReadonlyMap<string, string> = new Map([
  ['certificates.k8s.io/clustertrustbundles', 'ClusterTrustBundle'],
  ['certificates.k8s.io/podcertificaterequests', 'PodCertificateRequest'],
  ['/pods/resize', 'InPlacePodVerticalScaling'],
  ['scheduling.k8s.io/podgroups', 'GenericWorkload'],
  ['scheduling.k8s.io/workloads', 'GenericWorkload'],
  ['storagemigration.k8s.io/storageversionmigrations', 'StorageVersionMigrator'],
]);

function isSwitchedOn(
  { group, resource, subresource = '' }: Parameters<IsServed>[0],
  isOn: FeatureGates['isOn'],
): boolean {
  const gate = gates.get(`${group}/${resource}`) ?? gates.get(`${group}/${resource}/${subresource}`);
  return gate === undefined || isOn(gate);
}

/**
 * Applies `--runtime-config` and `--feature-gates`. Follows apiserver pkg/server/options/api_enablement.go,
 * pkg/server/resourceconfig/helpers.go and kubernetes pkg/controlplane/instance.go.
 */
export function readServedApis(
  { registeredVersions }: Pick<BuiltinTypes, 'registeredVersions'>,
  texts: readonly string[],
  features: FeatureGates,
): ServedApis {
  const settings = parseSettings(texts);
  const error = findUnknownGroups(settings, registeredVersions);
  if (error !== undefined) return { outcome: 'wrong', error };
  const switches = readSwitches(settings, registeredVersions);
  if (switches.outcome === 'wrong') return switches;
  const { versions, resources } = switches;
  const byPattern = (version: string): boolean =>
    patterns.reduce(
      (on, [name, pattern]) => (pattern.test(version) ? (versions.get(name) ?? on) : on),
      isStable(version),
    );
  return {
    outcome: 'read',
    isServed: (row) => {
      const { group, version, resource } = row;
      if (!isSwitchedOn(row, features.isOn)) return false;
      const path = `${group}/${version}`;
      return resources.get(`${path}/${resource}`) ?? versions.get(path) ?? byPattern(version);
    },
  };
}

const isStable = (version: string): boolean => /^v\d+$/.test(version);

/** Later patterns take precedence. */
const patterns: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['api/all', /^/],
  ['api/ga', /^v\d+$/],
  ['api/beta', /^v\d+beta\d+$/],
  ['api/alpha', /^v\d+alpha\d+$/],
];
const patternNames: ReadonlySet<string> = new Set(patterns.map(([name]) => name));

/** `a=true,b`, of all occurrences of the flag. Follows component-base cli/flag/configuration_map.go. */
function parseSettings(texts: readonly string[]): ReadonlyMap<string, string> {
  const pairs = texts.flatMap((text) => text.split(',')).filter((pair) => pair !== '');
  return new Map(
    pairs.map((pair) => {
      const at = pair.indexOf('=');
      return at < 0 ? [normalizeKey(pair), ''] : [normalizeKey(pair.slice(0, at)), pair.slice(at + 1).trim()];
    }),
  );
}

/** `v1` alone is the core group. Follows apiserver pkg/server/resourceconfig/helpers.go. */
const normalizeKey = (text: string): string => (text.trim() === 'v1' ? '/v1' : text.trim());

function findUnknownGroups(
  settings: ReadonlyMap<string, string>,
  registeredVersions: ReadonlySet<string>,
): string | undefined {
  if (settings.size === 1 && settings.get('api/all') === 'false') {
    return 'invalid runtime-config with only api/all=false';
  }
  const keys = [...settings.keys()].filter((key) => !patternNames.has(key));
  const unreadable = keys.find((key) => ![2, 3].includes(key.split('/').length));
  if (unreadable !== undefined) return `runtime-config invalid key ${unreadable}`;
  const groups = new Set([...registeredVersions].map((path) => path.split('/')[0]));
  const unknown = keys.filter((key) => !groups.has(key.split('/')[0])).map(formatGroupVersion);
  return unknown.length === 0 ? undefined : `unknown api groups ${[...new Set(unknown)].toSorted().join(',')}`;
}

/** Go prints the core group without a name. */
const formatGroupVersion = (key: string): string => key.split('/').slice(0, 2).join('/').replace(/^\//, '');

type Switches =
  | {
      readonly outcome: 'read';
      /** By `api/beta` or `group/version`. */
      readonly versions: ReadonlyMap<string, boolean>;
      /** By `group/version/resource`. */
      readonly resources: ReadonlyMap<string, boolean>;
    }
  | { readonly outcome: 'wrong'; readonly error: string };

function readSwitches(settings: ReadonlyMap<string, string>, registeredVersions: ReadonlySet<string>): Switches {
  const versions = new Map<string, boolean>();
  const resources = new Map<string, boolean>();
  for (const [key, value] of settings) {
    if (patternNames.has(key)) {
      if (value !== 'true' && value !== 'false') return { outcome: 'wrong', error: `invalid value ${key}=${value}` };
      versions.set(key, value === 'true');
      continue;
    }
    const error = findKeyProblem(key, registeredVersions);
    if (error !== undefined) return { outcome: 'wrong', error };
    const enabled = value === '' ? true : readGoBool(value);
    if (enabled === undefined) {
      return { outcome: 'wrong', error: `invalid value of ${key}: ${value}, err: ${goBoolError(value)}` };
    }
    (key.split('/').length === 3 ? resources : versions).set(key, enabled);
  }
  return { outcome: 'read', versions, resources };
}

function findKeyProblem(key: string, registeredVersions: ReadonlySet<string>): string | undefined {
  const [group = '', version = '', resource = ''] = key.split('/');
  if (!registeredVersions.has(`${group}/${version}`)) {
    return `group version ${formatGroupVersion(key)} that has not been registered`;
  }
  if (resource === resource.toLowerCase()) return undefined;
  return `invalid key ${key}: group/version/resource and resource is always lowercase plural, not ${JSON.stringify(resource)}`;
}
