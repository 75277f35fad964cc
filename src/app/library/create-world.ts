import { type ForkableClusterState, forkClusterState } from '../compose/cluster-state.ts';
import { answerCalls } from '../in-process/answer-calls.ts';
import { createBases } from '../in-process/bases.ts';
import { nodePlatform } from '../in-process/node-platform.ts';
import { openWorld, type OpenWorld } from '../in-process/open-world.ts';
import { ConfigError } from '../../adapters/config/config-error.ts';
import type { ServerConfig } from '../../adapters/config/server-config.ts';
import type { WebhookSpec } from '../../testing/stubs/webhook-spec.ts';
import { isTraced } from '../../explain/trace/trace-summary.ts';
import { createTraceLog, type TraceLog } from '../../adapters/traces/trace-log.ts';
import type { InProcessConfig } from '../compose/in-process.ts';
import { realTime, type Time, virtualStart, virtualTime } from '../in-process/time.ts';
import { type Cluster } from './cluster.ts';
import { type ClusterParts, type CommonCluster, createCluster } from './create-cluster.ts';
import {
  clusterFlags,
  type ClusterOptions,
  readClusterOptions,
  readContents,
  type OptionFlags,
  readPlugins,
} from './options.ts';
import { createWebhookRegistry, type WebhookRegistry } from './webhook-registry.ts';

export interface WorldOptions extends ClusterOptions {
  /** Default `virtual`: waits and timeouts take no time. */
  readonly clock?: 'virtual' | 'real';
  /** Seed of uids and random numbers; default 1. */
  readonly seed?: number;
}

/** An API server without sockets, for this process only. */
export interface World extends Cluster {
  /** Milliseconds since 1970 on the world's clock. A virtual clock starts in 2026. */
  readonly now: () => number;
  /** Advances the clock: at once with a virtual clock. */
  readonly advance: (milliseconds: number) => Promise<void>;
  /** A copy of this world, in about a millisecond: with its objects, webhooks and time, without traces and calls. */
  readonly fork: () => Promise<World>;
}

const flags = { ...clusterFlags, clock: 'none', seed: 'none' } as const satisfies OptionFlags;

const report = (error: unknown): void => {
  process.stderr.write(`kadmit: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
};

const baseFor = createBases(nodePlatform, report);

/** Rejects with ConfigError for invalid options and for refused manifests. */
export async function createWorld(options: WorldOptions = {}): Promise<World> {
  const { clock = 'virtual', seed = 1, ...own } = options;
  const contents = readContents('createWorld', options);
  const config = {
    ...readClusterOptions('createWorld', { ...own, clock, seed }, flags),
    ownPlugins: readPlugins('createWorld', own),
  };
  if (clock !== 'virtual' && clock !== 'real') throw new ConfigError(`createWorld: clock must be virtual or real`);
  if (!Number.isSafeInteger(seed)) throw new ConfigError('createWorld: seed must be an integer');
  const clusterState = await baseFor({ ...config, clock });
  const running = await begin({ config, clock, seed, clusterState, start: virtualStart, specs: [] });
  try {
    const isLoaded = await running.begin(contents);
    // Uids are then the same with and without a later `reset`.
    if (isLoaded) await running.keep();
    return running.world;
  } catch (error) {
    await running.world.close();
    throw error;
  }
}

interface Beginning {
  readonly config: InProcessConfig & Pick<ServerConfig, 'map' | 'assume'>;
  readonly clock: 'virtual' | 'real';
  readonly seed: number;
  /** The world forks it. */
  readonly clusterState: ForkableClusterState;
  /** Milliseconds since 1970, for a virtual clock. */
  readonly start: number;
  /** Stub webhooks. */
  readonly specs: readonly WebhookSpec[];
}

interface RunningWorld {
  readonly world: World;
  readonly begin: CommonCluster['begin'];
  /** Makes the present state the one that `reset` restores. */
  readonly keep: () => Promise<void>;
}

async function begin(first: Beginning): Promise<RunningWorld> {
  let beginning = first;
  const log = createTraceLog();
  const registry = createWebhookRegistry(first.seed);
  let current = await openWorldOn(beginning, registry, log);
  const { cluster, begin: beginWith } = createCluster({
    world: currentWorld(() => current.world),
    registry,
    stored: () => current.clusterState.cluster,
    log,
    time: currentTime(() => current.time),
  });
  const now = (): number => current.time.clock.now();
  const presentState = (): Beginning => ({
    ...beginning,
    clusterState: current.clusterState,
    start: now(),
    specs: registry.specs(),
  });
  const reset = async (): Promise<void> => {
    await current.world.close();
    current = await openWorldOn(beginning, registry, log);
    cluster.traces.clear();
  };
  const world: World = {
    ...cluster,
    now,
    advance: (milliseconds) => current.time.advance(milliseconds),
    fork: async () => (await begin(presentState())).world,
    reset,
    close: () => current.world.close(),
  };
  return {
    world,
    begin: beginWith,
    keep: async () => {
      beginning = presentState();
      await reset();
    },
  };
}

interface Opened {
  readonly clusterState: ForkableClusterState;
  readonly time: Time;
  readonly world: OpenWorld;
}

async function openWorldOn(beginning: Beginning, registry: WebhookRegistry, log: TraceLog): Promise<Opened> {
  const { config, clock, seed, start, specs } = beginning;
  registry.clear();
  specs.forEach(registry.add);
  const clusterState = forkClusterState(beginning.clusterState);
  const time = clock === 'virtual' ? virtualTime(start, nodePlatform.nextIteration) : realTime;
  const answerer = answerCalls(registry, {
    ...time,
    cluster: clusterState.cluster,
    mappings: config.map,
    assume: config.assume,
  });
  const world = await openWorld(clusterState, config, {
    time,
    platform: nodePlatform,
    // Another seed for another revision: uids of stored objects must not repeat.
    seed: seed + clusterState.cluster.revision() * seedStep,
    answerer,
    finished: (finished) => {
      if (isTraced(finished)) log.record(finished, time.clock.now());
    },
    onBug: report,
  });
  return { clusterState, time, world };
}

const seedStep = 0x9e3779b1;

/** Delegates to the current world. */
const currentWorld = (world: () => OpenWorld): ClusterParts['world'] => ({
  send: (request) => world().send(request),
  resourceOf: (kind) => world().resourceOf(kind),
  findResource: (name) => world().findResource(name),
  settle: () => world().settle(),
  load: (loader) => world().load(loader),
});

const currentTime = (time: () => Time): ClusterParts['time'] => ({
  clock: { now: () => time().clock.now(), sleep: (milliseconds, signal) => time().clock.sleep(milliseconds, signal) },
  drive: (work) => time().drive(work),
});
