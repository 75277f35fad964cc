import type { CallReply, CallWebhook, Hold, WebhookCall } from '../../apiserver/admission/webhooks/call.ts';
import {
  createPausedRequests,
  type Ending,
  type PausedRequest,
  type PauseMoment,
  maxPaused,
  shownBody,
  type PausedRequests,
  type PausedRequestsPorts,
} from './paused-requests.ts';

export interface Breakpoints {
  readonly list: () => BreaksState;
  readonly switchOn: (points: readonly Breakpoint[]) => void;
  /** Paused requests stay paused. */
  readonly switchOff: (points: readonly Breakpoint[]) => void;
  readonly resume: PausedRequests['resume'];
  /** Calls back after every change; returns the unsubscribe function. */
  readonly subscribe: (listener: () => void) => () => void;
  /** Adds the breakpoints to a port. */
  readonly around: (call: CallWebhook) => CallWebhook;
  /** Resumes everything and pauses nothing any more. */
  readonly close: () => void;
}

interface BreaksState {
  readonly breaks: readonly CountedBreakpoint[];
  /** Paused longest first. */
  readonly held: readonly PausedRequest[];
}

export function createBreakpoints(ports: Omit<PausedRequestsPorts, 'onChanged'>): Breakpoints {
  const listeners = new Set<() => void>();
  const changed = (): void => {
    for (const listener of listeners) listener();
  };
  const switches = createBreakpointSet();
  const pausedRequests = createPausedRequests({ ...ports, onChanged: changed });
  let isClosed = false;
  return {
    list: () => ({ breaks: switches.list(), held: pausedRequests.list() }),
    switchOn: (added) => {
      switches.on(added);
      changed();
    },
    switchOff: (removed) => {
      switches.off(removed);
      changed();
    },
    resume: pausedRequests.resume,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    around: (call) =>
      callWithBreakpoints(call, {
        pausedRequests,
        now: ports.now,
        hit: (moment, webhookCall) => !isClosed && switches.hit(moment, webhookCall),
      }),
    close: () => {
      isClosed = true;
      pausedRequests.close();
    },
  };
}

interface BreakPorts {
  readonly hit: BreakpointSet['hit'];
  readonly pausedRequests: Pick<PausedRequests, 'hold' | 'isFull'>;
  readonly now: () => number;
}

/** Pauses before and after the call. A response given before the call replaces it. */
const callWithBreakpoints =
  (call: CallWebhook, ports: BreakPorts): CallWebhook =>
  async (webhookCall) => {
    const before = await pauseAt('before', webhookCall, undefined, ports);
    if (before.reply) return withHolds(before.reply, before.holds);
    const reply = await call(webhookCall);
    const after = await pauseAt('after', webhookCall, reply, ports);
    return withHolds(after.reply ?? reply, [...before.holds, ...after.holds]);
  };

const withHolds = (reply: CallReply, holds: readonly Hold[]): CallReply =>
  holds.length === 0 ? reply : { ...reply, holds };

interface Pause {
  readonly holds: readonly Hold[];
  /** Replaces the call or its reply. */
  readonly reply?: CallReply;
}

async function pauseAt(
  moment: PauseMoment,
  webhookCall: WebhookCall,
  reply: CallReply | undefined,
  { hit, pausedRequests, now }: BreakPorts,
): Promise<Pause> {
  if (webhookCall.signal?.aborted || !hit(moment, webhookCall)) return { holds: [] };
  if (pausedRequests.isFull()) return { holds: [], reply: tooManyPaused };
  const startedAt = now();
  const ending = await pausedRequests.hold(moment, webhookCall, reply);
  const hold: Hold = { moment, startedAt, milliseconds: now() - startedAt, ...describeEnding(ending) };
  const replacement = toReply(ending);
  if (!replacement) return { holds: [hold] };
  const replaced = ending.ended === 'resumed' && reply ? { replaced: receivedBody(reply) } : {};
  return { holds: [{ ...hold, ...replaced }], reply: replacement };
}

