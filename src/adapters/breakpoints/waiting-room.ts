import type { CallReply, WebhookCall } from '../../apiserver/admission/webhooks/call.ts';
import type { JsonValue } from '../../machinery/json/json.ts';
import type { Moment } from './break-point.ts';
import { heldRequest } from './held-request.ts';
import type { HeldRequest } from './held-request.ts';
import { readAction } from './read-action.ts';
import type { Action } from './read-action.ts';

/** The requests that are held now. */
export interface WaitingRoom {
  /** Longest held first. */
  readonly list: () => readonly HeldRequest[];
  readonly isFull: () => boolean;
  /** Resolves when somebody resumes the request, its client goes away, or the room closes. */
  readonly hold: (moment: Moment, call: WebhookCall, reply?: CallReply) => Promise<Ending>;
  /** Lets one go on as `json` says (see read-action.ts); `by` is who says so. */
  readonly resume: (id: string, json: JsonValue, by: string) => Promise<Resumed>;
  /** Lets all go on. */
  readonly close: () => void;
}

/** How a hold ended. */
export type Ending =
  | { readonly ended: 'canceled' | 'closed' }
  | { readonly ended: 'resumed'; readonly action: Action; readonly by: string };

export type Resumed =
  | { readonly outcome: 'resumed'; readonly held: HeldRequest }
  | { readonly outcome: 'unknown' }
  | { readonly outcome: 'wrong'; readonly problem: string };

export interface WaitingRoomPorts {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Told of each request that is held from now on. */
  readonly onHeld: (held: HeldRequest) => void;
  /** Told whenever the list is another. */
  readonly onChanged: () => void;
}

/** How many requests can be held at once. */
export const mostHeld = 100;

interface Waiting {
  readonly held: HeldRequest;
  readonly end: (ending: Ending) => void;
}

export function createWaitingRoom({ now, onHeld, onChanged }: WaitingRoomPorts): WaitingRoom {
  const waiting = new Map<string, Waiting>();
  let count = 0;
  return {
    list: () => [...waiting.values()].map(({ held }) => held),
    isFull: () => waiting.size >= mostHeld,
    hold: async (moment, call, reply) => {
      count += 1;
      const held = heldRequest({ id: String(count), moment, since: now() }, call, reply);
      const letTimeGoOn = call.standStill?.();
      const ending = await untilEnded(call.signal, (end) => {
        waiting.set(held.id, { held, end });
        onHeld(held);
        onChanged();
      });
      letTimeGoOn?.();
      waiting.delete(held.id);
      onChanged();
      return ending;
    },
    resume: async (id, json, by) => {
      const found = waiting.get(id);
      if (!found) return { outcome: 'unknown' };
      const reading = await readAction(json, found.held);
      if (reading.outcome === 'wrong') return reading;
      // While it was read, somebody else may have been faster.
      if (!waiting.delete(id)) return { outcome: 'unknown' };
      found.end({ ended: 'resumed', action: reading.action, by });
      return { outcome: 'resumed', held: found.held };
    },
    close: () => {
      for (const { end } of waiting.values()) end({ ended: 'closed' });
    },
  };
}

/** Waits for `end` to be called, or for the client to go away. */
function untilEnded(signal: AbortSignal | undefined, begin: (end: (ending: Ending) => void) => void): Promise<Ending> {
  return new Promise((resolve) => {
    const leave = (): void => resolve({ ended: 'canceled' });
    if (signal?.aborted) return leave();
    signal?.addEventListener('abort', leave);
    begin((ending) => {
      signal?.removeEventListener('abort', leave);
      resolve(ending);
    });
  });
}
