import { resourceList } from './resource-list.ts';
import { always, inside, structDefaults, unlessZero } from './struct-defaults.ts';
import { azureDisk, hostPath, iscsiDefaults, rbdDefaults, scaleIODefaults } from './volume.ts';

/** Follows kubernetes pkg/apis/core/v1/defaults.go SetDefaults_PersistentVolume. */
export const persistentVolume = structDefaults({
  spec: always(
    structDefaults({
      capacity: inside(resourceList),
      hostPath: inside(hostPath),
      rbd: inside(structDefaults(rbdDefaults)),
      iscsi: inside(structDefaults(iscsiDefaults)),
      azureDisk: inside(azureDisk),
      scaleIO: inside(structDefaults(scaleIODefaults)),
      persistentVolumeReclaimPolicy: 'Retain',
      volumeMode: 'Filesystem',
    }),
  ),
  status: always(structDefaults({ phase: 'Pending' })),
});

/** Follows kubernetes pkg/apis/storage/v1/defaults.go SetDefaults_StorageClass. */
export const storageClass = structDefaults({
  reclaimPolicy: 'Delete',
  volumeBindingMode: 'Immediate',
});

/** Follows kubernetes pkg/apis/storage/v1/defaults.go SetDefaults_CSIDriver. */
export const csiDriver = structDefaults({
  spec: always(
    structDefaults({
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
