import { writeJsonForGo } from '../../machinery/json/json-writer.ts';
import { reviewSubject } from '../../apiserver/admission/webhooks/review.ts';
import type { CallPhase } from '../../apiserver/admission/webhooks/call.ts';
import type { ParseYaml } from '../../apiserver/admission/webhooks/read-review.ts';
import { compareJudgements, type VerdictDifference } from './compare.ts';
import { checkReply, type ReplyVerdict, checkRecorded } from './judge.ts';
import type { RecordedCall } from './pick-call.ts';
import { type Destination, sendReview } from './send-review.ts';

export type Replayed =
  | {
      readonly outcome: 'answered';
      readonly webhook: ReplayedWebhook;
      readonly recorded: ReplyVerdict;
      readonly now: ReplyVerdict;
      readonly differences: readonly VerdictDifference[];
    }
  /** The webhook did not respond. */
  | { readonly outcome: 'unreachable'; readonly phase: CallPhase; readonly error: string };

export interface ReplayedWebhook {
  readonly configuration: string;
  readonly name: string;
  readonly phase: 'mutating' | 'validating';
  readonly round: 0 | 1;
  /** `CREATE pods shop/web`. */
  readonly about: string;
  /** Who answered in place of the webhook, at a breakpoint; '' for the webhook itself. */
  readonly answeredBy: string;
}

/** Sends the recorded review again and compares the responses. */
export async function replayCall(call: RecordedCall, to: Destination, parseYaml: ParseYaml): Promise<Replayed> {
  const url = new URL(to.url);
  if (call.timeoutMilliseconds !== undefined)
    url.searchParams.set('timeout', `${Math.ceil(call.timeoutMilliseconds / 1000)}s`);
  const reply = await sendReview({ ...to, url }, `${writeJsonForGo(call.review)}\n`);
  if (reply.outcome === 'failed') return { outcome: 'unreachable', phase: reply.phase, error: reply.error };
  const [recorded, now] = await Promise.all([checkRecorded(call, parseYaml), checkReply(reply, call, parseYaml)]);
  return {
    outcome: 'answered',
    webhook: replayedWebhook(call),
    recorded,
    now,
    differences: compareJudgements(recorded, now),
  };
}

function replayedWebhook({ configuration, name, phase, round, review, holds = [] }: RecordedCall): ReplayedWebhook {
  const answered = holds.find(({ ended }) => ended === 'answered');
  return { configuration, name, phase, round, about: reviewSubject(review), answeredBy: answered?.by ?? '' };
}
