import {
  asList,
  asObject,
  isJsonObject,
  isList,
  type JsonObject,
  type JsonValue,
  valueAt,
} from '../../machinery/json/json.ts';
import { type KubernetesObject, mapFields } from '../../machinery/meta/object.ts';
import { containerLists } from '../validation/core/container-lists.ts';
import type { Strategy } from './strategy.ts';

/** `spec.template.spec` */
export const podSpecPaths: Readonly<Record<string, string>> = {
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

type FieldPath = readonly string[];

const isImage = (volume: JsonValue): boolean => asObject(volume)['image'] !== undefined;

const hasImageVolumes = (object: JsonObject, specPath: FieldPath): boolean =>
  asList(valueAt(object, ...specPath, 'volumes')).some(isImage);

/** Follows kubernetes pkg/api/pod/util.go dropImageVolumes. */
function dropImageVolumes(object: KubernetesObject, specPath: FieldPath): KubernetesObject {
  if (!hasImageVolumes(object, specPath)) return object;
  return { ...object, ...asObject(changeAtPath(object, specPath, dropImages)) };
}

function dropImages(spec: JsonObject): JsonObject {
  const volumes = asList(spec['volumes']);
  const gone = new Set(volumes.filter(isImage).map((volume) => asObject(volume)['name'] ?? ''));
  const lists = containerLists.filter((list) => spec[list] !== undefined);
  const unmountedLists = lists.map((list) => [list, asList(spec[list]).map((item) => dropMounts(item, gone))] as const);
  return withList(
    { ...spec, ...Object.fromEntries(unmountedLists) },
    'volumes',
    volumes.filter((volume) => !isImage(volume)),
  );
}

function dropMounts(container: JsonValue, gone: ReadonlySet<JsonValue>): JsonValue {
  const { volumeMounts } = asObject(container);
  if (volumeMounts === undefined) return container;
  const remaining = asList(volumeMounts).filter((mount) => !gone.has(asObject(mount)['name'] ?? ''));
  return withList(asObject(container), 'volumeMounts', remaining);
}

/** An empty list is omitted. */
function withList(object: JsonObject, field: string, list: readonly JsonValue[]): JsonObject {
  const { [field]: _before, ...rest } = object;
  return list.length === 0 ? rest : { ...object, [field]: list };
}

function changeAtPath(
  value: JsonValue,
  [field, ...rest]: FieldPath,
  change: (spec: JsonObject) => JsonObject,
): JsonValue {
  if (!isJsonObject(value)) return value;
  if (field === undefined) return change(value);
  const inner = value[field];
  return inner === undefined ? value : { ...value, [field]: changeAtPath(inner, rest, change) };
}

export type IsOn = (gate: string) => boolean;

/** `*` is every item of a list or map; `?` drops the parent if it becomes empty. */
type GatedField = readonly [gate: string, path: string, how?: DropOptions];

interface DropOptions {
  /** The replacement value. */
  readonly instead?: JsonValue;
  /** A value that stays. */
  readonly unless?: JsonValue;
  /** The first minor release that drops it; earlier ones reject it. */
  readonly from?: number;
}

const createContainerRows = (gate: string, field: string, how: DropOptions = {}): readonly GatedField[] =>
  containerLists.map((list): GatedField => [gate, `${list}.*.${field}`, how]);

const probes = ['livenessProbe', 'readinessProbe', 'startupProbe'];
const userGate = 'AtomicWriteVolumeUserFields';

/** Of a PodSpec. Follows kubernetes pkg/api/pod/util.go dropDisabledFields, from 1.33 to 1.37. */
const podRows: readonly GatedField[] = [
  ...createContainerRows('ContainerRestartRules', 'restartPolicyRules'),
  ['ContainerRestartRules', 'containers.*.restartPolicy', { from: 34 }],
  ['ContainerRestartRules', 'initContainers.*.restartPolicy', { from: 34, unless: 'Always' }],
  ...createContainerRows('VolumeBindMountOptions', 'volumeMounts.*.bindMountOptions'),
  ...probes.flatMap((probe) => [
    ...createContainerRows('H2CContainerProbe', `${probe}.httpGet.protocol`),
    ...createContainerRows('GRPCContainerProbeTLS', `${probe}.grpc.mode`),
  ]),
  ...['lifecycle.postStart', 'lifecycle.preStop'].flatMap((hook) =>
    createContainerRows('H2CContainerProbe', `${hook}.httpGet.protocol`),
  ),
  ['EmptyDirVolumeMode', 'volumes.*.emptyDir.mode'],
  ['EvictionRequestAPI', 'evictionResponders'],
  ...['secret', 'configMap', 'downwardAPI', 'projected'].map((source): GatedField => [
    userGate,
    `volumes.*.${source}.defaultUser`,
  ]),
  ...['secret', 'configMap', 'downwardAPI'].flatMap((source): readonly GatedField[] => [
    [userGate, `volumes.*.${source}.items.*.user`],
    [userGate, `volumes.*.projected.sources.*.${source}.items.*.user`],
  ]),
  ...['serviceAccountToken', 'clusterTrustBundle', 'podCertificate'].map((source): GatedField => [
    userGate,
    `volumes.*.projected.sources.*.${source}.user`,
  ]),
  ...createContainerRows('ContainerStopSignals', 'lifecycle?.stopSignal'),
  ...createContainerRows('EnvFiles', 'env.*.valueFrom.fileKeyRef'),
  ...createContainerRows('InPlacePodVerticalScaling', 'resizePolicy'),
  ...createContainerRows('ProcMountType', 'securityContext.procMount', { instead: 'Default' }),
  ['ClusterTrustBundleProjection', 'volumes.*.projected.sources.*.clusterTrustBundle'],
  ['DynamicResourceAllocation', 'resourceClaims'],
  ...createContainerRows('DynamicResourceAllocation', 'resources.claims'),
  ['GenericWorkload', 'schedulingGroup'],
  ['GenericWorkload', 'workloadRef'],
  ['HostnameOverride', 'hostnameOverride'],
  ['PodCertificateRequest', 'volumes.*.projected.sources.*.podCertificate'],
  ['PodLevelResources', 'resources'],
  ['SELinuxChangePolicy', 'securityContext.seLinuxChangePolicy'],
  ['SupplementalGroupsPolicy', 'securityContext.supplementalGroupsPolicy'],
  ['UserNamespacesSupport', 'hostUsers'],
];

/** Of a ResourceClaimSpec. Follows kubernetes pkg/api/resourceclaimspec/util.go. */
function createClaimRows(spec: string): readonly GatedField[] {
  const requests = `${spec}.devices.requests.*`;
  return [
    ['DRAConsumableCapacity', `${requests}.exactly.capacity`],
    ['DRAConsumableCapacity', `${requests}.firstAvailable.*.capacity`],
    ['DRADeviceTaints', `${requests}.exactly.tolerations`],
    ['DRADeviceTaints', `${requests}.firstAvailable.*.tolerations`],
    ['DRADerivedAttributes', `${requests}.exactly.derivedAttributes`],
    ['DRADerivedAttributes', `${requests}.firstAvailable.*.derivedAttributes`],
  ];
}

/** Follows the strategies in kubernetes pkg/registry. */
const otherRows: Readonly<Record<string, readonly GatedField[]>> = {
  '/persistentvolumeclaims': [
    ['VolumeAttributesClass', 'spec.volumeAttributesClassName'],
    ['CSIVolumeHealth', 'status.healthStatus'],
  ],
  '/pods': [
    ['CSIVolumeHealth', 'status.volumeHealth'],
    ['DRANodeAllocatableResources', 'status.nodeAllocatableResourceClaimStatuses'],
  ],
  '/persistentvolumes': [['VolumeAttributesClass', 'spec.volumeAttributesClassName']],
  'storage.k8s.io/csinodes': [['CSIVolumeHealth', 'status.storageHealth']],
  '/nodes': [['InPlacePodVerticalScalingSchedulerPreemption', 'spec.podPreemptionPolicy']],
  'batch/jobs': [['WorkloadWithJob', 'spec.scheduling']],
  'batch/cronjobs': [['WorkloadWithJob', 'spec.jobTemplate.spec.scheduling']],
  'apps/statefulsets': [['MaxUnavailableStatefulSet', 'spec.updateStrategy.rollingUpdate.maxUnavailable']],
  'autoscaling/horizontalpodautoscalers': [
    ['HPAConfigurableTolerance', 'spec.behavior.scaleUp.tolerance'],
    ['HPAConfigurableTolerance', 'spec.behavior.scaleDown.tolerance'],
  ],
  'resource.k8s.io/deviceclasses': [['DRAExtendedResource', 'spec.extendedResourceName']],
  'resource.k8s.io/resourceslices': [
    ...['bools', 'ints', 'strings', 'versions'].map((list): GatedField => [
      'DRAListTypeAttributes',
      `spec.devices.*.attributes.*.${list}`,
    ]),
    ['DRADeviceCompatibilityGroups', 'spec.devices.*.consumesCounters.*.compatibilityGroups'],
    ['DRANodeAllocatableResources', 'spec.devices.*.nodeAllocatableResources'],
    ['DRAOptionalNodeOperations', 'spec.skipNodeOperations'],
    ['DRAPartitionableDevicesType', 'spec.partitionTypeAttribute'],
  ],
  'resource.k8s.io/resourceclaims': [
    ...createClaimRows('spec'),
    ['DRAOptionalNodeOperations', 'status.allocation.devices.results.*.skipNodeOperations'],
  ],
  'resource.k8s.io/resourceclaimtemplates': createClaimRows('spec.spec'),
  'storage.k8s.io/csidrivers': [
    ['MutableCSINodeAllocatableCount', 'spec.nodeAllocatableUpdatePeriodSeconds'],
    ['CSIServiceAccountTokenSecrets', 'spec.serviceAccountTokenInSecrets'],
  ],
};

export const gatesOfGatedFields: readonly string[] = [
  'ImageVolume',
  ...[...podRows, ...Object.values(otherRows).flat()].map(([gate]) => gate),
];

export interface Features {
  readonly minor: number;
  readonly isOn: IsOn;
}

/** `since` is a feature gate, or the first minor release. */
export const isSince = ({ minor, isOn }: Features, since: string | number): boolean =>
  typeof since === 'number' ? minor >= since : isOn(since);

/** Drops fields of disabled features; an update keeps those that the old object uses anywhere. */
export function withoutDisabledFields(strategy: Strategy, resource: string, features: Features): Strategy {
  const off = listDisabledFields(resource, features);
  const specPath = podSpecPaths[resource];
  const withoutImages = specPath === undefined || features.isOn('ImageVolume') ? undefined : specPath.split('.');
  if (off.length === 0 && !withoutImages) return strategy;
  const drop = (object: KubernetesObject, old?: KubernetesObject): KubernetesObject => {
    const kept = off
      .filter(({ names }) => hasField(object, names) && !(old && hasField(old, names)))
      .reduce<KubernetesObject>(
        (current, { path, how }) => ({ ...current, ...asObject(dropField(current, path, how)) }),
        object,
      );
    return withoutImages && !(old && hasImageVolumes(old, withoutImages))
      ? dropImageVolumes(kept, withoutImages)
      : kept;
  };
  return {
    ...strategy,
    prepareForCreate: (object, context) => strategy.prepareForCreate(drop(object), context),
    prepareForUpdate: (object, old, subresource, context) =>
      strategy.prepareForUpdate(drop(object, old), old, subresource, context),
  };
}

interface DisabledField {
  readonly path: FieldPath;
  /** The path without `?`. */
  readonly names: FieldPath;
  readonly how: DropOptions;
}

function listDisabledFields(resource: string, { minor, isOn }: Features): readonly DisabledField[] {
  const root = podSpecPaths[resource];
  const ofSpec =
    root === undefined ? [] : podRows.map(([gate, path, how]): GatedField => [gate, `${root}.${path}`, how ?? {}]);
  const rows = [...ofSpec, ...(otherRows[resource] ?? [])];
  return rows
    .filter(([gate, , how]) => !isOn(gate) && minor >= (how?.from ?? 0))
    .map(([, path, how]) => ({
      path: path.split('.'),
      names: path.split('.').map(withoutQuestionMark),
      how: how ?? {},
    }));
}

function hasField(value: JsonValue | undefined, path: FieldPath, from = 0): boolean {
  const field = path[from];
  if (field === undefined) return value !== undefined;
  if (isList(value)) return field === '*' && value.some((item) => hasField(item, path, from + 1));
  if (!isJsonObject(value)) return false;
  if (field !== '*') return hasField(value[field], path, from + 1);
  return Object.values(value).some((item) => hasField(item, path, from + 1));
}

const withoutQuestionMark = (field: string): string => (field.endsWith('?') ? field.slice(0, -1) : field);

function dropField(value: JsonValue, [name = '', ...rest]: FieldPath, how: DropOptions): JsonValue {
  if (name === '*') return dropFieldInEach(value, rest, how);
  const field = withoutQuestionMark(name);
  if (!isJsonObject(value) || value[field] === undefined) return value;
  const left = rest.length > 0 ? dropField(value[field], rest, how) : replaceValue(value[field], how);
  const isNothing = name !== field && isJsonObject(left) && Object.keys(left).length === 0;
  if (left !== undefined && !isNothing) return { ...value, [field]: left };
  const { [field]: _dropped, ...others } = value;
  return others;
}

function dropFieldInEach(value: JsonValue, rest: FieldPath, how: DropOptions): JsonValue {
  if (isJsonObject(value)) return mapFields(Object.keys(value), (name) => dropField(value[name] ?? null, rest, how));
  return Array.isArray(value) ? value.map((item: JsonValue) => dropField(item, rest, how)) : value;
}

const replaceValue = (value: JsonValue, how: DropOptions): JsonValue | undefined =>
  how.unless !== undefined && value === how.unless ? value : how.instead;
