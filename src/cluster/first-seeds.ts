import { bootstrapRbac } from '../auth/bootstrap-rbac.ts';
import { apiServiceSeeds } from '../controllers/api-service.ts';
import { clusterSeeds, rbacSeeds } from '../controllers/seed-objects.ts';
import type { Seed } from '../controllers/seed-objects.ts';
import type { Ground } from './ground.ts';

/** What a fresh server over this ground has before anybody asks for something; `now` in ms since 1970. */
export const firstSeeds = (
  { release, catalogue }: Pick<Ground, 'release' | 'catalogue'>,
  now: number,
): readonly Seed[] => [
  ...clusterSeeds,
  ...rbacSeeds(bootstrapRbac(release.bootstrapRbac)),
  ...apiServiceSeeds(catalogue.all(), now),
];
