import { resourceList } from './resource-list.ts';
import { always, inside, structDefaults } from './struct-defaults.ts';

/** The spec of a claim or of a claim template. Follows kubernetes pkg/apis/core/v1/defaults.go SetDefaults_PersistentVolumeClaimSpec. */
export const claimSpec = structDefaults('core.v1.PersistentVolumeClaimSpec', {
  resources: inside(
    structDefaults('core.v1.VolumeResourceRequirements', {
      limits: inside(resourceList),
      requests: inside(resourceList),
    }),
  ),
  volumeMode: 'Filesystem',
});

/** Follows kubernetes pkg/apis/core/v1/defaults.go SetDefaults_PersistentVolumeClaim. */
export const persistentVolumeClaim = structDefaults('core.v1.PersistentVolumeClaim', {
  spec: inside(claimSpec),
  status: always(
    structDefaults('core.v1.PersistentVolumeClaimStatus', {
      phase: 'Pending',
      capacity: inside(resourceList),
      allocatedResources: inside(resourceList),
    }),
  ),
});
