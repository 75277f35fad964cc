import { escapeForGo } from '../../../machinery/json/json-writer.ts';
import type { Status } from '../../../machinery/meta/status.ts';
import type { AdmissionAttributes } from '../chain/attributes.ts';
import type { Evaluated, PolicyOutcome, AuditAnnotation } from '../chain/outcome.ts';
import type { ValidationDecision } from './decide-validation.ts';
import type { PolicyEvaluation } from './evaluate-policy.ts';
import { policyDenial } from './policy-status.ts';
import type { Invocation } from './select.ts';

export interface ActionResult {
  readonly outcome: Exclude<PolicyOutcome, { readonly outcome: 'skipped' }>;
  readonly values: readonly { readonly key: string; readonly value: string }[];
  readonly failures: readonly AuditedFailure[];
  /** In upstream's order: validations, then failed audit annotations. */
  readonly denials: readonly Status[];
}

/**
 * Deny, Warn and Audit for every failed validation. Follows apiserver
 * pkg/admission/plugin/policy/validating/dispatcher.go (rules VAP-30, VAP-36).
 */
export function applyActions(
  invocation: Invocation,
  evaluation: Extract<PolicyEvaluation, { readonly outcome: 'evaluated' }>,
  request: AdmissionAttributes,
): ActionResult {
  const { decisions, annotations } = evaluation;
  const { policy, binding } = invocation;
  if (annotations.length === 0 && decisions.every(({ outcome }) => outcome === 'passed'))
    return allowAll(invocation, evaluation.records);
  const { validationActions } = binding;
  const failing = decisions.map((decision) => failureOf(decision, policy.failurePolicy));
  const warnings: string[] = [];
  const failures: AuditedFailure[] = [];
  const denials: Status[] = [];
  for (const [expressionIndex, failed] of failing.entries()) {
    if (!failed) continue;
    const { message } = failed;
    for (const action of validationActions) {
      if (action === 'Deny') denials.push(policyDenial(request, invocation, failed));
      if (action === 'Warn') warnings.push(warningOf(invocation, message));
      if (action === 'Audit') {
        failures.push({ message, policy: policy.name, binding: binding.name, expressionIndex, validationActions });
      }
    }
  }
  const brokenAnnotations = annotations.flatMap((annotation) =>
    annotation.outcome === 'error' ? [annotation.error] : [],
  );
  if (policy.failurePolicy === 'Fail') {
    for (const message of brokenAnnotations) denials.push(policyDenial(request, invocation, { message, reason: '' }));
  }
  const values = annotations.flatMap((annotation) =>
    annotation.outcome === 'value' ? [{ key: annotation.key, value: annotation.value }] : [],
  );
  const evaluated: Evaluated = {
    matched: invocation.as,
    validations: evaluation.records,
    warnings,
    auditAnnotations: Object.fromEntries(values.map(({ key, value }) => [`${policy.name}/${key}`, value])),
  };
  const errors = [...decisions.flatMap(errorOf), ...brokenAnnotations];
  return { outcome: outcomeOf(evaluated, errors, denials, policy.failurePolicy), values, failures, denials };
}

/** The most frequent result. Fields are named one by one: spreading takes ten times as long. */
function allowAll({ as: matched }: Invocation, validations: Evaluated['validations']): ActionResult {
  const outcome = {
    outcome: 'allowed',
    matched,
    validations,
    warnings: none,
    auditAnnotations: noAnnotations,
  } as const;
  return { outcome, values: none, failures: none, denials: none };
}

const none: readonly never[] = Object.freeze([]);
const noAnnotations: Evaluated['auditAnnotations'] = Object.freeze({});

type Failure = { readonly message: string; readonly reason: string };

/** `false` always counts, an error only under Fail (rule VAP-27). */
function failureOf(decision: ValidationDecision, failurePolicy: 'Fail' | 'Ignore'): Failure | undefined {
  if (decision.outcome === 'failed') return decision;
  return decision.outcome === 'error' && failurePolicy === 'Fail'
    ? { message: decision.message, reason: '' }
    : undefined;
}

const errorOf = (decision: ValidationDecision): readonly string[] =>
  decision.outcome === 'error' ? [decision.message] : [];

const warningOf = ({ policy, binding }: Invocation, message: string): string =>
  `Validation failed for ValidatingAdmissionPolicy '${policy.name}' with binding '${binding.name}': ${message}`;

/** Clean denials take precedence over errors. */
function outcomeOf(
  evaluated: Evaluated,
  errors: readonly string[],
  denials: readonly Status[],
  failurePolicy: 'Fail' | 'Ignore',
): ActionResult['outcome'] {
  const [status] = denials;
  const [error] = errors;
  if (status === undefined) {
    return error !== undefined && failurePolicy === 'Ignore'
      ? { ...evaluated, outcome: 'failed-open', error }
      : { ...evaluated, outcome: 'allowed' };
  }
  const isError = error !== undefined && status.message?.endsWith(error) === true;
  return isError
    ? { ...evaluated, outcome: 'failed-closed', error, status }
    : { ...evaluated, outcome: 'denied', status };
}

export interface AuditedFailure {
  readonly message: string;
  readonly policy: string;
  readonly binding: string;
  readonly expressionIndex: number;
  readonly validationActions: readonly string[];
}

/** All audited failures are in one list; before 1.37 the first one alone (rule VAP-31). */
export function failureAnnotations(failures: readonly AuditedFailure[], minor: number): readonly AuditAnnotation[] {
  if (failures.length === 0) return [];
  const value = escapeForGo(JSON.stringify(failures.slice(0, minor >= 37 ? maxFailures : 1)));
  return [{ key: 'validation.policy.admission.k8s.io/validation_failure', value, level: 'Metadata' }];
}

const maxFailures = 50;

const maxValueLength = 10 * 1024;

/** The values of one policy across bindings and params, deduplicated (rule VAP-36). */
export interface AnnotationValues {
  readonly add: (key: string, value: string) => void;
  readonly published: () => readonly AuditAnnotation[];
}

/** Follows apiserver pkg/admission/plugin/policy/validating/dispatcher.go auditAnnotationCollector. */
export function createAnnotationValues(policy: string): AnnotationValues {
  const values = new Map<string, Set<string>>();
  return {
    add: (key, value) => {
      const known = values.get(key) ?? new Set();
      values.set(key, known.add(truncate(value)));
    },
    published: () =>
      [...values].map(([key, all]) => ({ key: `${policy}/${key}`, value: [...all].join(', '), level: 'Metadata' })),
  };
}

function truncate(value: string): string {
  const bytes = new TextEncoder().encode(value);
  return bytes.length <= maxValueLength ? value : new TextDecoder().decode(bytes.subarray(0, maxValueLength));
}
