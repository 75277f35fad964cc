import { asString } from '../../../machinery/json/json.ts';
import { failureText } from '../../../explain/findings/failure-advice.ts';
import { skipSentence } from '../../../explain/trace/sentences.ts';
import type { Trace, TracedDecision, TracedRequest, TracedWebhook } from '../../../explain/trace/trace.ts';

export const webhooksIn = (trace: Trace): readonly TracedWebhook[] =>
  trace.admission.filter((decision) => decision.type === 'webhook');

export const webhookWasCalled = ({ outcome, failurePhase }: TracedWebhook): boolean =>
  outcome !== 'skipped' && outcome !== 'refused' && failurePhase !== 'dry-run';

/** A policy whose expression fails closed denies. */
export const hasDenied = ({ outcome, type }: TracedDecision): boolean =>
  outcome === 'denied' || outcome === 'refused' || (type === 'policy' && outcome === 'failed-closed');

/** NAME, or `configuration/a.example.com`, `policy/a`, `plugin/Priority` to distinguish equal names. */
export const hasDecisionName = (decision: TracedDecision, name: string): boolean => {
  const owner = decision.type === 'webhook' ? decision.configuration : decision.type;
  return decision.name === name || `${owner}/${decision.name}` === name;
};

/** Omits that a webhook was not called again if it has an outcome in round 0. */
export function outcomeSentences(decisions: readonly TracedWebhook[], request: TracedRequest): string {
  const first = decisions.filter(({ round, outcome }) => round === 0 || outcome !== 'skipped');
  return (first.length > 0 ? first : decisions).map((decided) => outcomeSentence(decided, request)).join(', and ');
}

/** Follows the webhook's name in a sentence. */
export function outcomeSentence(webhook: TracedWebhook, request: TracedRequest): string {
  const again = webhook.round === 1 ? ' in round 1' : '';
  switch (webhook.outcome) {
    case 'called':
      return `was called${again} and allowed the request`;
    case 'denied':
      return `denied the request${again}: ${denialMessage(webhook)}`;
    case 'skipped':
      return `was skipped${again}: ${webhook.reason ? skipSentence(webhook.reason, request, webhook) : 'no reason is recorded'}`;
    case 'failed-open':
      return `failed open${again}: ${failureSentence(webhook)}`;
    case 'failed-closed':
      return `failed closed${again}: ${failureSentence(webhook)}`;
    case 'refused':
      return `refused the request before its call${again}: ${denialMessage(webhook)}`;
  }
}

const denialMessage = ({ status }: TracedWebhook): string => asString(status?.['message']) || 'without a message';

/** Without the name of the webhook, which begins the sentence. */
export function failureSentence(webhook: TracedWebhook): string {
  const { failurePhase } = webhook;
  const text = failureText(webhook) || 'no error is recorded';
  return failurePhase === undefined ? text : `${text} (phase ${failurePhase})`;
}
