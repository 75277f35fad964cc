import { asObject, asString } from '../../machinery/json/json.ts';
import type { MutationRecord, ValidationRecord } from '../../apiserver/admission/chain/outcome.ts';
import { describeChange } from '../findings/describe-field.ts';
import { sentWarningTexts } from './call-notes.ts';
import type { DecisionBase } from './about-decision.ts';
import { type Nearness, nearnessOf } from './near-miss.ts';
import { conditionSentence, durationText, skipSentence, valuesText } from '../trace/sentences.ts';
import type { Trace, TracedPolicy } from '../trace/trace.ts';

export interface PolicyModel extends DecisionBase {
  readonly type: 'policy';
  /** Empty when no binding was considered. */
  readonly binding: string;
  /** `ConfigMap default/limits`; empty without one. */
  readonly params: string;
  readonly outcome: TracedPolicy['outcome'];
  /** Of an evaluated one: `added label team`, `2 validations true`; else empty. */
  readonly did: string;
  /** Of a skipped one. */
  readonly nearness: Nearness | null;
  /** The results of its matchConditions and validations, without those in `sentence`. */
  readonly details: readonly string[];
  /** Of a denial or failure: remedies. */
  readonly hints: readonly string[];
  readonly warnings: readonly string[];
  readonly startedAt: number;
  readonly milliseconds: number;
  readonly failurePolicy: string;
  readonly source: TracedPolicy;
}

interface PolicyContext extends Pick<DecisionBase, 'diff' | 'changes'> {
  readonly createKey: (policy: TracedPolicy, more: string) => string;
}

/** `keyed` makes the key unique in the trace. */
export function policyModel(
  trace: Trace,
  policy: TracedPolicy,
  { diff, changes, createKey: keyed }: PolicyContext,
): PolicyModel {
  const { name, phase, round, attempt = 0, outcome, binding = '', startedAt, milliseconds } = policy;
  const params = paramsText(policy);
  const nearness = outcome === 'skipped' ? nearnessOf(asWebhook(policy), trace.request) : null;
  return {
    type: 'policy',
    key: keyed(policy, `/${binding}/${params}`),
    name,
    binding,
    params,
    phase,
    round,
    attempt,
    outcome,
    nearness,
    tone: toneOf(policy, nearness),
    did: didText(policy, changes),
    sentence: sentenceOf(policy, trace),
    details: detailsOf(policy),
    hints: hintsFor(policy),
    diff,
    changes,
    warnings: sentWarningTexts(policy),
    startedAt,
    milliseconds,
    failurePolicy: asString(policy.definition?.['failurePolicy']) || 'Fail',
    source: policy,
  };
}

/** The policy or the binding decided; both have rules like those of webhooks. */
function asWebhook({ reason, definition, bound }: TracedPolicy): Parameters<typeof nearnessOf>[0] {
  const match = asObject(bound === undefined ? definition?.['matchConstraints'] : bound['matchResources']);
  const { resourceRules } = match;
  return {
    ...(reason === undefined ? {} : { reason }),
    definition: { ...match, ...(resourceRules === undefined ? {} : { rules: resourceRules }) },
  };
}

function toneOf(
  { outcome, validations = [], patch = [] }: TracedPolicy,
  nearness: Nearness | null,
): DecisionBase['tone'] {
  switch (outcome) {
    case 'evaluated':
      return patch.length === 0 && validations.some(({ result }) => result !== 'true') ? 'warn' : 'good';
    case 'skipped':
      return nearness === 'near' ? 'warn' : 'quiet';
    case 'failed-open':
      return 'warn';
    case 'failed-closed':
    case 'denied':
      return 'bad';
  }
}

function sentenceOf(policy: TracedPolicy, { request }: Trace): string {
  const { outcome, status, error = '', reason } = policy;
  const took = durationText(policy.milliseconds);
  switch (outcome) {
    case 'evaluated':
      return evaluatedText(policy, took);
    case 'denied':
      return `denied in ${took}: ${ownText(policy, asString(status?.['message']))}`;
    case 'failed-open':
      return `failed: ${error}; failurePolicy Ignore let the request pass`;
    case 'failed-closed':
      return `failed: ${error}; failurePolicy Fail refused the request`;
    case 'skipped':
      return reason === undefined ? 'no reason recorded' : skippedText(policy, reason, request);
  }
}

