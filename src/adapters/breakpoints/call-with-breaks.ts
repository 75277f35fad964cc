import type { CallReply, CallWebhook, Hold, WebhookCall } from '../../apiserver/admission/webhooks/call.ts';
import type { Moment } from './break-point.ts';
import { shownBody } from './held-request.ts';
import type { Switches } from './switches.ts';
import { mostHeld } from './waiting-room.ts';
import type { Ending, WaitingRoom } from './waiting-room.ts';

export interface BreakPorts {
  readonly hit: Switches['hit'];
  readonly room: Pick<WaitingRoom, 'hold' | 'isFull'>;
  readonly now: () => number;
}

/** The port with breaks before and after the call. Whoever answers before it stands for the webhook, which is not called. */
export const callWithBreaks =
  (call: CallWebhook, ports: BreakPorts): CallWebhook =>
  async (asked) => {
    const before = await stopAt('before', asked, undefined, ports);
    if (before.reply) return withHolds(before.reply, before.holds);
    const reply = await call(asked);
    const after = await stopAt('after', asked, reply, ports);
    return withHolds(after.reply ?? reply, [...before.holds, ...after.holds]);
  };

const withHolds = (reply: CallReply, holds: readonly Hold[]): CallReply =>
  holds.length === 0 ? reply : { ...reply, holds };

interface Stop {
  readonly holds: readonly Hold[];
  /** What takes the place of the call or of its reply; undefined when they stay. */
  readonly reply?: CallReply;
}

async function stopAt(
  moment: Moment,
  asked: WebhookCall,
  reply: CallReply | undefined,
  { hit, room, now }: BreakPorts,
): Promise<Stop> {
  if (asked.signal?.aborted || !hit(moment, asked)) return { holds: [] };
  if (room.isFull()) return { holds: [], reply: tooMany };
  const startedAt = now();
  const ending = await room.hold(moment, asked, reply);
  const hold: Hold = { moment, startedAt, milliseconds: now() - startedAt, ...endOf(ending) };
  const replacement = replyOf(ending);
  if (!replacement) return { holds: [hold] };
  const replaced = ending.ended === 'resumed' && reply ? { replaced: whatCame(reply) } : {};
  return { holds: [{ ...hold, ...replaced }], reply: replacement };
}

const tooMany: CallReply = {
  outcome: 'failed',
  phase: 'canceled',
  error: `kadmit holds ${mostHeld} requests already: let some of them go on, or switch the break off`,
};

function endOf(ending: Ending): Pick<Hold, 'ended' | 'by'> {
  if (ending.ended !== 'resumed') return { ended: ending.ended, by: '' };
  return { ended: ending.action.action === 'continue' ? 'continued' : 'answered', by: ending.by };
}

function replyOf(ending: Ending): CallReply | undefined {
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

const whatCame = (reply: CallReply): ReturnType<typeof shownBody> =>
  reply.outcome === 'failed' ? reply.error : shownBody(reply.body);
