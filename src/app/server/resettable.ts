import type { ClusterView } from '../../machinery/meta/cluster-view.ts';
import type { ApiResponse } from '../../apiserver/request/api-request.ts';
import type { Handle } from '../../apiserver/request/handle.ts';
import type { RunningControllers } from '../compose/controllers.ts';
import {
  type Authorization,
  type ForkableClusterState,
  forkClusterState,
  type ClusterState,
} from '../compose/cluster-state.ts';
import { requireQuiescence } from '../compose/quiescence.ts';
import { realTime } from '../in-process/time.ts';
import type { ApiServer } from '../compose/create-api.ts';

export interface InstanceParts extends Authorization {
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
      origin = 'memory' in clusterState ? forkClusterState(clusterState, parts) : undefined;
    },
    reset: async () => {
      if (!origin) throw new Error('there is no state to restore');
      await controllers?.close();
      clusterState = forkClusterState(origin, parts);
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
