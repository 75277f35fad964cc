import type { Clock, YieldIfLong } from '../../../machinery/clock.ts';
import { append } from '../../../machinery/json/json.ts';
import { sameGvk, sameGvr } from '../../../machinery/meta/gvk.ts';
import type { KubernetesObject } from '../../../machinery/meta/object.ts';
import { notFound, type Status } from '../../../machinery/meta/status.ts';
import type { Authorize } from '../../auth/authorizer.ts';
import type { AdmissionAttributes } from '../chain/attributes.ts';
import type { AdmissionResult, PolicyOutcome, PolicyRecord, VariableRecord } from '../chain/outcome.ts';
import { createPassLog, type PassLog } from '../chain/pass-log.ts';
import { createImmutableViews, type ViewAs } from '../matching/versions.ts';
import {
  type AnnotationValues,
  applyActions,
  type AuditedFailure,
  createAnnotationValues,
  failureAnnotations,
} from './apply-actions.ts';
import { evaluatePolicy, type EvaluatePorts, type PolicyEvaluation } from './evaluate-policy.ts';
import type { Hook } from './hooks.ts';
import { policyRecord, unevaluated } from './policy-record.ts';
import { policyDenial } from './policy-status.ts';
import { createRequestVariables, type PolicyView } from './policy-variables.ts';
import type { AdmissionPolicy } from './policy.ts';
import { type Invocation, type PolicyMatch, selectPolicies, type SelectPorts } from './select.ts';

type ViewResult =
  | ({ readonly outcome: 'viewed' } & Omit<PolicyView, 'params' | 'authorize'>)
  | { readonly outcome: 'inconvertible'; readonly error: string };

/** One view per matched kind; nothing changes the request meanwhile. */
function createPolicyViews(
  viewAs: ViewAs,
  namespace: KubernetesObject | null,
): (as: PolicyView['as']) => Promise<ViewResult> {
  const known: { readonly as: PolicyView['as']; readonly viewed: Promise<ViewResult> }[] = [];
  const createView = async (as: PolicyView['as']): Promise<ViewResult> => {
    const viewed = await viewAs(as.kind);
    if (viewed.outcome === 'inconvertible') return viewed;
    const { view } = viewed;
    return { outcome: 'viewed', view, as, variables: createRequestVariables(view, as, namespace) };
  };
  return (as) => {
    const found = known.find(({ as: one }) => sameGvk(one.kind, as.kind) && sameGvr(one.resource, as.resource));
    if (found) return found.viewed;
    const viewed = createView(as);
    known.push({ as, viewed });
    return viewed;
  };
}

export interface PolicyPorts extends SelectPorts, EvaluatePorts {
  readonly clock: Clock;
  readonly authorize: Authorize;
  readonly yieldIfLong: YieldIfLong;
}

interface Pass {
  readonly request: AdmissionAttributes;
  readonly viewAs: ReturnType<typeof createPolicyViews>;
  readonly log: PassLog;
  readonly annotations: Map<AdmissionPolicy, AnnotationValues>;
  readonly failures: AuditedFailure[];
  readonly denials: Status[];
}

/**
 * Evaluates every policy for every binding and params; the first denial is the response. Follows apiserver
 * pkg/admission/plugin/policy/validating/dispatcher.go (rules VAP-30 to VAP-36).
 */
export async function validateWithPolicies(
  hooks: readonly Hook[],
  request: AdmissionAttributes,
  ports: PolicyPorts,
): Promise<AdmissionResult> {
  const log = createPassLog();
  const selection = await selectPolicies(hooks, request, ports);
  const namespace = policyNamespace(selection, request, ports);
  if (namespace === undefined) {
    return log.result(notFound({ group: '', resource: 'namespaces' }, request.namespace), request.object);
  }
  const viewAs = createPolicyViews(createImmutableViews(request, ports.codec), namespace);
  const pass: Pass = { request, viewAs, log, annotations: new Map(), failures: [], denials: [] };
  for (const match of selection) {
    await ports.yieldIfLong();
    log.record(await dispatchOne(match, pass, ports));
  }
  for (const values of pass.annotations.values()) log.annotate(values.published());
  log.annotate(failureAnnotations(pass.failures, ports.codec.types.minor));
  return log.result(pass.denials[0], request.object);
}

