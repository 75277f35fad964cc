import { issueCertificate } from './certs/issue-certificate.ts';
import { createSeededRandom, createSeededUids } from './faults/seeded-chance.ts';
import { createStubCertificates } from './faults/stub-certificates.ts';
import type { StubCertificates } from './faults/stub-certificates.ts';
import { forkGround, makeBase } from './in-process.ts';
import type { InProcessConfig } from './in-process.ts';
import { openWorld } from './open-world.ts';
import type { World, WorldSetup, Worlds } from './scenario/world.ts';
import type { Ground } from './world.ts';
import { realTime, virtualStart, virtualTime } from './world-time.ts';
import { answerOverTheWire } from './wire-webhooks.ts';
import { answerCalls } from './world-webhooks.ts';

/**
 * Worlds in this process. What they have in common is made once for each kind of setup; each is a fork of that, in a
 * millisecond. In virtual time stubs answer without sockets, in real time behind real TLS. `onBug` is told of what must never happen.
 */
export function createWorlds(onBug: (error: unknown) => void): Worlds {
  const baseFor = createBases(onBug);
  const certificates = createStubCertificates(issueCertificate);
  const open = new Set<World>();
  return {
    create: async (setup) => {
      const ground = forkGround(await baseFor(setup), setup);
      const time = setup.clock === 'virtual' ? virtualTime(virtualStart) : realTime;
      const ports = { ...time, cluster: ground.store, mappings: [] };
      const answerer =
        setup.clock === 'virtual'
          ? answerCalls(setup.switchboard, ports)
          : answerOverTheWire(setup.switchboard, await ready(certificates), ports);
      const world = await openWorld(ground, setup, {
        time,
        seed: setup.seed,
        apiFaults: setup.faultyApi,
        answerer,
        onBug,
      });
      open.add(world);
      return {
        ...world,
        close: async () => {
          open.delete(world);
          await world.close();
        },
      };
    },
    close: async () => {
      await Promise.all([...open].map((world) => world.close()));
      open.clear();
    },
  };
}

/** The first certificate takes a tenth of a second, which is not to count as a webhook's. */
async function ready(certificates: StubCertificates): Promise<StubCertificates> {
  await certificates.caBundle();
  return certificates;
}

type BaseSetup = InProcessConfig & Pick<WorldSetup, 'clock'>;

/** Gives the fresh cluster of a setup, and the same one to all who ask for the same. It is for forking only. */
export function createBases(onBug: (error: unknown) => void): (setup: BaseSetup) => Promise<Ground> {
  const bases = new Map<string, Promise<Ground>>();
  return (setup) => {
    const { clock, controllers, authorizationMode, enableAdmissionPlugins, disableAdmissionPlugins } = setup;
    const key = JSON.stringify([
      clock,
      controllers,
      authorizationMode,
      enableAdmissionPlugins,
      disableAdmissionPlugins,
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

function freshBase(setup: BaseSetup, onBug: (error: unknown) => void): Promise<Ground> {
  const random = createSeededRandom(baseSeed);
  return makeBase(setup, {
    ...(setup.clock === 'virtual' ? virtualTime(virtualStart - clusterAge) : realTime),
    random,
    newUid: createSeededUids(random),
    callWebhook: async () => ({ outcome: 'failed', phase: 'client', error: 'there are no webhooks yet' }),
    finished: () => {},
    onBug,
  });
}
