import type { GroupVersion } from '../apimachinery/gvk.ts';
import { bootstrapRbac } from '../auth/bootstrap-rbac.ts';
import { apiServiceSeeds } from '../controllers/api-service.ts';
import { clusterSeeds, rbacSeeds } from '../controllers/seed-objects.ts';
import type { Seed } from '../controllers/seed-objects.ts';

/** What a fresh server that serves these versions has before anybody asks for something; `now` in ms since 1970. */
export const firstSeeds = (served: readonly GroupVersion[], now: number): readonly Seed[] => [
  ...clusterSeeds,
  ...rbacSeeds(bootstrapRbac()),
  ...apiServiceSeeds(served, now),
];
