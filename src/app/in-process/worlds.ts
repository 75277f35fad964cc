import { issueCertificate } from '../../adapters/certificates/issue-certificate.ts';
import { createStubCertificates } from '../../testing/stubs/stub-certificates.ts';
import type { StubCertificates } from '../../testing/stubs/stub-certificates.ts';
import { forkGround } from '../compose/ground.ts';
import { openWorld } from './open-world.ts';
import type { World, Worlds } from '../../testing/scenario/world.ts';
import { createBases } from './bases.ts';
import { realTime, virtualStart, virtualTime } from './time.ts';
import { answerOverTheWire } from './answer-on-the-wire.ts';
import { answerCalls } from './answer-in-process.ts';

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
      const ports = { ...time, cluster: ground.cluster, mappings: [], assume: setup.assume };
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
