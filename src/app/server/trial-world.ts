import { createBreakpoints } from '../../adapters/breakpoints/breakpoints.ts';
import type { ApiServer } from '../compose/create-api.ts';
import {
  type Authorization,
  type ForkableClusterState,
  forkClusterState,
  type ClusterState,
} from '../compose/cluster-state.ts';
import type { Log } from '../../adapters/telemetry/log.ts';
import type { ServerParts } from './api-of-config.ts';
import { clock } from './clock.ts';
import { type Observing, watchedBy } from './observe.ts';
import { createTracing } from './record-traces.ts';
import type { OrdersPorts } from './try-orders.ts';

export interface TrialParts {
  readonly clusterState: () => ClusterState | ForkableClusterState;
  readonly authorization: Authorization;
  readonly openApi: (clusterState: ClusterState, more: Partial<ServerParts>) => ApiServer;
  readonly observing: Observing;
  readonly log: Log;
}

/** Opens forks of the served world without controllers, audit log, metrics and breakpoints. */
export const trialsOf =
  ({ clusterState: current, authorization, openApi, observing, log }: TrialParts): OrdersPorts['openTrial'] =>
  (mutatingOrder) => {
    const served = current();
    if (!('memory' in served)) return undefined;
    const { authorizationMode, policies } = authorization;
    const clusterState = forkClusterState(served, { authorizationMode, ...(policies ? { policies } : {}) });
    const traces = createTracing(undefined, log.error);
    const breaks = createBreakpoints({ now: clock.now, onHeld: () => {} });
    const { aroundHandle, aroundCall, callThrough, logError, serve, close } = observing;
    const unobserved: Observing = { ...watchedBy([]), aroundHandle, aroundCall, callThrough, logError, serve, close };
    const api = openApi(clusterState, { traces, breaks, observing: unobserved, mutatingOrder });
    return { api, clusterState, traceOf: traces.log.get };
  };
