import type { Finding } from '../findings/finding.ts';
import { whyNotAgain } from '../findings/order-remedy.ts';
import { conversionAtFault, conversionModels } from './conversion-model.ts';
import { ownWords } from './decision-model.ts';
import type { DecisionModel, PluginModel, WebhookModel } from './decision-model.ts';
import type { Tone } from './about-decision.ts';
import type { PolicyModel } from './policy-model.ts';
import { refusalMessage } from '../trace/refusal-message.ts';
import { refusalHint } from './refusal-hint.ts';
import { refusalPlace } from './refusal-place.ts';
import { resourceText } from '../trace/trace-summary.ts';
import type { Trace } from '../trace/trace.ts';

/** One thing to know about a request, in a line. */
export interface Headline {
  readonly tone: Tone;
  /** Why it is told, the most telling first: the order of headlines. */
  readonly about: 'refusal' | 'failed-open' | 'near-miss' | 'called' | 'no-webhook' | 'far-miss';
  readonly text: string;
  /** What helps, if anything does. */
  readonly hint?: string;
  /** The name of the webhook, plugin or policy it is about; empty for none. */
  readonly name: string;
  /** The key of the decision it is about. */
  readonly key?: string;
}

const order: readonly Headline['about'][] = ['refusal', 'failed-open', 'near-miss', 'called', 'no-webhook', 'far-miss'];

/** The headlines of a request, the most telling first; each webhook has at most one. */
export function headlinesOf(trace: Trace, decisions: readonly DecisionModel[]): readonly Headline[] {
  const all = [
    ...refusalElsewhere(trace, decisions),
    ...telling(trace, decisions).flatMap(headlineOf),
    ...noWebhook(trace, decisions),
  ];
  const told = new Set(decisions.filter((one) => isTold(one, trace)).map(({ key }) => key));
  const rank = ({ about, key = '' }: Headline): number => order.indexOf(about) * 2 + (told.has(key) ? 0 : 1);
  const ranked = all.toSorted((a, b) => rank(a) - rank(b));
  const seen = new Set<string>();
  return ranked.filter(({ name, key }) => {
    const one = key === undefined ? name : subjectOf(key);
    const isFirst = !seen.has(one);
    seen.add(one);
    return isFirst;
  });
}

/** Of a call that changed nothing the headline about it says the same as the finding. */
export const isHeadline = ({ rule, where }: Finding, shown: readonly Pick<Headline, 'name'>[]): boolean =>
  rule === 'changed-nothing' && shown.some(({ name }) => name === where.actors[0]?.name);

/** Of a refused request who let it pass unchanged has no part in it. */
const telling = ({ verdict }: Trace, decisions: readonly DecisionModel[]): readonly DecisionModel[] =>
  decisions.filter(
    (one) =>
      verdict === 'admitted' ||
      one.type !== 'webhook' ||
      one.outcome !== 'called' ||
      (one.source.patch ?? []).length > 0,
  );

/** The same webhook in another round or attempt is the same subject. */
const subjectOf = (key: string): string => key.split('/').toSpliced(2, 1).slice(1).join('/');

/** Is this, of several refusals, the one that the client was told of? */
function isTold(decision: DecisionModel, { response }: Trace): boolean {
  const told = response.status?.['message'];
  const said = decision.type === 'plugin' ? decision.message : decision.source.status?.['message'];
  return told !== undefined && said === told;
}

function headlineOf(decision: DecisionModel): readonly Headline[] {
  switch (decision.type) {
    case 'webhook':
      return webhookHeadline(decision);
    case 'plugin':
      return pluginHeadline(decision);
    case 'policy':
      return policyHeadline(decision);
  }
}

function policyHeadline(policy: PolicyModel): readonly Headline[] {
  const { name, binding, tone, sentence, key, source, outcome, nearness } = policy;
  if (source.reason?.because === 'not-reinvoked') return [];
  const title = binding === '' ? `policy ${name}` : `policy ${name} (binding ${binding})`;
  const words = outcome === 'skipped' ? `was not evaluated: ${sentence}` : sentence;
  const about = outcome === 'evaluated' ? 'called' : aboutOf({ outcome, nearness });
  return [{ about, text: `${title} ${words}`, tone, name, key }];
}

