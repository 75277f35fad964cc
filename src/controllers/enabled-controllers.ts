/**
 * The implemented controllers by upstream's names, with their names before version 1.28, still accepted. Follows
 * cmd/kube-controller-manager/{names/controller_names,app/controllermanager}.go.
 */
const formerNames = {
  'serviceaccount-controller': 'serviceaccount',
  'root-ca-certificate-publisher-controller': 'root-ca-cert-publisher',
  'namespace-controller': 'namespace',
  'clusterrole-aggregation-controller': 'clusterrole-aggregation',
  'garbage-collector-controller': 'garbagecollector',
  'pod-garbage-collector-controller': 'podgc',
  'validatingadmissionpolicy-status-controller': 'validatingadmissionpolicy-status',
  'resourcequota-controller': 'resourcequota',
  'disruption-controller': 'disruption',
  'deployment-controller': 'deployment',
  'replicaset-controller': 'replicaset',
  'replicationcontroller-controller': 'replicationcontroller',
  'statefulset-controller': 'statefulset',
  'daemonset-controller': 'daemonset',
  'job-controller': 'job',
  'cronjob-controller': 'cronjob',
  'ttl-after-finished-controller': 'ttl-after-finished',
  'node-lifecycle-controller': 'nodelifecycle',
  'taint-eviction-controller': 'taint-eviction-controller',
  'endpointslice-controller': 'endpointslice',
  'endpointslice-mirroring-controller': 'endpointslicemirroring',
  'endpoints-controller': 'endpoint',
  'certificatesigningrequest-signing-controller': 'csrsigning',
  'persistentvolumeclaim-protection-controller': 'pvc-protection',
  'persistentvolume-protection-controller': 'pv-protection',
  'volumeattributesclass-protection-controller': 'volumeattributesclass-protection-controller',
} as const;

export type ControllerName = keyof typeof formerNames;

export const controllerNames = Object.keys(formerNames) as readonly ControllerName[]; // Their type is string.

export type EnabledControllers =
  | { readonly outcome: 'enabled'; readonly names: ReadonlySet<ControllerName> }
  | { readonly outcome: 'unknown'; readonly error: string };

/**
 * Evaluates `--controllers`: `*` all, a name this one, `-name` not this one; the first word about a controller wins
 * over `*`. Follows controller-manager/app/helper.go IsControllerEnabled.
 */
export function enabledControllers(flags: readonly string[]): EnabledControllers {
  const words = flags.map(canonical);
  const unknown = words.find((word) => word !== '*' && !isKnown(word.replace(/^-/, '')));
  if (unknown !== undefined) {
    return { outcome: 'unknown', error: `"${unknown.replace(/^-/, '')}" is not in the list of known controllers` };
  }
  return { outcome: 'enabled', names: new Set(controllerNames.filter((name) => isEnabled(name, words))) };
}

function isEnabled(name: ControllerName, words: readonly string[]): boolean {
  const first = words.find((word) => word === name || word === `-${name}`);
  return first === undefined ? words.includes('*') : first === name;
}

const isKnown = (name: string): boolean => controllerNames.some((known) => known === name);

function canonical(word: string): string {
  const sign = word.startsWith('-') ? '-' : '';
  const plain = word.slice(sign.length);
  return `${sign}${controllerNames.find((name) => formerNames[name] === plain) ?? plain}`;
}
