import { createSeededRandom, createSeededUids } from '../../testing/stubs/seeded-random.ts';
import { type InProcessConfig, makeBase } from '../compose/in-process.ts';
import type { WorldSetup } from '../../testing/scenario/world.ts';
import type { ForkableClusterState } from '../compose/cluster-state.ts';
import { realTime, virtualStart, virtualTime } from './time.ts';

type BaseSetup = InProcessConfig & Pick<WorldSetup, 'clock'>;

/** Gives the fresh cluster of a setup, and the same one to all who ask for the same. It is for forking only. */
export function createBases(onBug: (error: unknown) => void): (setup: BaseSetup) => Promise<ForkableClusterState> {
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
    const base = bases.get(key) ?? freshBase(setup, onBug);
    bases.set(key, base);
    return base;
  };
}

/** Virtual clusters were made an hour before their worlds begin. */
const clusterAge = 60 * 60 * 1000;
/** The objects of a fresh cluster have the same uids in every world. */
const baseSeed = 0x6b61646d;

function freshBase(setup: BaseSetup, onBug: (error: unknown) => void): Promise<ForkableClusterState> {
  const random = createSeededRandom(baseSeed);
  return makeBase(
    { ...setup, ownPlugins: undefined },
    {
      ...(setup.clock === 'virtual' ? virtualTime(virtualStart - clusterAge) : realTime),
      random,
      newUid: createSeededUids(random),
      callWebhook: async () => ({ outcome: 'failed', phase: 'client', error: 'there are no webhooks yet' }),
      finished: () => {},
      onBug,
    },
  );
}
