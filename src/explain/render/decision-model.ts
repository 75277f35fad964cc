import { asObject, asString, type JsonObject, valueAt } from '../../machinery/json/json.ts';
import { adviceFor, failureText, phaseSentence } from '../findings/failure-advice.ts';
import { holdText, ownMilliseconds, conditionSentence, durationText, skipSentence } from '../trace/sentences.ts';
import { describeChange } from '../findings/describe-field.ts';
import { singleChanges } from '../findings/trace-view.ts';
import { sentWarningTexts } from './call-notes.ts';
import { hintsFor } from './skip-hints.ts';
import { type Nearness, nearnessOf } from './near-miss.ts';
import { policyModel, type PolicyModel } from './policy-model.ts';
import { objectDiff } from '../trace/object-diff.ts';
import { isWithoutEffect, type States } from '../trace/object-states.ts';
import type { Trace, TracedDecision, TracedPlugin, TracedWebhook } from '../trace/trace.ts';
import { type Clause, clausesOf } from '../trace/webhook-clauses.ts';
import type { DecisionBase, Tone } from './about-decision.ts';

export type DecisionModel = WebhookModel | PluginModel | PolicyModel;

export interface WebhookModel extends DecisionBase {
  readonly type: 'webhook';
  readonly configuration: string;
  readonly index: number;
  readonly outcome: TracedWebhook['outcome'];
  /** Of a call that was allowed: `added container late`, `changed nothing`, `allowed it`; else empty. */
  readonly did: string;
  /** Later changes that it was not called for: `container late of side.example.com (sidecars)`; empty for none. */
  readonly unseen: string;
  /** Of a skipped one. */
  readonly nearness: Nearness | null;
  /** In the order of evaluation. */
  readonly clauses: readonly Clause[];
  readonly hints: readonly string[];
  /** Of a failed one. */
  readonly advice: readonly string[];
  /** The results of its matchConditions, without the one in `sentence`. */
  readonly conditions: readonly string[];
  readonly warnings: readonly string[];
  readonly startedAt: number;
  readonly milliseconds: number;
  readonly timeoutMilliseconds: number | null;
  readonly failurePolicy: string;
  readonly source: TracedWebhook;
}

export interface PluginModel extends DecisionBase {
  readonly type: 'plugin';
  readonly outcome: TracedPlugin['outcome'];
  /** Of a denial: the client's message; else empty. */
  readonly message: string;
  readonly milliseconds: number;
}

export interface DecisionContext {
  /** Present when it changed the object. */
  readonly states: States | undefined;
  /** Later changes that it was not called for; empty for none. */
  readonly unseen: string;
}

type Changed = Pick<DecisionBase, 'diff' | 'changes'>;

export function decisionModel(trace: Trace, decision: TracedDecision, known: DecisionContext): DecisionModel {
  const { states } = known;
  const diff = states ? objectDiff(states.before, states.after) : [];
  const changes = states ? singleChanges(states.before, states.after) : [];
  switch (decision.type) {
    case 'webhook':
      return webhookModel(trace, decision, { ...known, diff, changes });
    case 'plugin':
      return pluginModel(decision, { diff, changes });
    case 'policy':
      return policyModel(trace, decision, { diff, changes, createKey: keyOf });
  }
}

const keyOf = ({ attempt = 0, phase, round, type, name }: TracedDecision, more = ''): string =>
  `${attempt}/${phase}/${round}/${type}/${name}${more}`;

function webhookModel(
  trace: Trace,
  webhook: TracedWebhook,
  { states, unseen, diff, changes }: DecisionContext & Changed,
): WebhookModel {
  const { name, phase, round, attempt = 0, configuration, index, outcome } = webhook;
  const { startedAt, milliseconds } = webhook;
  const nearness = outcome === 'skipped' ? nearnessOf(webhook, trace.request) : null;
  return {
    type: 'webhook',
    key: keyOf(webhook, `/${configuration}/${index}`),
    name,
    phase,
    round,
    attempt,
    configuration,
    index,
    outcome,
    nearness,
    tone: webhook.assumed === 'allow' ? 'warn' : toneOf(outcome, nearness),
    did: didText(webhook, states),
    unseen,
    sentence: sentenceOf(webhook, trace, states) + unseenText(webhook, unseen) + holdText(webhook),
    clauses: clausesOf(webhook, trace.request),
    // A webhook that does not match needs no hint.
    hints: nearness === 'far' ? [] : hintsFor(webhook, trace),
    advice: webhook.assumed === undefined ? adviceFor(webhook) : [],
    conditions: conditionLines(webhook),
    diff,
    changes,
    warnings: sentWarningTexts(webhook),
    startedAt,
    milliseconds,
    timeoutMilliseconds: webhook.timeoutMilliseconds ?? null,
    failurePolicy: asString(webhook.definition?.['failurePolicy']) || 'Fail',
    source: webhook,
  };
}

function toneOf(outcome: TracedWebhook['outcome'], nearness: Nearness | null): Tone {
  switch (outcome) {
    case 'called':
      return 'good';
    case 'skipped':
      return nearness === 'near' ? 'warn' : 'quiet';
    case 'failed-open':
      return 'warn';
    case 'failed-closed':
    case 'denied':
    case 'refused':
      return 'bad';
  }
}

