import { writeJsonForGo } from '../../machinery/json/json-writer.ts';
import { reviewSubject } from '../../apiserver/admission/webhooks/review.ts';
import type { CallPhase } from '../../apiserver/admission/webhooks/call.ts';
import type { ParseYaml } from '../../apiserver/admission/webhooks/read-review.ts';
import { checkReply, type ReplyVerdict, checkRecorded } from './check-reply.ts';
import type { RecordedCall } from './pick-call.ts';
import { type Destination, sendReview } from './send-review.ts';
import { sameJson } from '../../machinery/json/json-equal.ts';
import type { JsonValue } from '../../machinery/json/json.ts';
import { objectDiff } from '../../explain/trace/object-diff.ts';

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
    differences: compareVerdicts(recorded, now),
  };
}

function replayedWebhook({ configuration, name, phase, round, review, holds = [] }: RecordedCall): ReplayedWebhook {
  const answered = holds.find(({ ended }) => ended === 'answered');
  return { configuration, name, phase, round, about: reviewSubject(review), answeredBy: answered?.by ?? '' };
}

export interface VerdictDifference {
  readonly part: keyof ReplyVerdict;
  readonly lines: readonly { readonly sign: ' ' | '+' | '-'; readonly text: string }[];
}

const verdictParts = ['outcome', 'error', 'status', 'patch', 'object', 'warnings', 'auditAnnotations'] as const;

export function compareVerdicts(recorded: ReplyVerdict, now: ReplyVerdict): readonly VerdictDifference[] {
  return verdictParts.flatMap((part): readonly VerdictDifference[] => {
    const [before, after]: readonly [JsonValue, JsonValue] = [recorded[part], now[part]];
    if (sameJson(before, after)) return [];
    return [{ part, lines: differenceLines(part, before, after) }];
  });
}

function differenceLines(part: keyof ReplyVerdict, before: JsonValue, after: JsonValue): VerdictDifference['lines'] {
  if (part === 'object' || part === 'status' || part === 'auditAnnotations') {
    return objectDiff(before ?? {}, after ?? {}).map(({ sign, text }) => ({ sign, text }));
  }
  const [was, is] = [itemTexts(before), itemTexts(after)];
  const [gone, added] = [withoutTexts(was, is), withoutTexts(is, was)];
  // The same items in another order differ as a whole.
  const [less, more] = gone.length + added.length === 0 ? [was, is] : [gone, added];
  return [...less.map((text) => ({ sign: '-' as const, text })), ...more.map((text) => ({ sign: '+' as const, text }))];
}

const withoutTexts = (texts: readonly string[], others: readonly string[]): readonly string[] =>
  texts.filter((text) => !others.includes(text));

/** One text per item. */
const itemTexts = (value: JsonValue): readonly string[] =>
  Array.isArray(value)
    ? (value as readonly JsonValue[]).map((item) => (typeof item === 'string' ? item : JSON.stringify(item)))
    : [typeof value === 'string' ? value : JSON.stringify(value)].filter((text) => text !== '');
