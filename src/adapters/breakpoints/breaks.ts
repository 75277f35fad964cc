import type { CallWebhook } from '../../apiserver/admission/webhooks/call.ts';
import type { BreakPoint } from './break-point.ts';
import { callWithBreaks } from './call-with-breaks.ts';
import type { HeldRequest } from './held-request.ts';
import { createSwitches } from './switches.ts';
import type { SwitchedOn } from './switches.ts';
import { createWaitingRoom } from './waiting-room.ts';
import type { WaitingRoom, WaitingRoomPorts } from './waiting-room.ts';

/** The switches that hold requests at a webhook, and the requests they hold now. */
export interface Breaks {
  readonly list: () => BreaksState;
  readonly switchOn: (points: readonly BreakPoint[]) => void;
  /** What is held stays so. */
  readonly switchOff: (points: readonly BreakPoint[]) => void;
  readonly resume: WaitingRoom['resume'];
  /** Calls back after every change; returns what ends that. */
  readonly subscribe: (listener: () => void) => () => void;
  /** The port with the breaks in it. */
  readonly around: (call: CallWebhook) => CallWebhook;
  /** Lets everything go on, and holds nothing any more. */
  readonly close: () => void;
}

export interface BreaksState {
  readonly breaks: readonly SwitchedOn[];
  /** Longest held first. */
  readonly held: readonly HeldRequest[];
}

/** Nothing is switched on at first. */
export function createBreaks(ports: Omit<WaitingRoomPorts, 'onChanged'>): Breaks {
  const listeners = new Set<() => void>();
  const changed = (): void => {
    for (const listener of listeners) listener();
  };
  const switches = createSwitches();
  const room = createWaitingRoom({ ...ports, onChanged: changed });
  let isClosed = false;
  return {
    list: () => ({ breaks: switches.list(), held: room.list() }),
    switchOn: (added) => {
      switches.on(added);
      changed();
    },
    switchOff: (removed) => {
      switches.off(removed);
      changed();
    },
    resume: room.resume,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    around: (call) =>
      callWithBreaks(call, { room, now: ports.now, hit: (moment, asked) => !isClosed && switches.hit(moment, asked) }),
    close: () => {
      isClosed = true;
      room.close();
    },
  };
}
