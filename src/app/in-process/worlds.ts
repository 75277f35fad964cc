import { issueCertificate } from '../../adapters/certificates/issue-certificate.ts';
import { createMappings } from '../../adapters/webhook-client/mappings.ts';
import { createWebhookClient } from '../../adapters/webhook-client/webhook-client.ts';
import { withAssumedResponses } from '../../apiserver/admission/webhooks/assumption.ts';
import type { ScenarioWorld, WorldSetup, Worlds } from '../../testing/scenario/world.ts';
import { createStubDialing } from '../../testing/stubs/create-stub-registry.ts';
import { createSeededRandom, createSeededUids } from '../../testing/stubs/seeded-random.ts';
import { type StubCertificates, createStubCertificates } from '../../testing/stubs/stub-certificates.ts';
import type { StubRegistry } from '../../testing/stubs/stub-registry.ts';
import { startStubServer } from '../../testing/stubs/stub-server.ts';
import { createWireCaller } from '../../testing/stubs/wire-caller.ts';
import { type ForkableClusterState, forkClusterState } from '../compose/cluster-state.ts';
import { type InProcessConfig, makeBase } from '../compose/in-process.ts';
import { type CallAnswerer, type CallPorts, answerCalls, openWorld } from './open-world.ts';
import { realTime, virtualStart, virtualTime } from './time.ts';

/**
 * Forks a base that is made once for each kind of setup, in a millisecond. In virtual time stubs respond without sockets, in real time
 * behind real TLS. `onBug` receives errors of kadmit itself.
 */
export function createWorlds(onBug: (error: unknown) => void): Worlds {
  const baseFor = createBases(onBug);
  const certificates = createStubCertificates(issueCertificate);
  const open = new Set<ScenarioWorld>();
  return {
    create: async (setup) => {
      const clusterState = forkClusterState(await baseFor(setup), setup);
      const time = setup.clock === 'virtual' ? virtualTime(virtualStart) : realTime;
      const ports = { ...time, cluster: clusterState.cluster, mappings: [], assume: setup.assume };
      const answerer =
        setup.clock === 'virtual'
          ? answerCalls(setup.stubRegistry, ports)
          : answerOverTheWire(setup.stubRegistry, await ready(certificates), ports);
      const world = await openWorld(clusterState, setup, {
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
  const { detour, send, sendTo } = createStubDialing();
  const client = createWebhookClient({ cluster, mappings: createMappings(mappings), detour });
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

type BaseSetup = InProcessConfig & Pick<WorldSetup, 'clock'>;

/** Makes the fresh cluster of a setup once; callers fork it. */
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

/** Virtual clusters are an hour old when their worlds start. */
const clusterAge = 60 * 60 * 1000;
/** Fixed: fresh clusters have the same uids in every world. */
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
