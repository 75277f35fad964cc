import type { Clock } from '../apimachinery/clock.ts';
import type { Status } from '../apimachinery/status.ts';
import { apiFaultStatus, fitsApiCall, isApiFaultDue } from './api-fault.ts';
import type { ApiCall, ApiFault, ApiFaultKind } from './api-fault.ts';
import { chanceFor } from './seeded-chance.ts';

/** The faults of one world's API, with what they have counted. */
export interface ApiFaults {
  /** From the next request on, counted from 1 again. */
  readonly configure: (faults: readonly ApiFault[]) => void;
  /** What goes wrong with a request: the first fault that is due. Counts it for every fault that it fits. */
  readonly take: (call: ApiCall) => ApiFaultKind | undefined;
}

/** `seed` decides chance: the same for the same request of the same scenario. */
export function createApiFaults(first: readonly ApiFault[], seed: number): ApiFaults {
  let faults = first;
  let counts = first.map(() => 0);
  return {
    configure: (next) => {
      faults = next;
      counts = next.map(() => 0);
    },
    take: (call) => {
      let taken: ApiFaultKind | undefined;
      for (const [index, fault] of faults.entries()) {
        if (!fitsApiCall(fault, call)) continue;
        const number = (counts[index] ?? 0) + 1;
        counts[index] = number;
        if (!taken && isApiFaultDue(fault, number, chanceFor(`${seed} api ${index} ${number}`))) taken = fault.what;
      }
      return taken;
    },
  };
}

/** Starts delivering events; returns what stops it. `end` is called when the watch is over. */
export type OpenWatch<Event> = (send: (event: Event) => void, end: () => void) => () => void;

/** What a request handler answers, as far as faults care: `type: 'status'` is ours, `type: 'watch'` may be cut off. */
export type FaultyResponse<Event, Other> =
  | Other
  | { readonly type: 'status'; readonly status: Status; readonly warnings: readonly string[] }
  | { readonly type: 'watch'; readonly open: OpenWatch<Event> };

export interface ApiFaultPorts<Request> {
  readonly faults: ApiFaults;
  readonly clock: Clock;
  /** What a request asks for; undefined for one that faults are to leave alone, such as a controller's own. */
  readonly callOf: (request: Request) => ApiCall | undefined;
}

/** The request handler with faults before it. A refused request is not handled at all. */
export function withApiFaults<Request, Event, Other extends { readonly type: 'object' | 'document' }>(
  handle: (request: Request) => Promise<FaultyResponse<Event, Other>>,
  { faults, clock, callOf }: ApiFaultPorts<Request>,
): (request: Request) => Promise<FaultyResponse<Event, Other>> {
  return async (request) => {
    const call = callOf(request);
    const what = call && faults.take(call);
    if (!call || !what) return handle(request);
    const status = apiFaultStatus(what, call);
    if (status) return { type: 'status', status, warnings: [] };
    const response = await handle(request);
    if (response.type !== 'watch' || what.type !== 'drop-watch') return response;
    return { type: 'watch', open: cutOff(response.open, clock, what.afterMs) };
  };
}

const cutOff =
  <Event>(open: OpenWatch<Event>, clock: Clock, afterMs: number): OpenWatch<Event> =>
  (send, end) => {
    const over = new AbortController();
    const stop = open(send, () => {
      over.abort();
      end();
    });
    const stopOnce = (): void => {
      if (!over.signal.aborted) stop();
      over.abort();
    };
    const drop = async (): Promise<void> => {
      await clock.sleep(afterMs, over.signal);
      if (over.signal.aborted) return;
      stopOnce();
      end();
    };
    void drop();
    return stopOnce;
  };
