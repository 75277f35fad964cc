import { resourceList } from './resource-list.ts';
import { always, inside, structDefaults } from './struct-defaults.ts';

/** The spec of a claim or of a claim template. Follows kubernetes pkg/apis/core/v1/defaults.go SetDefaults_PersistentVolumeClaimSpec. */
export const claimSpec = structDefaults({
  resources: inside(
    structDefaults({
      limits: inside(resourceList),
      requests: inside(resourceList),
    }),
  ),
  volumeMode: 'Filesystem',
});

/** Follows kubernetes pkg/apis/core/v1/defaults.go SetDefaults_PersistentVolumeClaim. */
export const persistentVolumeClaim = structDefaults({
  spec: inside(claimSpec),
  status: always(
    structDefaults({
      phase: 'Pending',
      capacity: inside(resourceList),
      allocatedResources: inside(resourceList),
    }),
  ),
});
