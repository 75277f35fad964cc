import { readYamlBody } from '../../adapters/http/body-formats.ts';
import type { CallWebhook } from '../../apiserver/admission/webhooks/call.ts';
import type { ApiRequest, ApiResponse } from '../../apiserver/request/api-request.ts';
import type { FinishedRequest, Handle, Observers } from '../../apiserver/request/handle.ts';
import { abortReason } from '../../controllers/abort-signals.ts';
import { createTrace } from '../../explain/trace/create-trace.ts';
import { isTraced } from '../../explain/trace/trace-summary.ts';
import type { ScenarioWorld } from '../../testing/scenario/world.ts';
import { createSeededRandom, createSeededUids } from '../../testing/stubs/seeded-random.ts';
import { type ApiFaults, withApiFaults } from '../../testing/stubs/with-api-faults.ts';
import { type Answered, apiCallOf, createSession, type SessionPorts } from '../compose/session.ts';
import type { ClusterState } from '../compose/cluster-state.ts';
import type { LoadParts } from '../compose/load-paths.ts';
import { type InProcessConfig, runInProcess, type WorldPlatform } from '../compose/in-process.ts';
import { requireQuiescence } from '../compose/quiescence.ts';
import { realTime, type Time } from './time.ts';

export interface OpenWorldParts {
  readonly time: Time;
  readonly platform: WorldPlatform;
  readonly seed: number;
  readonly answerer: CallAnswerer;
  /** Faults of requests, except those of controllers. */
  readonly apiFaults?: ApiFaults | undefined;
  /** Called for every request, including those of controllers. */
  readonly finished?: Observers['finished'];
  /** Receives errors of kadmit itself. */
  readonly onBug: (error: unknown) => void;
}

export interface OpenWorld extends ScenarioWorld {
  readonly load: (loader: Loader) => Promise<void>;
}

/** Stores objects of files: `loadPaths`, `installDefinitions`. */
export type Loader = (parts: LoadParts, controllers: { readonly idle: () => Promise<void> }) => Promise<void>;

/** Separate streams: one more request does not change the uids. */
const streams = { uids: 0x75696473, auditIds: 0x61756469 };

/** Takes over the cluster state and starts its controllers. */
export async function openWorld(
  clusterState: ClusterState,
  config: InProcessConfig,
  parts: OpenWorldParts,
): Promise<OpenWorld> {
  const { time, platform, seed, answerer, apiFaults, finished, onBug } = parts;
  const newUid = createSeededUids(createSeededRandom(seed + streams.uids));
  const pending: PendingRequests = new Map();
  const world = await runInProcess(clusterState, config, {
    ...time,
    platform,
    newUid,
    random: createSeededRandom(seed),
    callWebhook: answerer.call,
    finished: (one) => {
      if (pending.has(one.request)) pending.set(one.request, one);
      finished?.(one);
    },
    onBug,
  });
  const { controllers } = world;
  const { clock, drive, hold } = time;
  const settle = requireQuiescence(controllers, realTime.clock);
  await drive(settle());
  const ending = new AbortController();
  const newAuditId = createSeededUids(createSeededRandom(seed + streams.auditIds));
  const faulty = apiFaults && { faults: apiFaults, clock, callOf: apiCallOf };
  const handle = faulty ? withApiFaults(world.handle, faulty) : world.handle;
  const loading: LoadParts = { api: world, clock, newUid, parse: (text) => hold(readYamlBody(text)) };
  return {
    ...createSession(() => clusterState.catalogue, {
      answer: createAnswer(handle, pending),
      clock,
      newAuditId,
      drive,
      ending: ending.signal,
    }),
    settle: () => drive(settle()),
    now: clock.now,
    advance: time.advance,
    hasTraces: true,
    load: (loader) => drive(loader(loading, { idle: settle })),
    close: async () => {
      ending.abort(abortReason);
      await drive(controllers.close());
      await answerer.close();
      // A thousand worlds without real waiting would block the process.
      await platform.nextIteration();
    },
  };
}

/** The records of requests that wait for them. Not a WeakMap: V8 moves all of its values to the old generation. */
type PendingRequests = Map<ApiRequest, FinishedRequest | undefined>;

const createAnswer =
  (handle: Handle, pending: PendingRequests): SessionPorts['answer'] =>
  async (request) => {
    pending.set(request, undefined);
    try {
      return toAnswered(request, await handle(request), pending.get(request));
    } finally {
      pending.delete(request);
    }
  };

/** A request that a fault kept from the API server has no record. */
const toAnswered = (
  { auditId }: ApiRequest,
  response: ApiResponse,
  finished: FinishedRequest | undefined,
): Answered => ({
  response,
  traceAt: (finishedAt) => (finished && isTraced(finished) ? createTrace(finished, auditId, finishedAt) : undefined),
});

export interface CallAnswerer {
  readonly call: CallWebhook;
  readonly close: () => Promise<void>;
}
