import type { WorldSetup } from '../../testing/scenario/world.ts';
import { createSeededRandom, createSeededUids } from '../../testing/stubs/seeded-random.ts';
import type { ForkableClusterState } from '../compose/cluster-state.ts';
import { type InProcessConfig, createBase, type WorldPlatform } from '../compose/in-process.ts';
import { realTime, virtualStart, virtualTime } from './time.ts';

type BaseSetup = InProcessConfig & Pick<WorldSetup, 'clock'>;

/** Makes the fresh cluster of a setup once; callers fork it. */
export function createBases(
  platform: WorldPlatform,
  onBug: (error: unknown) => void,
): (setup: BaseSetup) => Promise<ForkableClusterState> {
  const bases = new Map<string, Promise<ForkableClusterState>>();
  return (setup) => {
    const { clock, controllers, nodes, authorizationMode } = setup;
    const { enableAdmissionPlugins, disableAdmissionPlugins, kubernetesVersion } = setup;
    const key = JSON.stringify([
      clock,
      controllers,
      nodes,
      authorizationMode,
      enableAdmissionPlugins,
      disableAdmissionPlugins,
      kubernetesVersion,
    ]);
    const base = bases.get(key) ?? createFreshBase(setup, platform, onBug);
    bases.set(key, base);
    return base;
  };
}

/** Virtual clusters are an hour old when their worlds start. */
const clusterAge = 60 * 60 * 1000;
/** Fixed: fresh clusters have the same uids in every world. */
const baseSeed = 0x6b61646d;

function createFreshBase(
  setup: BaseSetup,
  platform: WorldPlatform,
  onBug: (error: unknown) => void,
): Promise<ForkableClusterState> {
  const random = createSeededRandom(baseSeed);
  return createBase(
    { ...setup, ownPlugins: undefined },
    {
      ...(setup.clock === 'virtual' ? virtualTime(virtualStart - clusterAge, platform.nextIteration) : realTime),
      platform,
      random,
      newUid: createSeededUids(random),
      callWebhook: async () => ({ outcome: 'failed', phase: 'client', error: 'there are no webhooks yet' }),
      finished: () => {},
      onBug,
    },
  );
}
