import { issueCertificate } from '../../adapters/certificates/issue-certificate.ts';
import { createMappings } from '../../adapters/webhook-client/mappings.ts';
import { createWebhookClient } from '../../adapters/webhook-client/webhook-client.ts';
import { withAssumedResponses } from '../../apiserver/admission/webhooks/assumption.ts';
import type { ScenarioWorld, Worlds } from '../../testing/scenario/world.ts';
import { createStubDialing } from '../../testing/stubs/stub-caller.ts';
import { type StubCertificates, createStubCertificates } from '../../testing/stubs/stub-certificates.ts';
import type { StubRegistry } from '../../testing/stubs/stub-registry.ts';
import { startStubServer } from '../../testing/stubs/stub-server.ts';
import { createWireCaller } from '../../testing/stubs/wire-caller.ts';
import { forkClusterState } from '../compose/cluster-state.ts';
import { type CallPorts, answerCalls } from './answer-calls.ts';
import { createBases } from './bases.ts';
import { nodePlatform } from './node-platform.ts';
import { type CallAnswerer, openWorld } from './open-world.ts';
import { realTime, virtualStart, virtualTime } from './time.ts';

/**
 * Forks a base that is made once for each kind of setup, in a millisecond. In virtual time stubs respond without sockets, in real time
 * behind real TLS. `onBug` receives errors of kadmit itself.
 */
export function createWorlds(onBug: (error: unknown) => void): Worlds {
  const baseFor = createBases(nodePlatform, onBug);
  const certificates = createStubCertificates(issueCertificate);
  const open = new Set<ScenarioWorld>();
  return {
    create: async (setup) => {
      const clusterState = forkClusterState(await baseFor(setup));
      const time = setup.clock === 'virtual' ? virtualTime(virtualStart, nodePlatform.nextIteration) : realTime;
      const ports = { ...time, cluster: clusterState.cluster, mappings: [], assume: setup.assume };
      const answerer =
        setup.clock === 'virtual'
          ? answerCalls(setup.stubRegistry, ports)
          : answerOverTheWire(setup.stubRegistry, await ready(certificates), ports);
      const world = await openWorld(clusterState, setup, {
        time,
        platform: nodePlatform,
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

/** The first certificate takes a tenth of a second, which must not count as time of a webhook. */
async function ready(certificates: StubCertificates): Promise<StubCertificates> {
  await certificates.caBundle();
  return certificates;
}

/** Calls stubs over the network too: they listen on loopback with TLS of their own. */
function answerOverTheWire(
  stubRegistry: StubRegistry,
  certificates: StubCertificates,
  { clock, hold, cluster, mappings, assume = [] }: CallPorts,
): CallAnswerer {
  const { dialOverride, send, sendTo } = createStubDialing();
  const client = createWebhookClient({ cluster, mappings: createMappings(mappings), dialOverride });
  const server = startStubServer({ stubRegistry, certificates, clock });
  const call = createWireCaller({
    stubRegistry,
    clock,
    hold,
    server,
    sendTo: (webhookCall, address) => send(client.call, webhookCall, address),
    callProcess: (webhookCall, to) => sendTo(client.call, webhookCall, to),
    otherwise: withAssumedResponses(assume)(client.call),
  });
  const close = async (): Promise<void> => {
    await client.close();
    await server.close();
  };
  return { call, close };
}
