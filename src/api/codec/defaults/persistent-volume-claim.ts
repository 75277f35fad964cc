import { resourceList } from './resource-list.ts';
import { always, inside, structDefaults } from './struct-defaults.ts';
import type * as core from '../../types/generated/core-v1.ts';

/** Follows kubernetes pkg/apis/core/v1/defaults.go SetDefaults_PersistentVolumeClaimSpec. */
export const claimSpec = structDefaults<core.PersistentVolumeClaimSpec>({
  resources: inside(
    structDefaults<core.VolumeResourceRequirements>({
      limits: inside(resourceList),
      requests: inside(resourceList),
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
      capacity: inside(resourceList),
      allocatedResources: inside(resourceList),
    }),
  ),
});
