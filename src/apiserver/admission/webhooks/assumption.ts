import type { Around } from '../../../machinery/around.ts';
import type { AssumedVerdict, CallPhase, CallReply, CallWebhook, WebhookCall } from './call.ts';

/** One `--assume NAME=VERDICT`. */
export interface Assumption {
  /** A webhook, a configuration, or `CONFIGURATION/WEBHOOK`; `*`: whoever has no backend. */
  readonly webhook: string;
  readonly verdict: AssumedVerdict;
}

/**
 * Answers for the webhooks that nobody runs: who is named is not called at all, and `*` answers for each whose address
 * is not known or at which nobody listens. Only admission webhooks are answered for.
 */
export const assuming =
  (assumptions: readonly Assumption[]): Around<CallWebhook> =>
  (call) =>
    assumptions.length === 0 ? call : (asked) => answerFor(asked, call, assumptions);

async function answerFor(
  asked: WebhookCall,
  call: CallWebhook,
  assumptions: readonly Assumption[],
): Promise<CallReply> {
  const named = asked.phase && assumptionFor({ name: asked.webhookName, ...asked }, assumptions);
  if (named) return assumedReply(named);
  const reply = await call(asked);
  if (reply.outcome !== 'failed' || asked.phase === undefined || !isAbsent(reply.phase)) return reply;
  const verdict = assumedOfAbsent(assumptions);
  return verdict === undefined ? reply : assumedReply(verdict);
}

/** What is assumed of a webhook by its name, or that of its configuration. */
export function assumptionFor(
  { name, configuration = '' }: { readonly name: string; readonly configuration?: string },
  assumptions: readonly Assumption[],
): AssumedVerdict | undefined {
  const names = [`${configuration}/${name}`, name, configuration];
  return names.flatMap((one) => assumptions.filter(({ webhook }) => webhook === one))[0]?.verdict;
}

/** What is assumed of those that have no backend. */
export const assumedOfAbsent = (assumptions: readonly Assumption[]): AssumedVerdict | undefined =>
  assumptions.find(({ webhook }) => webhook === '*')?.verdict;

/** Is there nobody to call, as far as that can be told from how far a call came? */
export const isAbsent = (phase: CallPhase): boolean => phase === 'resolve' || phase === 'connect';

const assumedReply = (verdict: AssumedVerdict): CallReply => ({
  outcome: 'failed',
  phase: 'client',
  error: `not called: kadmit assumes "${verdict}" (--assume)`,
  assumed: verdict,
});
