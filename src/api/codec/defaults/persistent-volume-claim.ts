import { resourceList } from './resource-list.ts';
import { always, inside, structDefaults } from './struct-defaults.ts';
import type {
  PersistentVolumeClaim,
  PersistentVolumeClaimSpec,
  PersistentVolumeClaimStatus,
  VolumeResourceRequirements,
} from '../../types/generated/core-v1.ts';

/** Follows kubernetes pkg/apis/core/v1/defaults.go SetDefaults_PersistentVolumeClaimSpec. */
export const claimSpec = structDefaults<PersistentVolumeClaimSpec>({
  resources: inside(
    structDefaults<VolumeResourceRequirements>({
      limits: inside(resourceList),
      requests: inside(resourceList),
    }),
  ),
  volumeMode: 'Filesystem',
});

/** Follows kubernetes pkg/apis/core/v1/defaults.go SetDefaults_PersistentVolumeClaim. */
export const persistentVolumeClaim = structDefaults<Partial<PersistentVolumeClaim>>({
  spec: inside(claimSpec),
  status: always(
    structDefaults<PersistentVolumeClaimStatus>({
      phase: 'Pending',
      capacity: inside(resourceList),
      allocatedResources: inside(resourceList),
    }),
  ),
});
