import { setImmediate } from 'node:timers/promises';
import type { Mapping } from '../../adapters/config/mapping.ts';
import { readYamlBody } from '../../adapters/http/body-formats.ts';
import { createMappings } from '../../adapters/webhook-client/mappings.ts';
import { createWebhookClient } from '../../adapters/webhook-client/webhook-client.ts';
import { type AssumedResponse, withAssumedResponses } from '../../apiserver/admission/webhooks/assumption.ts';
import type { CallWebhook } from '../../apiserver/admission/webhooks/call.ts';
import type { ApiRequest, ApiResponse } from '../../apiserver/request/api-request.ts';
import type { FinishedRequest, Handle, Observers } from '../../apiserver/request/handle.ts';
import { abortReason } from '../../controllers/abort-signals.ts';
import { createTrace } from '../../explain/trace/create-trace.ts';
import { isTraced } from '../../explain/trace/trace-log.ts';
import type { ClusterView } from '../../machinery/meta/cluster-view.ts';
import type { ScenarioWorld } from '../../testing/scenario/world.ts';
import { createStubDialing } from '../../testing/stubs/create-stub-registry.ts';
import { createSeededRandom, createSeededUids } from '../../testing/stubs/seeded-random.ts';
import { createStubCaller, type StubCallerPorts } from '../../testing/stubs/stub-caller.ts';
import { type ApiFaults, withApiFaults } from '../../testing/stubs/with-api-faults.ts';
import { type Answered, apiCallOf, createSession, type SessionPorts } from '../compose/session.ts';
import type { ClusterState } from '../compose/cluster-state.ts';
import { installDefinitions, type LoadParts, loadPaths } from '../compose/controllers.ts';
import { type InProcessConfig, runInProcess } from '../compose/in-process.ts';
import { requireQuiescence } from '../compose/quiescence.ts';
import { realTime, type Time } from './time.ts';

export interface OpenWorldParts {
  readonly time: Time;
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
  /** Rejects with ConfigError for a refused manifest. */
  readonly loadPaths: (paths: readonly string[]) => Promise<void>;
  /** Rejects with ConfigError for a refused definition, and for a path without any. */
  readonly installDefinitions: (paths: readonly string[]) => Promise<void>;
}

/** Separate streams: one more request does not change the uids. */
const streams = { uids: 0x75696473, auditIds: 0x61756469 };

/** Takes over the cluster state and starts its controllers. */
export async function openWorld(
  clusterState: ClusterState,
  config: InProcessConfig,
  parts: OpenWorldParts,
): Promise<OpenWorld> {
  const { time, seed, answerer, apiFaults, finished, onBug } = parts;
  const newUid = createSeededUids(createSeededRandom(seed + streams.uids));
  const left: Left = new Map();
  const world = await runInProcess(clusterState, config, {
    ...time,
    newUid,
    random: createSeededRandom(seed),
    callWebhook: answerer.call,
    finished: (one) => {
      if (left.has(one.request)) left.set(one.request, one);
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
      answer: answerWith(handle, left),
      clock,
      newAuditId,
      drive,
      ending: ending.signal,
    }),
    settle: () => drive(settle()),
    now: clock.now,
    advance: time.advance,
    hasTraces: true,
    loadPaths: (paths) => drive(loadPaths(paths, loading, { idle: settle })),
    installDefinitions: (paths) => drive(installDefinitions(paths, loading, { idle: settle })),
    close: async () => {
      ending.abort(abortReason);
      await drive(controllers.close());
      await answerer.close();
      // A thousand worlds without real waiting would block the process.
      await setImmediate();
    },
  };
}

/** The records of requests that wait for them. Not a WeakMap: V8 moves all of its values to the old generation. */
type Left = Map<ApiRequest, FinishedRequest | undefined>;

const answerWith =
  (handle: Handle, left: Left): SessionPorts['answer'] =>
  async (request) => {
    left.set(request, undefined);
    try {
      return answered(request, await handle(request), left.get(request));
    } finally {
      left.delete(request);
    }
  };

/** A request that a fault kept from the API server has no record. */
const answered = ({ auditId }: ApiRequest, response: ApiResponse, finished: FinishedRequest | undefined): Answered => ({
  response,
  traceAt: (finishedAt) => (finished && isTraced(finished) ? createTrace(finished, auditId, finishedAt) : undefined),
});

export interface CallAnswerer {
  readonly call: CallWebhook;
  readonly close: () => Promise<void>;
}

export interface CallPorts extends Pick<Time, 'clock' | 'hold'> {
  readonly cluster: ClusterView;
  readonly mappings: readonly Mapping[];
  /** Assumed responses of webhooks that do not run. */
  readonly assume?: readonly AssumedResponse[] | undefined;
}

/** Stubs respond in process; other webhooks are called over the network. */
export function answerCalls(
  stubRegistry: StubCallerPorts['stubRegistry'],
  { clock, hold, cluster, mappings, assume = [] }: CallPorts,
): CallAnswerer {
  const detours = createStubDialing();
  const client = createWebhookClient({ cluster, mappings: createMappings(mappings), detour: detours.detour });
  const call = createStubCaller({
    stubRegistry,
    clock,
    hold,
    callProcess: (call, to) => detours.sendTo(client.call, call, to),
    otherwise: withAssumedResponses(assume)(client.call),
  });
  return { call, close: client.close };
}
