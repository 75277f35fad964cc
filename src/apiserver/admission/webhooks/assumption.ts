import type { Middleware } from '../../../machinery/middleware.ts';
import type { AssumedVerdict, CallPhase, CallReply, CallWebhook, WebhookCall } from './call.ts';

/** `--assume NAME=VERDICT`. */
export interface AssumedResponse {
  /** A webhook, a configuration, or `CONFIGURATION/WEBHOOK`; `*`: every webhook without a backend. */
  readonly webhook: string;
  readonly verdict: AssumedVerdict;
}

/**
 * Returns assumed responses: named webhooks are not called, `*` applies when no backend is reachable. Admission
 * webhooks only.
 */
export const withAssumedResponses =
  (assumptions: readonly AssumedResponse[]): Middleware<CallWebhook> =>
  (call) =>
    assumptions.length === 0 ? call : (webhookCall) => answerFor(webhookCall, call, assumptions);

async function answerFor(
  webhookCall: WebhookCall,
  call: CallWebhook,
  assumptions: readonly AssumedResponse[],
): Promise<CallReply> {
  const named = webhookCall.phase && assumptionFor({ name: webhookCall.webhookName, ...webhookCall }, assumptions);
  if (named) return assumedReply(named);
  const reply = await call(webhookCall);
  if (reply.outcome !== 'failed' || webhookCall.phase === undefined || !isAbsent(reply.phase)) return reply;
  const verdict = assumedForAbsent(assumptions);
  return verdict === undefined ? reply : assumedReply(verdict);
}

export function assumptionFor(
  { name, configuration = '' }: { readonly name: string; readonly configuration?: string },
  assumptions: readonly AssumedResponse[],
): AssumedVerdict | undefined {
  const names = [`${configuration}/${name}`, name, configuration];
  return names.flatMap((one) => assumptions.filter(({ webhook }) => webhook === one))[0]?.verdict;
}

export const assumedForAbsent = (assumptions: readonly AssumedResponse[]): AssumedVerdict | undefined =>
  assumptions.find(({ webhook }) => webhook === '*')?.verdict;

/** The phase shows that no backend exists. */
export const isAbsent = (phase: CallPhase): boolean => phase === 'resolve' || phase === 'connect';

const assumedReply = (verdict: AssumedVerdict): CallReply => ({
  outcome: 'failed',
  phase: 'client',
  error: `not called: kadmit assumes "${verdict}" (--assume)`,
  assumed: verdict,
});
