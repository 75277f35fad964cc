import { networkInterfaces } from 'node:os';
import { firstAddress } from '../../adapters/certificates/serving-names.ts';
import type { ServerConfig } from '../../adapters/config/server-config.ts';
import {
  advertisedAddress,
  kubernetesEndpoints,
  kubernetesService,
  renewSeed,
} from '../../controllers/seed-objects.ts';
import type { Storage } from '../../apiserver/storage/storage.ts';
import { clock, newUid } from './clock.ts';

/** Stores the Service `kubernetes` and its endpoints. */
export async function storeOwnService(
  storage: Storage,
  { bindAddress, serviceClusterIpRange }: ServerConfig,
  port: number,
): Promise<void> {
  const addresses = Object.values(networkInterfaces()).flatMap((some) => some ?? []);
  const address = advertisedAddress(bindAddress, addresses);
  const seeds = [
    kubernetesService(firstAddress(serviceClusterIpRange), port),
    ...(address === undefined ? [] : kubernetesEndpoints(address, port)),
  ];
  for (const seed of seeds) await renewSeed(storage, seed, { newUid, now: clock.now() });
}
