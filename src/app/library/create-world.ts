import { type ForkableClusterState, forkClusterState } from '../compose/cluster-state.ts';
import { openWorld, type OpenWorld } from '../in-process/open-world.ts';
import { ConfigError } from '../../adapters/config/config-error.ts';
import type { ServerConfig } from '../../adapters/config/server-config.ts';
import type { WebhookSpec } from '../../testing/stubs/webhook-spec.ts';
import { createTraceLog, isTraced, type TraceLog } from '../../explain/trace/trace-log.ts';
import type { InProcessConfig } from '../compose/in-process.ts';
import { createBases } from '../in-process/bases.ts';
import { realTime, type Time, virtualStart, virtualTime } from '../in-process/time.ts';
import { answerCalls } from '../in-process/answer-in-process.ts';
import type { Cluster } from './cluster.ts';
import { type ClusterParts, type CommonCluster, createCluster } from './create-cluster.ts';
import { clusterFlags, type ClusterOptions, configOf, contentsOf, type OptionFlags, pluginsOf } from './options.ts';
import { createWebhookRegistry, type WebhookRegistry } from './webhook-registry.ts';

export interface WorldOptions extends ClusterOptions {
  /** `virtual` unless something else is said: waits and timeouts take no time. */
  readonly clock?: 'virtual' | 'real';
  /** Decides uids and chance; 1 unless something else is said. */
  readonly seed?: number;
}

/** An API server without sockets, which this process alone can reach. */
export interface World extends Cluster {
  /** Milliseconds since 1970 on the world's clock. A virtual one begins with 2026. */
  readonly now: () => number;
  /** Lets so many milliseconds pass: at once with a virtual clock. */
  readonly advance: (milliseconds: number) => Promise<void>;
  /**
   * A world of its own that begins as this one is now, in about a millisecond: objects, functions of webhooks and time are
   * the same, traces and calls begin anew.
   */
  readonly fork: () => Promise<World>;
}

const flags = { ...clusterFlags, clock: 'none', seed: 'none' } as const satisfies OptionFlags;

const report = (error: unknown): void => {
  process.stderr.write(`kadmit: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
};

const baseFor = createBases(report);

/**
 * Makes a world. Rejects with a ConfigError for options that make no sense, and for manifests that are refused.
 */
export async function createWorld(options: WorldOptions = {}): Promise<World> {
  const { clock = 'virtual', seed = 1, ...own } = options;
  const contents = contentsOf('createWorld', options);
  const config = {
    ...configOf('createWorld', { ...own, clock, seed }, flags),
    ownPlugins: pluginsOf('createWorld', own),
  };
  if (clock !== 'virtual' && clock !== 'real') throw new ConfigError(`createWorld: clock is neither virtual nor real`);
  if (!Number.isSafeInteger(seed)) throw new ConfigError('createWorld: seed is no whole number');
  const clusterState = await baseFor({ ...config, clock });
  const running = await begin({ config, clock, seed, clusterState, start: virtualStart, specs: [] });
  try {
    const isLoaded = await running.begin(contents);
    // So that what follows is the same whether or not `reset` was called in between.
    if (isLoaded) await running.keep();
    return running.world;
  } catch (error) {
    await running.world.close();
    throw error;
  }
}

/** How a world begins. */
interface Beginning {
  readonly config: InProcessConfig & Pick<ServerConfig, 'map' | 'assume'>;
  readonly clock: 'virtual' | 'real';
  readonly seed: number;
  /** It is forked. */
  readonly clusterState: ForkableClusterState;
  /** Milliseconds since 1970, for a virtual clock. */
  readonly start: number;
  /** Functions that answer from the beginning. */
  readonly specs: readonly WebhookSpec[];
}

interface RunningWorld {
  readonly world: World;
  readonly begin: CommonCluster['begin'];
  /** From now on the world as it is now is its beginning. */
  readonly keep: () => Promise<void>;
}

async function begin(first: Beginning): Promise<RunningWorld> {
  let beginning = first;
  const log = createTraceLog();
  const board = createWebhookRegistry(first.seed);
  let current = await openOn(beginning, board, log);
  const { cluster, begin: beginWith } = createCluster({
    world: currentWorld(() => current.world),
    board,
    stored: () => current.clusterState.cluster,
    log,
    time: currentTime(() => current.time),
  });
  const now = (): number => current.time.clock.now();
  const asItIs = (): Beginning => ({
    ...beginning,
    clusterState: current.clusterState,
    start: now(),
    specs: board.specs(),
  });
  const reset = async (): Promise<void> => {
    await current.world.close();
    current = await openOn(beginning, board, log);
    cluster.traces.clear();
  };
  const world: World = {
    ...cluster,
    now,
    advance: (milliseconds) => current.time.advance(milliseconds),
    fork: async () => (await begin(asItIs())).world,
    reset,
    close: () => current.world.close(),
  };
  return {
    world,
    begin: beginWith,
    keep: async () => {
      beginning = asItIs();
      await reset();
    },
  };
}

/** What runs on a clusterState of its own. */
interface Opened {
  readonly clusterState: ForkableClusterState;
  readonly time: Time;
  readonly world: OpenWorld;
}

async function openOn(beginning: Beginning, board: WebhookRegistry, log: TraceLog): Promise<Opened> {
  const { config, clock, seed, start, specs } = beginning;
  board.clear();
  specs.forEach(board.add);
  const clusterState = forkClusterState(beginning.clusterState, config);
  const time = clock === 'virtual' ? virtualTime(start) : realTime;
  const answerer = answerCalls(board, {
    ...time,
    cluster: clusterState.cluster,
    mappings: config.map,
    assume: config.assume,
  });
  const world = await openWorld(clusterState, config, {
    time,
    // Uids that are in the clusterState already must not come again.
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

/** Whichever world is current. */
const currentWorld = (world: () => OpenWorld): ClusterParts['world'] => ({
  send: (request) => world().send(request),
  resourceOf: (kind) => world().resourceOf(kind),
  findResource: (name) => world().findResource(name),
  settle: () => world().settle(),
  loadPaths: (paths) => world().loadPaths(paths),
  installDefinitions: (paths) => world().installDefinitions(paths),
});

const currentTime = (time: () => Time): ClusterParts['time'] => ({
  clock: { now: () => time().clock.now(), sleep: (milliseconds, signal) => time().clock.sleep(milliseconds, signal) },
  drive: (work) => time().drive(work),
});
