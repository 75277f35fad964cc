import { resourceList } from './resource-list.ts';
import { always, inside, structDefaults, unlessZero } from './struct-defaults.ts';
import { azureDisk, hostPath, iscsiDefaults, rbdDefaults, scaleIODefaults } from './volume.ts';

/** Follows kubernetes pkg/apis/core/v1/defaults.go SetDefaults_PersistentVolume. */
export const persistentVolume = structDefaults('core.v1.PersistentVolume', {
  spec: always(
    structDefaults('core.v1.PersistentVolumeSpec', {
      capacity: inside(resourceList),
      hostPath: inside(hostPath),
      rbd: inside(structDefaults('core.v1.RBDPersistentVolumeSource', rbdDefaults)),
      iscsi: inside(structDefaults('core.v1.ISCSIPersistentVolumeSource', iscsiDefaults)),
      azureDisk: inside(azureDisk),
      scaleIO: inside(structDefaults('core.v1.ScaleIOPersistentVolumeSource', scaleIODefaults)),
      persistentVolumeReclaimPolicy: 'Retain',
      volumeMode: 'Filesystem',
    }),
  ),
  status: always(structDefaults('core.v1.PersistentVolumeStatus', { phase: 'Pending' })),
});

/** Follows kubernetes pkg/apis/storage/v1/defaults.go SetDefaults_StorageClass. */
export const storageClass = structDefaults('storage.v1.StorageClass', {
  reclaimPolicy: 'Delete',
  volumeBindingMode: 'Immediate',
});

/** Follows kubernetes pkg/apis/storage/v1/defaults.go SetDefaults_CSIDriver. */
export const csiDriver = structDefaults('storage.v1.CSIDriver', {
  spec: always(
    structDefaults('storage.v1.CSIDriverSpec', {
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
