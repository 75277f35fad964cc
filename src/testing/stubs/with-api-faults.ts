import type { Clock } from '../../machinery/clock.ts';
import type { JsonObject } from '../../machinery/json/json.ts';
import type { Status } from '../../machinery/meta/status.ts';
import {
  type ApiCall,
  type ApiFault,
  type ApiFaultKind,
  apiFaultStatus,
  expiredStatus,
  fitsApiCall,
  isApiFaultDue,
} from './api-fault.ts';
import { seededRandomFor } from './seeded-random.ts';

/** Faults of one world's API, with their counters. */
export interface ApiFaults {
  /** From the next request on, counting from 1 again. */
  readonly configure: (faults: readonly ApiFault[]) => void;
  /** The first due fault. Counts the request for every fault that matches. */
  readonly take: (call: ApiCall) => ApiFaultKind | undefined;
}

/** `seed`: the n-th matching request gets the same numbers, whatever precedes it. */
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
        if (!taken && isApiFaultDue(fault, number, seededRandomFor(`${seed} api ${index} ${number}`)))
          taken = fault.what;
      }
      return taken;
    },
  };
}

export interface FaultyEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';
  readonly object: JsonObject;
}

/** Returns a function that stops it; calls `end` when the watch ends. */
export type OpenFaultyWatch = (send: (event: FaultyEvent) => void, end: () => void) => () => void;

/** `status` is a fault's response, a `watch` may be cut off. */
export type FaultyResponse<Other, Printed> =
  | Other
  | { readonly type: 'status'; readonly status: Status; readonly warnings: readonly string[]; readonly isBare?: true }
  | { readonly type: 'watch'; readonly open: OpenFaultyWatch; readonly printed?: Printed };

export interface ApiFaultPorts<Request, Other, Printed> {
  readonly faults: ApiFaults;
  readonly clock: Clock;
  /** undefined for requests without faults, such as a controller's own. */
  readonly callOf: (request: Request) => ApiCall | undefined;
  /** A Status by default. */
  readonly refuse?: (status: Status) => FaultyResponse<Other, Printed>;
  /** Called for every fault that happens. */
  readonly onInjected?: (what: ApiFaultKind, call: ApiCall) => void;
}

/** A refused request is not handled. */
export function withApiFaults<Request, Other extends { readonly type: 'object' | 'document' }, Printed>(
  handle: (request: Request) => Promise<FaultyResponse<Other, Printed>>,
  { faults, clock, callOf, refuse = statusResponse, onInjected = () => {} }: ApiFaultPorts<Request, Other, Printed>,
): (request: Request) => Promise<FaultyResponse<Other, Printed>> {
  return async (request) => {
    const call = callOf(request);
    const what = call && faults.take(call);
    if (!call || !what) return handle(request);
    const status = apiFaultStatus(what, call);
    const response: FaultyResponse<Other, Printed> = status
      ? refuse(status)
      : faultyWatch(await handle(request), { what, call, clock });
    if (status || response.type === 'watch') onInjected(what, call);
    return response;
  };
}

const statusResponse = (status: Status): { type: 'status'; status: Status; warnings: readonly string[] } => ({
  type: 'status',
  status,
  warnings: [],
});

interface WatchFault {
  readonly what: ApiFaultKind;
  readonly call: ApiCall;
  readonly clock: Clock;
}

/** A refused watch stays as it is. */
function faultyWatch<Other extends { readonly type: 'object' | 'document' }, Printed>(
  response: FaultyResponse<Other, Printed>,
  { what, call, clock }: WatchFault,
): FaultyResponse<Other, Printed> {
  if (response.type !== 'watch') return response;
  if (what.type === 'expire-watch') return { ...response, open: expireWatch(response.open, expiredStatus(call)) };
  if (what.type === 'drop-watch') return { ...response, open: cutOffWatch(response.open, clock, what) };
  return response;
}

/** Sends one ERROR event. Opens the watch anyway, so that watch counters see its end. */
const expireWatch =
  (open: OpenFaultyWatch, status: Status): OpenFaultyWatch =>
  (send, end) => {
    const nothing = (): void => {};
    open(nothing, nothing)();
    send({ type: 'ERROR', object: status });
    end();
    return nothing;
  };

type DropWatch = Extract<ApiFaultKind, { readonly type: 'drop-watch' }>;

/** Bookmarks do not count as events. */
const cutOffWatch =
  (
    open: OpenFaultyWatch,
    clock: Clock,
    { afterMs, afterEvents }: Pick<DropWatch, 'afterMs' | 'afterEvents'>,
  ): OpenFaultyWatch =>
  (send, end) => {
    const over = new AbortController();
    let remaining = afterEvents ?? (afterMs === undefined ? 0 : Number.POSITIVE_INFINITY);
    let stop = (): void => {};
    const stopOnce = (): void => {
      if (over.signal.aborted) return;
      over.abort();
      stop();
    };
    const finish = (): void => {
      if (over.signal.aborted) return;
      stopOnce();
      end();
    };
    const pass = (event: FaultyEvent): void => {
      if (over.signal.aborted || remaining === 0) return;
      send(event);
      if (event.type !== 'BOOKMARK') remaining -= 1;
      if (remaining === 0) finish();
    };
    stop = open(pass, finish);
    if (over.signal.aborted) stop(); // It ended while it was being opened.
    else if (remaining === 0) finish();
    else if (afterMs !== undefined) void clock.sleep(afterMs, over.signal).then(finish);
    return stopOnce;
  };
