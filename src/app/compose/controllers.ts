import { ConfigError } from '../../adapters/config/config-error.ts';
import { caBundleError } from '../../api/validation/certificates/x509.ts';
import { aggregatedRules } from '../../apiserver/auth/rbac/aggregate.ts';
import type { Controller, SignRequest } from '../../controllers/controller.ts';
import { type ControllerName, enabledControllers } from '../../controllers/enabled-controllers.ts';
import { runWithLeaderElection } from '../../controllers/leader-election.ts';
import { nodesBinding, type Seed, seedObjects } from '../../controllers/seed-objects.ts';
import { accountSeeds } from '../../controllers/service-accounts.ts';
import { type ControllersHandle, startControllers, startApiControllers } from '../../controllers/start-controllers.ts';
import type { QueueProgress } from '../../controllers/work-queue.ts';
import type { Clock, NewUid, Random } from '../../machinery/clock.ts';
import type { ApiServer } from './create-api.ts';

export interface RunningControllers {
  /** Progress of the API server's work for CustomResourceDefinitions. */
  readonly definitions: QueueProgress;
  readonly busyControllers: () => readonly string[];
  /** Resolves when no controller has work that is due. */
  readonly idle: () => Promise<void>;
  readonly close: () => Promise<void>;
}

export interface ControllerParts {
  readonly api: ApiServer;
  readonly clock: Clock;
  readonly newUid: NewUid;
  /** PEM of the CA of the server's certificate. */
  readonly rootCa: string;
  /** Signs with that CA; absent in worlds without sockets. */
  readonly signRequest?: SignRequest;
  readonly onBug: (error: unknown) => void;
  /** Lifetime of Events in milliseconds; 0: no limit; absent, as in worlds: about an hour. */
  readonly eventTtl?: number;
  /** Default 0. */
  readonly nodes?: number;
  readonly random: Random;
  /** Controllers that always run. */
  readonly apiControllers?: readonly Controller[];
  /** For leader election among servers with the same storage; absent: no leader election. */
  readonly identity?: string;
}

const anHour = 3_600_000;

/** Starts the controllers of `--controllers`. Rejects with ConfigError for an unknown one. */
export async function runControllers(selected: readonly string[], parts: ControllerParts): Promise<RunningControllers> {
  const enabled = enabledControllers(selected);
  if (enabled.outcome === 'unknown') throw new ConfigError(`--controllers: ${enabled.error}`);
  const { handle, clusterState, typeWarnings, serviceClusterIpRange } = parts.api;
  const { nodes = 0, eventTtl, apiControllers = [] } = parts;
  const seeds = bindingSeeds(enabled.names, nodes > 0);
  const { newUid, clock } = parts;
  await seedObjects(clusterState.storage, seeds, { newUid, now: clock.now(), known: clusterState.cluster });
  const eventLife = { ttl: eventTtl ?? anHour, isPunctual: eventTtl !== undefined };
  const own = { serviceClusterIpRange, aggregatedRules, typeWarnings, caBundleError, eventLife };
  const ports = {
    ...parts,
    ...own,
    handle,
    storage: clusterState.storage,
    store: clusterState.cluster,
    served: clusterState.catalogue,
  };
  const simulated = nodes > 0 ? [await simulatedNodes(nodes)] : [];
  const start = (): ControllersHandle => startControllers(ports, enabled.names, simulated);
  const apiHandle = startApiControllers(ports, apiControllers);
  parts.api.definitions.follow(apiHandle.definitions);
  const { identity } = parts;
  const needsLease = identity !== undefined && (enabled.names.size > 0 || nodes > 0);
  return {
    definitions: apiHandle.definitions,
    ...combineHandles([apiHandle, needsLease ? runWithLeaderElection({ ...ports, identity, start }) : start()]),
  };
}

/** Permissions beyond the bootstrap roles. */
const bindingSeeds = (names: ReadonlySet<ControllerName>, hasNodes: boolean): readonly Seed[] => [
  ...(hasNodes || names.has(actsAsNode) ? [nodesBinding] : []),
  ...accountSeeds(names),
];

const actsAsNode: ControllerName = 'pod-garbage-collector-controller';

const combineHandles = (all: readonly ControllersHandle[]): Omit<RunningControllers, 'definitions'> => ({
  busyControllers: () => all.flatMap(({ busyControllers }) => busyControllers()),
  idle: async () => {
    do await Promise.all(all.map(({ idle }) => idle()));
    while (!all.every(({ isIdle }) => isIdle()));
  },
  close: async () => {
    await Promise.all(all.map(({ close }) => close()));
  },
});

/** Loaded on demand. */
const simulatedNodes = async (count: number): Promise<Controller> =>
  (await import('../../controllers/simulated-nodes/simulated-nodes.ts')).simulateNodes(count);