/** A sentence without its full stop. */
export function skippedText(
  policy: TracedPolicy,
  reason: NonNullable<TracedPolicy['reason']>,
  request: Trace['request'],
): string {
  if (reason.because === 'exempt') return `kube-apiserver evaluates no policy for a ${reason.kind}`;
  const sentence = skipSentence(reason, request, asWebhook(policy));
  const isOfBinding = policy.binding !== undefined && sharedClauses.has(reason.because);
  return isOfBinding ? `the binding's ${sentence}` : sentence;
}

/** The clauses that policies and bindings have in common. */
const sharedClauses: ReadonlySet<string> = new Set(['namespaceSelector', 'objectSelector', 'excluded']);

function evaluatedText(policy: TracedPolicy, took: string): string {
  const { patch = [], phase, warnings = [], bound } = policy;
  if (phase === 'mutating') return patch.length === 0 ? `changed nothing in ${took}` : `changed the object in ${took}`;
  const result = resultsText(policy);
  if (result.endsWith('true')) return `allowed in ${took}: ${result}`;
  const actions = Array.isArray(bound?.['validationActions']) ? bound['validationActions'].map(String) : [];
  const done = actions.length === 0 ? (warnings.length > 0 ? 'Warn' : 'no action') : actions.join(' and ');
  return `allowed in ${took}, though ${result}: the binding's validationActions are ${done}`;
}

/** `2 validations true`, `1 of 2 validations failed`. */
function resultsText({ validations = [] }: TracedPolicy): string {
  const failed = validations.filter(({ result }) => result !== 'true').length;
  const count = validations.length === 1 ? '1 validation' : `${validations.length} validations`;
  return failed === 0 ? `${count} true` : `${failed} of ${count} failed`;
}

function didText(policy: TracedPolicy, changes: DecisionBase['changes']): string {
  if (policy.outcome !== 'evaluated') return '';
  if (policy.phase === 'validating') return resultsText(policy);
  return describeChange(changes);
}

/** The policy's own message, without the prefix of kube-apiserver. */
function ownText({ name, binding }: TracedPolicy, whole: string): string {
  const prefixes = [
    `ValidatingAdmissionPolicy '${name}' with binding '${binding ?? ''}' denied request: `,
    `policy '${name}' with binding '${binding ?? ''}' denied request: `,
  ];
  for (const prefix of prefixes) {
    const at = whole.indexOf(prefix);
    if (at >= 0) return whole.slice(at + prefix.length);
  }
  return whole;
}

const isRefusalOrFailure = ({ outcome }: TracedPolicy): boolean => outcome !== 'evaluated' && outcome !== 'skipped';

/** The missing parameter object, and what the type checker of the API server found. */
function hintsFor(policy: TracedPolicy): readonly string[] {
  const { missingParams, typeWarnings = [] } = policy;
  if (!isRefusalOrFailure(policy)) return [];
  return [
    ...(missingParams === undefined
      ? []
      : [`there is no ${missingParams}: create it, or set parameterNotFoundAction: Allow in the binding`]),
    ...typeWarnings.map(
      ({ fieldRef, warning }) => `status.typeChecking of the policy: ${fieldRef}: ${firstLine(warning)}`,
    ),
  ];
}

const firstLine = (text: string): string => text.split('\n', 1).join('');

const detailsOf = ({
  conditions = [],
  validations = [],
  mutations = [],
  auditAnnotations = {},
  reason,
}: TracedPolicy): readonly string[] => [
  ...conditions
    .filter(({ condition }) => reason?.because !== 'matchCondition' || reason.condition !== condition)
    .map(conditionSentence),
  ...validations.flatMap(validationLine),
  ...mutations.map(mutationLine),
  ...Object.entries(auditAnnotations).map(([key, value]) => `audit annotation ${key}: ${value}`),
];

function validationLine(
  { expression, result, message = '', values = [] }: ValidationRecord,
  index: number,
): readonly string[] {
  if (result === 'true') return [];
  const about = `validations[${index}] ${expression.trim()}`;
  if (result === 'false') return [`${about} is false${valuesText(values)}`];
  return [`${about} failed: ${message}${valuesText(values)}`];
}

const mutationLine = ({ patchType, result, error = '' }: MutationRecord, index: number): string =>
  `mutations[${index}] (${patchType}) ${result === 'error' ? `failed: ${error}` : mutationText[result]}`;

const mutationText = { changed: 'changed the object', unchanged: 'changed nothing' } as const;

/** `ConfigMap default/limits`. */
function paramsText({ params }: TracedPolicy): string {
  if (params === undefined) return '';
  const { kind, namespace, name } = params;
  return `${kind} ${namespace === '' ? '' : `${namespace}/`}${name}`;
}
