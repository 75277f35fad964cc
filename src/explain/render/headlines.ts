import type { Finding } from '../findings/finding.ts';
import { byCallee, calleeHeadline } from './callee-headline.ts';
import type { CalleeDecisions } from './callee-headline.ts';
import { conversionAtFault, conversionModels } from './conversion-model.ts';
import { deletionHint } from './deletion-hint.ts';
import type { DecisionModel, PluginModel } from './decision-model.ts';
import type { Headline } from './headline.ts';
import { refusalMessage } from '../trace/refusal-message.ts';
import { refusalHint } from './refusal-hint.ts';
import { noWebhook } from './no-webhook.ts';
import { refusalPlace } from './refusal-place.ts';
import type { Trace } from '../trace/trace.ts';

const order: readonly Headline['about'][] = ['refusal', 'failed-open', 'near-miss', 'called', 'no-webhook', 'far-miss'];

/** The headlines of a request, the most telling first; each webhook and policy has at most one. */
export function headlinesOf(trace: Trace, decisions: readonly DecisionModel[]): readonly Headline[] {
  const isReceived = (one: DecisionModel): boolean => isTold(one, trace);
  const callees = decisions.flatMap((one) => (one.type === 'plugin' ? [] : [one]));
  const all = [
    ...refusalElsewhere(trace, decisions),
    ...byCallee(callees)
      .filter((one) => hasPart(one, trace))
      .flatMap((one) => calleeHeadline(one, isReceived)),
    ...decisions.flatMap((one) => (one.type === 'plugin' ? pluginHeadline(one) : [])),
    ...noWebhook(trace, decisions),
  ];
  const received = new Set(decisions.filter(isReceived).map(({ key }) => key));
  const rank = ({ about, key = '' }: Headline): number => order.indexOf(about) * 2 + (received.has(key) ? 0 : 1);
  const deletion = deletionHint(trace);
  return all
    .toSorted((a, b) => rank(a) - rank(b))
    .map((one) => (one.about === 'refusal' && deletion !== undefined ? { ...one, hint: deletion } : one));
}

/** Of a call that changed nothing the headline about it says the same as the finding. */
export const isHeadline = ({ rule, where }: Finding, shown: readonly Pick<Headline, 'name'>[]): boolean =>
  rule === 'changed-nothing' && shown.some(({ name }) => name === where.actors[0]?.name);

/** Has it a part in what became of the request? Of a refused one, a webhook that let it pass as it was has none. */
const hasPart = (callee: CalleeDecisions, { verdict }: Trace): boolean =>
  verdict === 'admitted' ||
  !callee.some(({ outcome }) => outcome !== 'skipped') ||
  callee.some(
    (one) =>
      (one.outcome !== 'skipped' && one.outcome !== 'called') ||
      (one.source.patch ?? []).length > 0 ||
      one.type === 'policy',
  );

/** Is this, of several refusals, the one that the client was told of? */
function isTold(decision: DecisionModel, { response }: Trace): boolean {
  const told = response.status?.['message'];
  const said = decision.type === 'plugin' ? decision.message : decision.source.status?.['message'];
  return told !== undefined && said === told;
}

function pluginHeadline({ outcome, name, phase, sentence, tone, key }: PluginModel): readonly Headline[] {
  if (outcome !== 'denied') return [];
  return [{ about: 'refusal', tone, name, key, text: `${phase} plugin ${name} ${sentence}` }];
}

/** A refusal that no webhook or plugin spoke: the stage at which it happened. */
function refusalElsewhere(trace: Trace, decisions: readonly DecisionModel[]): readonly Headline[] {
  if (trace.verdict === 'admitted' || decisions.some(({ tone }) => tone === 'bad')) return [];
  const fault = conversionAtFault(trace);
  const who = fault ? `the converter of ${fault.definition}` : 'the API server itself';
  const text = `refused by ${who}, ${refusalPlace(trace)}: ${refusalMessage(trace)}`;
  const hint = fault ? conversionModels({ conversions: [fault] })[0]?.advice.at(-1) : refusalHint(trace);
  return [{ about: 'refusal', tone: 'bad', name: '', text, ...(hint === undefined ? {} : { hint }) }];
}
