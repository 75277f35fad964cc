import type { ClusterView } from '../../machinery/meta/cluster-view.ts';
import type { ApiResponse } from '../../apiserver/request/api-request.ts';
import type { Handle } from '../../apiserver/request/handle.ts';
import type { RunningControllers } from '../compose/controllers.ts';
import { type ForkableClusterState, type ClusterState, forkClusterState } from '../compose/cluster-state.ts';
import { requireQuiescence } from '../compose/quiescence.ts';
import { realTime } from '../in-process/time.ts';
import type { ApiServer } from '../compose/create-api.ts';
import type { RunningServer } from '../../adapters/config/server-config.ts';
import type { TraceLog } from '../../adapters/traces/trace-log.ts';
import { randomUUID } from 'node:crypto';
import { abortReason } from '../../controllers/abort-signals.ts';
import type { OpenWorld } from '../in-process/open-world.ts';
import { answerWithTraces, createSession } from '../compose/session.ts';

export interface InstanceParts {
  readonly openApi: (clusterState: ClusterState) => ApiServer;
  readonly startControllers: (api: ApiServer) => Promise<RunningControllers>;
}

/** The API server behind the sockets; `reset` replaces it. */
export interface Instance {
  readonly handle: Handle;
  readonly cluster: ClusterView;
  readonly api: () => ApiServer;
  readonly startControllers: () => Promise<RunningControllers>;
  /** Waits until the controllers have processed all writes so far. */
  readonly settle: () => Promise<void>;
  /** Makes the present state the one that `reset` restores. */
  readonly keep: () => void;
  /** Restores the state of `keep`; watches end, so that clients list again. */
  readonly reset: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Without its controllers. */
export function createInstance(first: ClusterState | ForkableClusterState, parts: InstanceParts): Instance {
  let clusterState = first;
  let origin: ForkableClusterState | undefined;
  let controllers: RunningControllers | undefined;
  const cluster: ClusterView = {
    get: (resource, namespace, name) => clusterState.cluster.get(resource, namespace, name),
    list: (resource, namespace) => clusterState.cluster.list(resource, namespace),
  };
  let api = parts.openApi(clusterState);
  const watches = createOpenWatches();
  const startControllers = async (): Promise<RunningControllers> => {
    await api.ready();
    controllers = await parts.startControllers(api);
    return controllers;
  };
  return {
    handle: async (request) => watches.tracked(await api.handle(request)),
    cluster,
    api: () => api,
    startControllers,
    settle: async () => {
      if (controllers) await requireQuiescence(controllers, realTime.clock)();
    },
    keep: () => {
      origin = 'memory' in clusterState ? forkClusterState(clusterState) : undefined;
    },
    reset: async () => {
      if (!origin) throw new Error('there is no state to restore');
      await controllers?.close();
      clusterState = forkClusterState(origin);
      api = parts.openApi(clusterState);
      watches.end();
      await (await startControllers()).idle();
    },
    close: async () => controllers?.close(),
  };
}

interface OpenWatches {
  readonly tracked: (response: ApiResponse) => ApiResponse;
  readonly end: () => void;
}

function createOpenWatches(): OpenWatches {
  const enders = new Set<() => void>();
  return {
    tracked: (response) => {
      if (response.type !== 'watch') return response;
      return {
        ...response,
        open: (send, end) => {
          enders.add(end);
          const stop = response.open(send, end);
          return () => {
            enders.delete(end);
            stop();
          };
        },
      };
    },
    end: () => {
      for (const end of enders) end();
    },
  };
}

interface ServedInstance extends Pick<RunningServer, 'close'> {
  readonly instance: Instance;
  readonly traces: Pick<TraceLog, 'get'>;
}

/** A running server as a world, without TLS and sockets. Closing it closes the server. */
export function serverSession({ instance, traces, close }: ServedInstance): OpenWorld {
  const ending = new AbortController();
  const { clock, drive } = realTime;
  const api = (): ReturnType<typeof instance.api> => instance.api();
  const ports = { handle: instance.handle, clock, newUid: randomUUID, drive, ending: ending.signal };
  return {
    ...createSession(() => api().clusterState.catalogue, {
      ...ports,
      answer: answerWithTraces(instance.handle, traces.get),
      newAuditId: randomUUID,
    }),
    settle: instance.settle,
    now: clock.now,
    advance: realTime.advance,
    hasTraces: true,
    load: (loader) => loader({ ...ports, api: api() }, { idle: instance.settle }),
    close: async () => {
      ending.abort(abortReason);
      await close();
    },
  };
}
