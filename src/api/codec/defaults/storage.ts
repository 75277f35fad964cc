import {
  always,
  both,
  type Defaulter,
  defaultEach,
  inside,
  defaultResourceList,
  structDefaults,
  unlessZero,
} from './struct-defaults.ts';
import type * as core from '../../types/generated/core-v1.ts';
import type { CSIDriver, CSIDriverSpec, StorageClass } from '../../types/generated/storage-v1.ts';
import { asString } from '../../../machinery/json/json.ts';
import { objectFieldSelector, pullPolicyOf } from './container.ts';

/** Follows kubernetes pkg/apis/core/v1/defaults.go SetDefaults_PersistentVolumeClaimSpec. */
export const claimSpec = structDefaults<core.PersistentVolumeClaimSpec>({
  resources: inside(
    structDefaults<core.VolumeResourceRequirements>({
      limits: inside(defaultResourceList),
      requests: inside(defaultResourceList),
    }),
  ),
  volumeMode: 'Filesystem',
});

/** Follows kubernetes pkg/apis/core/v1/defaults.go SetDefaults_PersistentVolumeClaim. */
export const persistentVolumeClaim = structDefaults<Partial<core.PersistentVolumeClaim>>({
  spec: inside(claimSpec),
  status: always(
    structDefaults<core.PersistentVolumeClaimStatus>({
      phase: 'Pending',
      capacity: inside(defaultResourceList),
      allocatedResources: inside(defaultResourceList),
    }),
  ),
});

/** 0644 */
const defaultMode = 420;

const downwardAPIFile = structDefaults<core.DownwardAPIVolumeFile>({
  fieldRef: inside(objectFieldSelector),
  resourceFieldRef: inside(structDefaults<core.ResourceFieldSelector>({ divisor: '0' })),
});

const projection = structDefaults<core.VolumeProjection>({
  downwardAPI: inside(structDefaults<core.DownwardAPIProjection>({ items: defaultEach(downwardAPIFile) })),
  serviceAccountToken: inside(structDefaults<core.ServiceAccountTokenProjection>({ expirationSeconds: 3600 })),
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

const claimTemplate = structDefaults<core.PersistentVolumeClaimTemplate>({ spec: inside(claimSpec) });

const source = structDefaults<core.Volume>({
  hostPath: inside(hostPath),
  secret: inside(structDefaults<core.SecretVolumeSource>({ defaultMode })),
  iscsi: inside(structDefaults<core.ISCSIVolumeSource>(iscsiDefaults)),
  rbd: inside(structDefaults<core.RBDVolumeSource>(rbdDefaults)),
  downwardAPI: inside(
    structDefaults<core.DownwardAPIVolumeSource>({ items: defaultEach(downwardAPIFile), defaultMode }),
  ),
  configMap: inside(structDefaults<core.ConfigMapVolumeSource>({ defaultMode })),
  azureDisk: inside(azureDisk),
  projected: inside(structDefaults<core.ProjectedVolumeSource>({ sources: defaultEach(projection), defaultMode })),
  scaleIO: inside(structDefaults<core.ScaleIOVolumeSource>(scaleIODefaults)),
  ephemeral: inside(structDefaults<core.EphemeralVolumeSource>({ volumeClaimTemplate: inside(claimTemplate) })),
  image: inside(
    structDefaults<core.ImageVolumeSource>({
      pullPolicy: (value, { reference }) => value ?? pullPolicyOf(asString(reference)),
    }),
  ),
});

const emptyDir: Defaulter<core.Volume> = (volume) =>
  Object.keys(volume).every((field) => field === 'name') ? { ...volume, emptyDir: {} } : volume;

/** A volume without a source is an emptyDir. Follows kubernetes pkg/apis/core/v1/defaults.go SetDefaults_Volume. */
export const volume = both(emptyDir, source);

/** Follows kubernetes pkg/apis/core/v1/defaults.go SetDefaults_PersistentVolume. */
export const persistentVolume = structDefaults<core.PersistentVolume>({
  spec: always(
    structDefaults<core.PersistentVolumeSpec>({
      capacity: inside(defaultResourceList),
      hostPath: inside(hostPath),
      rbd: inside(structDefaults<core.RBDPersistentVolumeSource>(rbdDefaults)),
      iscsi: inside(structDefaults<core.ISCSIPersistentVolumeSource>(iscsiDefaults)),
      azureDisk: inside(azureDisk),
      scaleIO: inside(structDefaults<core.ScaleIOPersistentVolumeSource>(scaleIODefaults)),
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