/** undefined when the namespace is missing (rule VAP-9). */
export function policyNamespace(
  selection: readonly Pick<PolicyMatch, 'outcome'>[],
  { namespace, kind }: Pick<AdmissionAttributes, 'namespace' | 'kind'>,
  { getNamespace }: Pick<SelectPorts, 'getNamespace'>,
): KubernetesObject | null | undefined {
  const isNamespace = kind.group === '' && kind.version === 'v1' && kind.kind === 'Namespace';
  if (namespace === '' || isNamespace || !selection.some(({ outcome }) => outcome === 'selected')) return null;
  return getNamespace(namespace);
}

async function dispatchOne(match: PolicyMatch, pass: Pass, ports: PolicyPorts): Promise<PolicyRecord> {
  const startedAt = ports.clock.now();
  const variables: VariableRecord[] | undefined = ports.expressions.countsBranches ? [] : undefined;
  const evaluation = await outcomeOf(match, pass, variables, ports);
  const place = { phase: 'validating', round: 0, startedAt, finishedAt: ports.clock.now() } as const;
  return policyRecord(match, place, { ...evaluation, variables });
}

type Evaluation = Pick<PolicyRecord, 'outcome' | 'conditions'>;

async function outcomeOf(
  match: PolicyMatch,
  pass: Pass,
  variables: VariableRecord[] | undefined,
  ports: PolicyPorts,
): Promise<Evaluation> {
  switch (match.outcome) {
    case 'skipped':
      return { outcome: { outcome: 'skipped', reason: match.reason } };
    case 'misconfigured':
      return { outcome: configurationError(match, match.error, pass) };
    case 'selected':
      return evaluate(match, pass, variables, ports);
  }
}

/** Independent of the binding's actions; failurePolicy Ignore admits (rule VAP-32). */
function configurationError(match: Pick<PolicyMatch, 'policy' | 'binding'>, error: string, pass: Pass): PolicyOutcome {
  if (match.policy.failurePolicy === 'Ignore') return { ...unevaluated, outcome: 'failed-open', error };
  const status = policyDenial(pass.request, match, { message: error, reason: '' });
  pass.denials.push(status);
  return { ...unevaluated, outcome: 'failed-closed', error, status };
}

async function evaluate(
  match: Invocation,
  pass: Pass,
  variables: VariableRecord[] | undefined,
  ports: PolicyPorts,
): Promise<Evaluation> {
  const viewed = await pass.viewAs(match.as);
  if (viewed.outcome === 'inconvertible') {
    const error = `failed to configure binding: failed to convert object version: ${viewed.error}`;
    return { outcome: configurationError(match, error, pass) };
  }
  const { view, as, variables: made } = viewed;
  const onVariable = variables && ((variable: VariableRecord) => void variables.push(variable));
  const { authorize } = ports;
  const policyView = { view, as, params: match.params, variables: made, onVariable, authorize };
  const evaluation = evaluatePolicy(match.policy, policyView, ports);
  return applyPolicyActions(match, evaluation, pass);
}

function applyPolicyActions(match: Invocation, evaluation: PolicyEvaluation, pass: Pass): Evaluation {
  const { conditions } = evaluation;
  if (evaluation.outcome === 'skipped') {
    return { outcome: { outcome: 'skipped', reason: evaluation.reason }, conditions };
  }
  const acted = applyActions(match, evaluation, pass.request);
  for (const value of acted.values) annotationsOf(match.policy, pass).add(value.key, value.value);
  pass.log.warn(acted.outcome.warnings);
  append(pass.failures, acted.failures);
  append(pass.denials, acted.denials);
  return { outcome: acted.outcome, conditions };
}

function annotationsOf(policy: AdmissionPolicy, { annotations }: Pass): AnnotationValues {
  const known = annotations.get(policy);
  if (known) return known;
  const values = createAnnotationValues(policy.name);
  annotations.set(policy, values);
  return values;
}
