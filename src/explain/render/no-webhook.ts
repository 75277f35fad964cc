import { listWords } from '../findings/field-words.ts';
import { resourceText } from '../trace/trace-summary.ts';
import type { Trace } from '../trace/trace.ts';
import { byCallee } from './callee-headline.ts';
import type { DecisionModel, WebhookModel } from './decision-model.ts';
import type { Headline } from './headline.ts';

/** kube-apiserver calls no webhooks for such an object. */
export const isExempt = (one: DecisionModel): boolean =>
  one.type === 'webhook' && one.source.reason?.because === 'exempt';

/** Reads pass no admission. */
const reads = new Set(['get', 'list', 'watch']);

/** Why no webhook was called, unless a webhook or policy has its own headline. */
export function noWebhook(trace: Trace, decisions: readonly DecisionModel[]): readonly Headline[] {
  const webhooks = decisions.filter((one) => one.type === 'webhook');
  const isToldOf = webhooks.some((one) => one.tone !== 'quiet' && !isExempt(one));
  const hasPolicy = decisions.some(({ type, outcome }) => type === 'policy' && outcome !== 'skipped');
  if (isToldOf || hasPolicy || reads.has(trace.request.verb)) return [];
  const text = trace.verdict === 'refused' ? refusedWords(trace, decisions) : admittedWords(trace, decisions, webhooks);
  return text === undefined ? [] : [{ about: 'no-webhook', tone: 'quiet', name: '', text }];
}

function refusedWords({ objectReceived }: Trace, decisions: readonly DecisionModel[]): string | undefined {
  if (decisions.length === 0 && objectReceived === undefined) return undefined;
  return 'no webhook was called before the refusal';
}

function admittedWords(trace: Trace, decisions: readonly DecisionModel[], webhooks: readonly WebhookModel[]): string {
  const none = 'no webhook was called';
  const exempt = webhooks.find(isExempt);
  if (decisions.length === 0 && trace.objectReceived === undefined) return `${none}: admission was not reached`;
  if (exempt) return `${none}: ${exempt.sentence}`;
  if (webhooks.length === 0) return `${none}: ${configurationWords(trace)}`;
  const known = byCallee(webhooks).length;
  const count = known === 1 ? 'the only webhook does not match' : `none of the ${known} webhooks matches`;
  return `${none}: ${count} ${trace.request.verb} of ${resourceText(trace.request)}`;
}

function configurationWords({ emptyConfigurations: empty = [] }: Trace): string {
  if (empty.length === 0) return 'no webhook configuration is stored on this server';
  const are = empty.length === 1 ? ['configuration', 'is'] : ['configurations', 'are'];
  return `${are[0]} ${listWords(empty)} ${are[1]} stored without webhooks (webhooks: [])`;
}
