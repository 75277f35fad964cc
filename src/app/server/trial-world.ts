import { createBreaks } from '../../adapters/breakpoints/breaks.ts';
import type { ApiServer } from '../compose/create-api.ts';
import { type Authorization, type ForkableGround, forkGround, type Ground } from '../compose/ground.ts';
import type { Log } from '../../adapters/telemetry/log.ts';
import type { ServerParts } from './api-of-config.ts';
import { clock } from './clock.ts';
import { type Observing, watchedBy } from './observe.ts';
import { createTracing } from './record-traces.ts';
import type { OrdersPorts } from './try-orders.ts';

export interface TrialParts {
  readonly ground: () => Ground | ForkableGround;
  readonly authorization: Authorization;
  readonly openApi: (ground: Ground, more: Partial<ServerParts>) => ApiServer;
  readonly observing: Observing;
  readonly log: Log;
}

/** Opens worlds beside the one that is served, over a fork of its objects: without controllers, audit log, metrics, breaks. */
export const trialsOf =
  ({ ground: current, authorization, openApi, observing, log }: TrialParts): OrdersPorts['openTrial'] =>
  (mutatingTurns) => {
    const served = current();
    if (!('memory' in served)) return undefined;
    const { authorizationMode, policies } = authorization;
    const ground = forkGround(served, { authorizationMode, ...(policies ? { policies } : {}) });
    const traces = createTracing(undefined, log.error);
    const breaks = createBreaks({ now: clock.now, onHeld: () => {} });
    const { aroundHandle, aroundCall, callThrough, logError, serve, close } = observing;
    const unseen: Observing = { ...watchedBy([]), aroundHandle, aroundCall, callThrough, logError, serve, close };
    const api = openApi(ground, { traces, breaks, observing: unseen, mutatingTurns });
    return { api, ground, traceOf: traces.log.get };
  };
