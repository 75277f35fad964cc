import { resourceList } from './resource-list.ts';
import { always, inside, structDefaults, unlessZero } from './struct-defaults.ts';
import { azureDisk, hostPath, iscsiDefaults, rbdDefaults, scaleIODefaults } from './volume.ts';
import type * as core from '../../types/generated/core-v1.ts';
import type { CSIDriver, CSIDriverSpec, StorageClass } from '../../types/generated/storage-v1.ts';

/** Follows kubernetes pkg/apis/core/v1/defaults.go SetDefaults_PersistentVolume. */
export const persistentVolume = structDefaults<core.PersistentVolume>({
  spec: always(
    structDefaults<core.PersistentVolumeSpec>({
      capacity: inside(resourceList),
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
