import type { SkipReason } from '../../apiserver/admission/chain/skip-reason.ts';
import { asList, asObject, asString, type JsonValue } from '../../machinery/json/json.ts';
import { readLabelSelector, selectorSentence } from '../../machinery/selectors/label-selector.ts';
import { conditionSentence, skipSentence } from './sentences.ts';
import type { TracedRequest, TracedWebhook } from './trace.ts';

/** One requirement of a webhook, and whether the request meets it. */
export interface Clause {
  readonly clause: 'namespaceSelector' | 'objectSelector' | 'rules' | 'matchCondition' | 'reinvocation' | 'exempt';
  /** `decided`: the one that skipped the webhook; later ones were not evaluated. */
  readonly result: 'met' | 'decided' | 'not-reached' | 'failed';
  readonly sentence: string;
  /** Of a selector that matches everything. */
  readonly isEmpty?: boolean;
}

/**
 * The clauses in the order in which kube-apiserver evaluates them (rules SEL-10 to SEL-13). Without a definition only
 * the deciding one is known.
 */
export function clausesOf(webhook: TracedWebhook, request: TracedRequest): readonly Clause[] {
  const { reason } = webhook;
  if (reason?.because === 'exempt') {
    return [{ clause: 'exempt', result: 'decided', sentence: skipSentence(reason, request, webhook) }];
  }
  const before = [
    selectorClause('namespaceSelector', webhook),
    selectorClause('objectSelector', webhook),
    rulesClause(webhook),
  ];
  const all = [...before, ...conditionClauses(webhook)];
  if (reason === undefined) return all;
  const decided = decidedBy[reason.because];
  const own: Clause = { clause: decided, result: 'decided', sentence: skipSentence(reason, request, webhook) };
  if (decided === 'matchCondition') return [...before, ...conditionClauses(webhook), ...conditionError(webhook, own)];
  if (decided === 'reinvocation') return [...all, own];
  const at = before.findIndex(({ clause }) => clause === decided);
  return [...before.slice(0, at), own, ...before.slice(at + 1).map(asNotReached)];
}

const decidedBy: Readonly<Record<Exclude<SkipReason['because'], 'exempt'>, Clause['clause']>> = {
  namespaceSelector: 'namespaceSelector',
  objectSelector: 'objectSelector',
  'no-rule-matched': 'rules',
  matchCondition: 'matchCondition',
  'matchCondition-error': 'matchCondition',
  'not-reinvoked': 'reinvocation',
  // Of policies only.
  excluded: 'rules',
  'no-params': 'rules',
  'not-bound': 'rules',
};

const asNotReached = (clause: Clause): Clause => ({ ...clause, result: 'not-reached' });

function selectorClause(clause: 'namespaceSelector' | 'objectSelector', { definition }: TracedWebhook): Clause {
  const reading = readLabelSelector(definition?.[clause] ?? {});
  if (reading.outcome === 'unparsable') {
    return { clause, result: 'met', sentence: `${clause} cannot be read: ${reading.error}` };
  }
  const { isEmpty } = reading.selector;
  const text = isEmpty ? 'is empty' : `requires ${selectorSentence(reading.selector)}`;
  return { clause, result: 'met', sentence: `${clause} ${text}`, isEmpty };
}

function rulesClause({ matched, definition }: TracedWebhook): Clause {
  const at = matched?.['rule'];
  if (typeof at !== 'number') return { clause: 'rules', result: 'met', sentence: 'a rule matches' };
  return {
    clause: 'rules',
    result: 'met',
    sentence: `rules[${at}] matches: ${webhookRuleText(asList(definition?.['rules'])[at])}`,
  };
}

/** `CREATE, UPDATE of pods, pods/* in apps v1`. */
export function webhookRuleText(rule: JsonValue | undefined): string {
  const { operations, apiGroups, apiVersions, resources, scope } = asObject(rule);
  const listed = (value: JsonValue | undefined): string =>
    asList(value)
      .map((one) => asString(one) || '""')
      .join(', ');
  const only = scope === 'Cluster' || scope === 'Namespaced' ? `, scope ${scope}` : '';
  return `${listed(operations)} of ${listed(resources)} in group ${listed(apiGroups)} version ${listed(apiVersions)}${only}`;
}

const conditionClauses = ({ conditions: records = [], reason }: TracedWebhook): readonly Clause[] =>
  records.map((record) => {
    const isDecisive = reason?.because === 'matchCondition' && reason.condition === record.condition;
    const result =
      record.result === 'true' ? 'met' : record.result === 'error' ? 'failed' : isDecisive ? 'decided' : 'failed';
    return { clause: 'matchCondition', result, sentence: conditionSentence(record) };
  });

const conditionError = ({ reason }: TracedWebhook, own: Clause): readonly Clause[] =>
  reason?.because === 'matchCondition-error' ? [own] : [];