const tooManyPaused: CallReply = {
  outcome: 'failed',
  phase: 'canceled',
  error: `${maxPaused} requests are paused, the maximum: resume some of them, or remove the breakpoint`,
};

function describeEnding(ending: Ending): Pick<Hold, 'ended' | 'by'> {
  if (ending.ended !== 'resumed') return { ended: ending.ended, by: '' };
  return { ended: ending.action.action === 'continue' ? 'continued' : 'answered', by: ending.by };
}

function toReply(ending: Ending): CallReply | undefined {
  if (ending.ended !== 'resumed') return ending.ended === 'canceled' ? clientGone : undefined;
  if (ending.action.action === 'continue') return undefined;
  const body = new TextEncoder().encode(ending.action.body);
  return { outcome: 'answered', code: 200, contentType: 'application/json', body };
}

const clientGone: CallReply = {
  outcome: 'failed',
  phase: 'canceled',
  error: 'the client went away while the request was held',
};

const receivedBody = (reply: CallReply): ReturnType<typeof shownBody> =>
  reply.outcome === 'failed' ? reply.error : shownBody(reply.body);

interface CountedBreakpoint extends Breakpoint {
  readonly hits: number;
}

interface BreakpointSet {
  readonly list: () => readonly CountedBreakpoint[];
  readonly on: (points: readonly Breakpoint[]) => void;
  readonly off: (points: readonly Breakpoint[]) => void;
  /** Whether a breakpoint pauses this call now; counts it. */
  readonly hit: (moment: PauseMoment, call: WebhookCall) => boolean;
}

function createBreakpointSet(): BreakpointSet {
  const points = new Map<string, CountedBreakpoint>();
  return {
    list: () => [...points.values()],
    on: (added) => {
      for (const point of added) {
        const key = breakpointKey(point);
        points.set(key, points.get(key) ?? { ...point, hits: 0 });
      }
    },
    off: (removed) => {
      for (const point of removed) points.delete(breakpointKey(point));
    },
    hit: (moment, call) => {
      const point = [...points.values()].find((one) => one.moment === moment && matchesBreakpoint(one, call));
      if (point) points.set(breakpointKey(point), { ...point, hits: point.hits + 1 });
      return point !== undefined;
    },
  };
}

const breakpointKey = ({ webhook, moment }: Breakpoint): string => `${webhook}:${moment}`;

/** A breakpoint at every webhook of this name, in any configuration unless one is named. */
export interface Breakpoint {
  /** NAME or CONFIGURATION/NAME. */
  readonly webhook: string;
  readonly moment: PauseMoment;
}

export type BreakpointReading =
  | { readonly outcome: 'read'; readonly points: readonly Breakpoint[] }
  /** `problem` follows the text: `is not NAME[:before|:after|:both]…`. */
  | { readonly outcome: 'wrong'; readonly problem: string };

/** Reads `NAME[:before|:after|:both]`, where NAME is a webhook's or CONFIGURATION/NAME; the default is before. */
export function parseBreakpoint(text: string): BreakpointReading {
  const { webhook = '', moment = 'before' } = pattern.exec(text)?.groups ?? {};
  if (webhook === '') return { outcome: 'wrong', problem };
  const moments: readonly PauseMoment[] =
    moment === 'both' ? ['before', 'after'] : [moment === 'after' ? 'after' : 'before'];
  return { outcome: 'read', points: moments.map((one) => ({ webhook, moment: one })) };
}

const pattern = /^(?<webhook>[^\s:/]+(?:\/[^\s:/]+)?)(?::(?<moment>before|after|both))?$/;

const problem =
  'must be NAME[:before|:after|:both], where NAME is a webhook, or CONFIGURATION/NAME if two webhooks have the name';

export const matchesBreakpoint = (
  { webhook }: Breakpoint,
  { webhookName, configuration = '' }: Pick<WebhookCall, 'webhookName' | 'configuration'>,
): boolean => webhook === webhookName || webhook === `${configuration}/${webhookName}`;
