import { formatTime } from '../../machinery/meta/time.ts';
import { bootstrapRbac } from '../../apiserver/auth/bootstrap-rbac.ts';
import { apiServiceSeeds } from '../../controllers/api-service.ts';
import { flowSeeds } from '../../controllers/flow-control/bootstrap.ts';
import { clusterSeeds, rbacSeeds, serviceAddressSeeds } from '../../controllers/seed-objects.ts';
import type { Seed } from '../../controllers/seed-objects.ts';
import { firstHost } from '../../api/strategy/address-ranges.ts';
import type { Ground } from './ground.ts';

/** What a fresh server over this ground has before anybody asks for something; `now` in ms since 1970, `range` of Services. */
export const firstSeeds = (
  { release, catalogue }: Pick<Ground, 'release' | 'catalogue'>,
  now: number,
  range: string,
): readonly Seed[] => [
  ...clusterSeeds,
  ...rbacSeeds(bootstrapRbac(release.bootstrapRbac)),
  ...apiServiceSeeds(catalogue.all(), now),
  ...flowSeeds(formatTime(now)),
  ...(catalogue.find(ipAddresses, '') ? serviceAddressSeeds(range, firstHost(range), formatTime(now)) : []),
];

const ipAddresses = { group: 'networking.k8s.io', version: 'v1', resource: 'ipaddresses' };
