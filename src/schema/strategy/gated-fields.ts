import { isJsonObject } from '../../apimachinery/json.ts';
import type { JsonValue } from '../../apimachinery/json.ts';
import type { KubernetesObject } from '../../apimachinery/object.ts';
import type { Strategy } from './strategy.ts';

/** Is this feature on in a release? */
export type IsOn = (gate: string) => boolean;

type FieldPath = readonly string[];
/** `*` stands for every item of a list. */
type Row = readonly [gate: string, path: string, instead?: JsonValue | undefined];

const eachContainer = (gate: string, field: string, instead?: JsonValue): readonly Row[] =>
  ['containers', 'initContainers', 'ephemeralContainers'].map((list) => [gate, `${list}.*.${field}`, instead] as const);

/** Of a PodSpec. Follows kubernetes pkg/api/pod/util.go, dropDisabledFields, from 1.32 to 1.36. */
const ofPods: readonly Row[] = [
  ...eachContainer('ContainerRestartRules', 'restartPolicyRules'),
  ['ContainerRestartRules', 'containers.*.restartPolicy'],
  ...eachContainer('ContainerStopSignals', 'lifecycle.stopSignal'),
  ...eachContainer('EnvFiles', 'env.*.valueFrom.fileKeyRef'),
  ...eachContainer('InPlacePodVerticalScaling', 'resizePolicy'),
  ...eachContainer('ProcMountType', 'securityContext.procMount', 'Default'),
  ['ClusterTrustBundleProjection', 'volumes.*.projected.sources.*.clusterTrustBundle'],
  ['GenericWorkload', 'schedulingGroup'],
  ['GenericWorkload', 'workloadRef'],
  ['HostnameOverride', 'hostnameOverride'],
  ['ImageVolume', 'volumes.*.image'],
  ['PodCertificateRequest', 'volumes.*.projected.sources.*.podCertificate'],
  ['PodLevelResources', 'resources'],
  ['SELinuxChangePolicy', 'securityContext.seLinuxChangePolicy'],
  ['SupplementalGroupsPolicy', 'securityContext.supplementalGroupsPolicy'],
  ['UserNamespacesSupport', 'hostUsers'],
];

const podsAt: Readonly<Record<string, string>> = {
  '/pods': 'spec',
  '/podtemplates': 'template.spec',
  'batch/cronjobs': 'spec.jobTemplate.spec.template.spec',
  ...Object.fromEntries(
    ['/replicationcontrollers', 'apps/daemonsets', 'apps/deployments', 'apps/replicasets', 'apps/statefulsets'].map(
      (resource) => [resource, 'spec.template.spec'],
    ),
  ),
  'batch/jobs': 'spec.template.spec',
};

/** Of other kinds. Follows the strategies in kubernetes pkg/registry. */
const ofOthers: Readonly<Record<string, readonly Row[]>> = {
  '/persistentvolumeclaims': [['VolumeAttributesClass', 'spec.volumeAttributesClassName']],
  '/persistentvolumes': [['VolumeAttributesClass', 'spec.volumeAttributesClassName']],
  'apps/statefulsets': [['MaxUnavailableStatefulSet', 'spec.updateStrategy.rollingUpdate.maxUnavailable']],
  'autoscaling/horizontalpodautoscalers': [
    ['HPAConfigurableTolerance', 'spec.behavior.scaleUp.tolerance'],
    ['HPAConfigurableTolerance', 'spec.behavior.scaleDown.tolerance'],
  ],
  'storage.k8s.io/csidrivers': [
    ['MutableCSINodeAllocatableCount', 'spec.nodeAllocatableUpdatePeriodSeconds'],
    ['CSIServiceAccountTokenSecrets', 'spec.serviceAccountTokenInSecrets'],
  ],
};

/** The gates that decide about fields. */
export const gatesOfFields: readonly string[] = [...ofPods, ...Object.values(ofOthers).flat()].map(([gate]) => gate);

/** The strategy without the fields of features that are off; an update keeps those that the old object has anywhere. */
export function withGatedFields(strategy: Strategy, resource: string, isOn: IsOn): Strategy {
  const off = pathsOff(resource, isOn);
  if (off.length === 0) return strategy;
  const drop = (object: KubernetesObject, old?: KubernetesObject): KubernetesObject =>
    off
      .filter(([path]) => has(object, path) && !(old && has(old, path)))
      .reduce<KubernetesObject>((so, [path, instead]) => ({ ...so, ...asFields(without(so, path, instead)) }), object);
  return {
    ...strategy,
    prepareForCreate: (object, context) => strategy.prepareForCreate(drop(object), context),
    prepareForUpdate: (object, old, subresource, context) =>
      strategy.prepareForUpdate(drop(object, old), old, subresource, context),
  };
}

/** The fields that are off, and what stands there instead. */
function pathsOff(resource: string, isOn: IsOn): readonly (readonly [FieldPath, JsonValue | undefined])[] {
  const root = podsAt[resource];
  const ofSpec =
    root === undefined ? [] : ofPods.map(([gate, path, instead]): Row => [gate, `${root}.${path}`, instead]);
  const rows = [...ofSpec, ...(ofOthers[resource] ?? [])];
  return rows.filter(([gate]) => !isOn(gate)).map(([, path, instead]) => [path.split('.'), instead]);
}

const asFields = (value: JsonValue): object => (isJsonObject(value) ? value : {});

function has(value: JsonValue | undefined, [field, ...rest]: FieldPath): boolean {
  if (field === undefined) return value !== undefined;
  if (field === '*') return Array.isArray(value) && value.some((item) => has(item, rest));
  return isJsonObject(value) && has(value[field], rest);
}

function without(value: JsonValue, [field = '', ...rest]: FieldPath, instead: JsonValue | undefined): JsonValue {
  if (field === '*') return Array.isArray(value) ? value.map((item: JsonValue) => without(item, rest, instead)) : value;
  if (!isJsonObject(value) || value[field] === undefined) return value;
  if (rest.length > 0) {
    const inner = without(value[field], rest, instead);
    const isEmptied = field === 'lifecycle' && isJsonObject(inner) && Object.keys(inner).length === 0;
    return { ...value, [field]: isEmptied ? undefined : inner };
  }
  if (instead !== undefined) return { ...value, [field]: instead };
  const { [field]: _dropped, ...others } = value;
  return others;
}
