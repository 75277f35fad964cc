import {
  always,
  chainDefaults,
  type Defaulter,
  defaultEach,
  ifPresent,
  defaultResourceList,
  structDefaults,
  unlessZero,
} from './struct-defaults.ts';
import type * as core from '../../types/generated/core-v1.ts';
import type { CSIDriver, CSIDriverSpec, StorageClass } from '../../types/generated/storage-v1.ts';
import { asString } from '../../../machinery/json/json.ts';
import { objectFieldSelector, defaultPullPolicy } from './container.ts';

/** Follows kubernetes pkg/apis/core/v1/defaults.go SetDefaults_PersistentVolumeClaimSpec. */
export const claimSpec = structDefaults<core.PersistentVolumeClaimSpec>({
  resources: ifPresent(
    structDefaults<core.VolumeResourceRequirements>({
      limits: ifPresent(defaultResourceList),
      requests: ifPresent(defaultResourceList),
    }),
  ),
  volumeMode: 'Filesystem',
});

/** Follows kubernetes pkg/apis/core/v1/defaults.go SetDefaults_PersistentVolumeClaim. */
export const persistentVolumeClaim = structDefaults<Partial<core.PersistentVolumeClaim>>({
  spec: ifPresent(claimSpec),
  status: always(
    structDefaults<core.PersistentVolumeClaimStatus>({
      phase: 'Pending',
      capacity: ifPresent(defaultResourceList),
      allocatedResources: ifPresent(defaultResourceList),
    }),
  ),
});

/** 0644 */
const defaultMode = 420;

const downwardAPIFile = structDefaults<core.DownwardAPIVolumeFile>({
  fieldRef: ifPresent(objectFieldSelector),
  resourceFieldRef: ifPresent(structDefaults<core.ResourceFieldSelector>({ divisor: '0' })),
});

const projection = structDefaults<core.VolumeProjection>({
  downwardAPI: ifPresent(structDefaults<core.DownwardAPIProjection>({ items: defaultEach(downwardAPIFile) })),
  serviceAccountToken: ifPresent(structDefaults<core.ServiceAccountTokenProjection>({ expirationSeconds: 3600 })),
});

export const hostPath = structDefaults<core.HostPathVolumeSource>({ type: '' });

export const azureDisk = structDefaults<core.AzureDiskVolumeSource>({
  cachingMode: 'ReadWrite',
  fsType: 'ext4',
  readOnly: false,
  kind: 'Shared',
});
export const iscsiDefaults = { iscsiInterface: 'default' } as const;
export const rbdDefaults = { pool: 'rbd', user: 'admin', keyring: '/etc/ceph/keyring' } as const;
export const scaleIODefaults = { storageMode: 'ThinProvisioned', fsType: 'xfs' } as const;

const claimTemplate = structDefaults<core.PersistentVolumeClaimTemplate>({ spec: ifPresent(claimSpec) });

const source = structDefaults<core.Volume>({
  hostPath: ifPresent(hostPath),
  secret: ifPresent(structDefaults<core.SecretVolumeSource>({ defaultMode })),
  iscsi: ifPresent(structDefaults<core.ISCSIVolumeSource>(iscsiDefaults)),
  rbd: ifPresent(structDefaults<core.RBDVolumeSource>(rbdDefaults)),
  downwardAPI: ifPresent(
    structDefaults<core.DownwardAPIVolumeSource>({ items: defaultEach(downwardAPIFile), defaultMode }),
  ),
  configMap: ifPresent(structDefaults<core.ConfigMapVolumeSource>({ defaultMode })),
  azureDisk: ifPresent(azureDisk),
  projected: ifPresent(structDefaults<core.ProjectedVolumeSource>({ sources: defaultEach(projection), defaultMode })),
  scaleIO: ifPresent(structDefaults<core.ScaleIOVolumeSource>(scaleIODefaults)),
  ephemeral: ifPresent(structDefaults<core.EphemeralVolumeSource>({ volumeClaimTemplate: ifPresent(claimTemplate) })),
  image: ifPresent(
    structDefaults<core.ImageVolumeSource>({
      pullPolicy: (value, { reference }) => value ?? defaultPullPolicy(asString(reference)),
    }),
  ),
});

const defaultToEmptyDir: Defaulter<core.Volume> = (volume) =>
  Object.keys(volume).every((field) => field === 'name') ? { ...volume, emptyDir: {} } : volume;

/** A volume without a source is an emptyDir. Follows kubernetes pkg/apis/core/v1/defaults.go SetDefaults_Volume. */
export const volume = chainDefaults(defaultToEmptyDir, source);

/** Follows kubernetes pkg/apis/core/v1/defaults.go SetDefaults_PersistentVolume. */
export const persistentVolume = structDefaults<core.PersistentVolume>({
  spec: always(
    structDefaults<core.PersistentVolumeSpec>({
      capacity: ifPresent(defaultResourceList),
      hostPath: ifPresent(hostPath),
      rbd: ifPresent(structDefaults<core.RBDPersistentVolumeSource>(rbdDefaults)),
      iscsi: ifPresent(structDefaults<core.ISCSIPersistentVolumeSource>(iscsiDefaults)),
      azureDisk: ifPresent(azureDisk),
      scaleIO: ifPresent(structDefaults<core.ScaleIOPersistentVolumeSource>(scaleIODefaults)),
      persistentVolumeReclaimPolicy: 'Retain',
      volumeMode: 'Filesystem',
    }),
  ),
  status: always(structDefaults<core.PersistentVolumeStatus>({ phase: 'Pending' })),
});

/** Follows kubernetes pkg/apis/storage/v1/defaults.go SetDefaults_StorageClass. */
export const storageClass = structDefaults<StorageClass>({
  reclaimPolicy: 'Delete',
  volumeBindingMode: 'Immediate',
});

/** Follows kubernetes pkg/apis/storage/v1/defaults.go SetDefaults_CSIDriver. */
export const csiDriver = structDefaults<CSIDriver>({
  spec: always(
    structDefaults<CSIDriverSpec>({
      attachRequired: true,
      podInfoOnMount: false,
      volumeLifecycleModes: unlessZero(['Persistent']),
      storageCapacity: false,
      fsGroupPolicy: 'ReadWriteOnceWithFSType',
      requiresRepublish: false,
      seLinuxMount: false,
    }),
  ),
});