function sentenceOf(webhook: TracedWebhook, { request }: Trace, states: States | undefined): string {
  if (webhook.assumed !== undefined) return assumedText[webhook.assumed];
  const took = durationText(ownMilliseconds(webhook));
  switch (webhook.outcome) {
    case 'called':
      return webhook.phase === 'validating' ? `allowed in ${took}` : `allowed in ${took}, ${didText(webhook, states)}`;
    case 'denied':
      return `denied in ${took}${ownText(webhook)}`;
    case 'failed-open':
      return `failed ${failureWords(webhook, took)}; failurePolicy Ignore let the request pass`;
    case 'failed-closed':
      return `failed ${failureWords(webhook, took)}; ${closedBy(webhook)}`;
    case 'refused':
      return `refused the request before the call, ${refusedBy(webhook)}: ${messageOf(webhook.status)}`;
    case 'skipped':
      return webhook.reason ? skipSentence(webhook.reason, request, webhook) : 'no reason recorded';
  }
}

/** Of a webhook that `--assume` answers for. */
const assumedText = {
  allow: 'not called; --assume allows the request',
  deny: 'not called; --assume denies the request',
  ignore: 'not called; --assume ignores it, as if the call had failed open',
} as const;

const unseenText = ({ outcome }: TracedWebhook, unseen: string): string =>
  outcome === 'skipped' && unseen !== '' ? `; ${unseen}` : '';

function didText(webhook: TracedWebhook, states: States | undefined): string {
  const { outcome, phase, patch = [] } = webhook;
  if (outcome !== 'called') return '';
  if (phase === 'validating') return 'allowed it';
  if (patch.length === 0) return 'changed nothing';
  // Without the object before it only the patch is known.
  if (states === undefined) return `sent a patch of ${patch.length}`;
  const changes = singleChanges(states.before, states.after);
  if (!isWithoutEffect(webhook) || changes.length === 0) return describeChange(changes);
  return `changed nothing (${describeChange(changes)}, which makes no difference to the API server)`;
}

/** The webhook's own message, following `denied`. */
export function ownText({ answer, status }: TracedWebhook): string {
  if (answer === undefined) return `: ${messageOf(status)}`;
  const answered = asObject(valueAt(answer, 'response', 'status'));
  const words = asString(answered['message']) || asString(answered['reason']);
  return words === '' ? ' without explanation' : `: ${words}`;
}

const messageOf = (status: JsonObject | undefined): string => asString(status?.['message']) || 'without a message';

/** The error text without the name of the webhook, which the line has already. */
function failureWords(webhook: TracedWebhook, took: string): string {
  const { failurePhase } = webhook;
  const how = failurePhase ? phaseSentence(failurePhase) : '';
  return failurePhase === 'dry-run' ? how : `${how}, after ${took}: ${failureText(webhook)}`;
}

/** A dry run and an invalid patch refuse the request whatever failurePolicy says (rules DRY-3, MUT-11). */
const closedBy = ({ failurePhase }: TracedWebhook): string =>
  failurePhase === 'dry-run' || failurePhase === 'patch'
    ? 'that refuses the request'
    : 'failurePolicy Fail refused the request';

/** failurePolicy applies to a failed expression (rule SEL-61), not to a failed selection. */
const refusedBy = ({ conditions = [] }: TracedWebhook): string =>
  conditions.some(({ result }) => result === 'error')
    ? 'since a matchCondition failed and failurePolicy is Fail'
    : 'whatever its failurePolicy';

function conditionLines({ conditions = [], reason }: TracedWebhook): readonly string[] {
  const decided = reason?.because === 'matchCondition' ? reason.condition : undefined;
  return conditions.filter(({ condition }) => condition !== decided).map(conditionSentence);
}

function pluginModel(plugin: TracedPlugin, { diff, changes }: Changed): PluginModel {
  const { name, phase, round, attempt = 0, outcome, milliseconds, message = '', patch = [] } = plugin;
  const paths = patch.map(({ path }) => asString(path)).filter((path) => !path.startsWith('/metadata/managedFields'));
  const sentences = {
    passed: 'allowed it',
    changed: `changed ${[...new Set(paths)].join(', ')}`,
    denied: `denied: ${message}`,
  };
  const tone = outcome === 'denied' ? 'bad' : outcome === 'changed' ? 'good' : 'quiet';
  const sentence = sentences[outcome];
  const about: DecisionBase = { key: keyOf(plugin), name, phase, round, attempt, tone, sentence, diff, changes };
  return { ...about, type: 'plugin', outcome, message, milliseconds };
}

/** Its url, or `service NAMESPACE/NAME:PORT/PATH`. */
export function webhookAddress({ definition }: Pick<TracedWebhook, 'definition'>): string {
  const { url, service } = asObject(definition?.['clientConfig']);
  if (typeof url === 'string') return url;
  const { namespace, name, port, path } = asObject(service);
  if (name === undefined) return '';
  return `service ${asString(namespace)}/${asString(name)}:${typeof port === 'number' ? port : 443}${asString(path)}`;
}