function webhookHeadline(webhook: WebhookModel): readonly Headline[] {
  const { name, tone, key, source } = webhook;
  if (source.reason?.because === 'not-reinvoked' || isExempt(webhook)) return [];
  const hint = webhook.advice.at(-1) ?? webhook.hints[0];
  const more = { tone, name, key, ...(hint === undefined ? {} : { hint }) };
  return [{ about: aboutOf(webhook), text: `${titleOf(webhook)} ${headWords(webhook)}`, ...more }];
}

/** `mutating webhook a.example.com (checks)`; of one that was called, whether it is called in any namespace. */
function titleOf({ phase, name, configuration, outcome, clauses, round, source }: WebhookModel): string {
  const [namespaces] = clauses;
  const isFirst = round === 0 && (outcome === 'called' || outcome === 'denied');
  const isAnywhere = isFirst && source.definition !== undefined && namespaces?.isEmpty === true;
  return `${phase} webhook ${name} (${configuration}${isAnywhere ? ', no namespaceSelector' : ''})`;
}

function aboutOf({ outcome, nearness }: Pick<WebhookModel, 'outcome' | 'nearness'>): Headline['about'] {
  switch (outcome) {
    case 'denied':
    case 'failed-closed':
    case 'refused':
      return 'refusal';
    case 'failed-open':
      return 'failed-open';
    case 'called':
      return 'called';
    case 'skipped':
      return nearness === 'near' ? 'near-miss' : 'far-miss';
  }
}

function headWords(webhook: WebhookModel): string {
  const { outcome, sentence, source } = webhook;
  if (source.assumed !== undefined) return `was ${sentence}`;
  if (outcome === 'skipped') return `was not called: ${sentence}`;
  if (outcome === 'denied') {
    return `denied${webhook.round === 1 ? ' in the second round' : ''}${ownWords(source)}`;
  }
  if (outcome !== 'called') return sentence;
  const { did, unseen } = webhook;
  const why = unseen === '' ? undefined : whyNotAgain(source);
  return `was called and ${did}${why === undefined ? '' : `; it has not seen ${unseen}: ${why}`}`;
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

/** Never asked about such an object, whatever its rules. */
export const isExempt = (one: DecisionModel): boolean =>
  one.type === 'webhook' && one.source.reason?.because === 'exempt';

/** Admission never sees them. */
const reads = new Set(['get', 'list', 'watch']);

function noWebhook(trace: Trace, decisions: readonly DecisionModel[]): readonly Headline[] {
  const webhooks = decisions.filter((one) => one.type === 'webhook');
  if (webhooks.some((one) => one.tone !== 'quiet' && !isExempt(one))) return [];
  if (decisions.some(({ type, outcome }) => type === 'policy' && outcome !== 'skipped')) return [];
  const headline = (text: string): readonly Headline[] => [{ about: 'no-webhook', tone: 'quiet', name: '', text }];
  const isRefused = trace.verdict === 'refused';
  if (reads.has(trace.request.verb)) return [];
  if (decisions.length === 0 && trace.objectReceived === undefined) {
    return isRefused ? [] : headline('no webhook was called: admission was not reached');
  }
  const exempt = webhooks.find(isExempt);
  if (exempt) return headline(`no webhook was called: ${exempt.sentence}`);
  if (webhooks.length > 0) {
    const known = new Set(webhooks.map(({ key }) => subjectOf(key))).size;
    const count = known === 1 ? 'the 1 webhook here is' : `none of the ${known} webhooks here is`;
    const meant = known === 1 ? 'not meant' : 'meant';
    return headline(
      `no webhook was called: ${count} ${meant} for ${trace.request.verb} of ${resourceText(trace.request)}`,
    );
  }
  if (isRefused) return headline('no webhook was considered before the refusal');
  return headline('no webhook was called: no webhook configuration is stored on this server');
}
