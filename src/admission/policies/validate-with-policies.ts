import type { Clock } from '../../apimachinery/clock.ts';
import type { KubernetesObject } from '../../apimachinery/object.ts';
import { notFound } from '../../apimachinery/status.ts';
import type { Status } from '../../apimachinery/status.ts';
import type { AdmissionAttributes } from '../attributes.ts';
import { immutableViews } from '../matching/versions.ts';
import type { ViewAs } from '../matching/versions.ts';
import type { AdmissionResult, Evaluated, PolicyOutcome, PolicyRecord } from '../outcome.ts';
import { createPassLog } from '../pass-log.ts';
import type { PassLog } from '../pass-log.ts';
import { applyActions } from './apply-actions.ts';
import { evaluatePolicy } from './evaluate-policy.ts';
import type { EvaluatePorts } from './evaluate-policy.ts';
import type { Hook } from './hooks.ts';
import { createAnnotationValues, failureAnnotations } from './policy-annotations.ts';
import type { AnnotationValues, AuditedFailure } from './policy-annotations.ts';
import type { Policy } from './policy.ts';
import { policyRecord } from './policy-record.ts';
import { policyDenial } from './policy-status.ts';
import { selectPolicies } from './select.ts';
import type { Invocation, Selected, SelectPorts } from './select.ts';

export interface PolicyPorts extends SelectPorts, EvaluatePorts {
  readonly clock: Clock;
}

/** What one request has come to so far. */
interface Pass {
  readonly request: AdmissionAttributes;
  readonly namespace: KubernetesObject | null;
  readonly viewAs: ViewAs;
  readonly log: PassLog;
  readonly failures: AuditedFailure[];
  readonly denials: Status[];
}

/**
 * Evaluates every policy for every binding and parameter object; the first denial of all is the answer.
 * Follows apiserver pkg/admission/plugin/policy/validating/dispatcher.go (rules VAP-30 to VAP-36).
 */
export async function validateWithPolicies(
  hooks: readonly Hook[],
  request: AdmissionAttributes,
  ports: PolicyPorts,
): Promise<AdmissionResult> {
  const log = createPassLog();
  const selection = await selectPolicies(hooks, request, ports);
  const namespace = namespaceOf(selection, request, ports);
  if (namespace === undefined) {
    return log.result(notFound({ group: '', resource: 'namespaces' }, request.namespace), request.object);
  }
  const viewAs = immutableViews(request, ports.codec);
  const pass: Pass = { request, namespace, viewAs, log, failures: [], denials: [] };
  const values = new Map<Policy, AnnotationValues>();
  for (const turn of selection) {
    const own = values.get(turn.policy) ?? createAnnotationValues(turn.policy.name);
    values.set(turn.policy, own);
    log.record(await takeTurn(turn, pass, own, ports));
  }
  for (const own of values.values()) log.annotate(own.published());
  log.annotate(failureAnnotations(pass.failures));
  return log.result(pass.denials[0], request.object);
}

/** The Namespace that expressions see; undefined when it should be there and is not (rule VAP-9). */
export function namespaceOf(
  selection: readonly Selected[],
  { namespace, kind }: AdmissionAttributes,
  { getNamespace }: SelectPorts,
): KubernetesObject | null | undefined {
  const isNamespace = kind.group === '' && kind.version === 'v1' && kind.kind === 'Namespace';
  if (namespace === '' || isNamespace || !selection.some(({ outcome }) => outcome === 'selected')) return null;
  return getNamespace(namespace);
}

async function takeTurn(
  turn: Selected,
  pass: Pass,
  values: AnnotationValues,
  ports: PolicyPorts,
): Promise<PolicyRecord> {
  const startedAt = ports.clock.now();
  const { outcome, conditions } = await outcomeOf(turn, pass, values, ports);
  const { binding } = turn;
  const params = turn.outcome === 'selected' ? turn.params : null;
  const place = { phase: 'validating', round: 0, startedAt, finishedAt: ports.clock.now() } as const;
  return policyRecord({ policy: turn.policy, binding, params }, place, outcome, conditions);
}

type Judged = Pick<PolicyRecord, 'outcome' | 'conditions'>;

async function outcomeOf(turn: Selected, pass: Pass, values: AnnotationValues, ports: PolicyPorts): Promise<Judged> {
  switch (turn.outcome) {
    case 'skipped':
      return { outcome: { outcome: 'skipped', reason: turn.reason } };
    case 'misconfigured':
      return { outcome: configurationError(turn, turn.error, pass) };
    case 'selected':
      return evaluate(turn, pass, values, ports);
  }
}

const nothing: Evaluated = Object.freeze({ matched: null, validations: [], warnings: [], auditAnnotations: {} });

/** Whatever the binding's actions are, unless failurePolicy says Ignore (rule VAP-32). */
function configurationError(turn: Pick<Selected, 'policy' | 'binding'>, error: string, pass: Pass): PolicyOutcome {
  if (turn.policy.failurePolicy === 'Ignore') return { ...nothing, outcome: 'failed-open', error };
  const status = policyDenial(pass.request, turn, { message: error, reason: '' });
  pass.denials.push(status);
  return { ...nothing, outcome: 'failed-closed', error, status };
}

async function evaluate(turn: Invocation, pass: Pass, values: AnnotationValues, ports: PolicyPorts): Promise<Judged> {
  const { policy, as, params } = turn;
  const viewed = await pass.viewAs(as.kind);
  if (viewed.outcome === 'inconvertible') {
    const error = `failed to configure binding: failed to convert object version: ${viewed.error}`;
    return { outcome: configurationError(turn, error, pass) };
  }
  const at = { view: viewed.view, as, params, namespace: pass.namespace };
  const evaluation = await evaluatePolicy(policy, at, ports);
  const { conditions } = evaluation;
  if (evaluation.outcome === 'skipped')
    return { outcome: { outcome: 'skipped', reason: evaluation.reason }, conditions };
  const acted = applyActions(turn, evaluation, pass.request);
  for (const { key, value } of acted.values) values.add(key, value);
  pass.log.warn(acted.outcome.warnings);
  pass.failures.push(...acted.failures);
  pass.denials.push(...acted.denials);
  return { outcome: acted.outcome, conditions };
}
