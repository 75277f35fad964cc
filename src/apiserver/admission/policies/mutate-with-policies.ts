import { type GroupVersionKind, gvkText } from '../../../machinery/meta/gvk.ts';
import { type KubernetesObject, metadataOf } from '../../../machinery/meta/object.ts';
import { semanticEqual } from '../../../machinery/meta/semantic-equal.ts';
import { internalError, notFound, type Status } from '../../../machinery/meta/status.ts';
import type { Converted } from '../../../api/codec/codec.ts';
import type { AdmissionAttributes } from '../chain/attributes.ts';
import type { MutationResult } from '../chain/create-chain.ts';
import { convertInto, convertRequest, printView, type ViewOutcome } from '../matching/versions.ts';
import type { MutationRecord, PolicyRecord, VariableRecord } from '../chain/outcome.ts';
import { createPassLog, type PassLog } from '../chain/pass-log.ts';
import type { Callee, Reinvocation } from '../chain/reinvocation.ts';
import { applyMutation, type MutationPorts } from './apply-mutation.ts';
import { evaluateConditions } from './evaluate-policy.ts';
import type { Hook } from './hooks.ts';
import { mutationDenial, type MutationError } from './policy-status.ts';
import { policyRecord, unevaluated, type RecordedEvaluation } from './policy-record.ts';
import { createRequestVariables, type PolicyView } from './policy-variables.ts';
import { type Invocation, type PolicyMatch, selectPolicies } from './select.ts';
import { policyNamespace } from './validate-with-policies.ts';

export interface PolicyRound {
  readonly request: AdmissionAttributes;
  readonly round: 0 | 1;
  readonly reinvocation: Reinvocation;
}

interface Pass extends PolicyRound {
  readonly namespace: KubernetesObject | null;
  readonly copies: Map<string, AdmissionAttributes>;
  readonly log: PassLog;
  readonly errors: MutationError[];
  /** The kind of the copy that was mutated last. */
  last: GroupVersionKind | undefined;
  wantsReinvocation: boolean;
}

/**
 * Matches against the received object, then runs policies in order on the current one. Follows apiserver
 * pkg/admission/plugin/policy/mutating/dispatcher.go (rules MAP-1 to MAP-11).
 */
export async function mutateWithPolicies(
  hooks: readonly Hook[],
  { request, round, reinvocation }: PolicyRound,
  ports: MutationPorts,
): Promise<MutationResult> {
  const log = createPassLog();
  const selection = await selectPolicies(hooks, request, ports);
  const namespace = policyNamespace(selection, request, ports);
  if (namespace === undefined) {
    return log.result(notFound({ group: '', resource: 'namespaces' }, request.namespace), request.object);
  }
  const pass: Pass = {
    request,
    round,
    reinvocation,
    namespace,
    copies: new Map(),
    log,
    errors: [],
    last: undefined,
    wantsReinvocation: false,
  };
  const isAnySelected = selection.some(({ outcome }) => outcome === 'selected');
  if (isAnySelected) reinvocation.startRound(round, request.object);
  for (const match of selection) {
    await ports.yieldIfLong();
    const refusal = await dispatchOne(match, pass, ports);
    if (refusal) return log.result(refusal, request.object);
  }
  return conclude(pass, isAnySelected, ports);
}

async function conclude(pass: Pass, isAnySelected: boolean, ports: MutationPorts): Promise<MutationResult> {
  const { log, request, reinvocation, errors } = pass;
  const written = await writeBackCopy(pass, ports);
  if (written.outcome === 'inconvertible') {
    return log.result(internalError(`failed to convert object: ${written.error}`), request.object);
  }
  const { object } = written;
  if (pass.last) reinvocation.reinvokeAll();
  if (isAnySelected) reinvocation.finishRound(object);
  const refusal = errors.length === 0 ? undefined : mutationDenial(request, errors);
  return { ...log.result(refusal, object), wantsReinvocation: pass.wantsReinvocation };
}

/** The last mutated copy, converted to the version of the request. */
async function writeBackCopy({ last, copies, request }: Pass, ports: MutationPorts): Promise<WriteBackResult> {
  const { object, kind, codec = ports.codec } = request;
  const mutated = last && copies.get(gvkText(last))?.object;
  if (!mutated || object === null) return { outcome: 'converted', object };
  return convertInto(mutated, object, { kind, codec });
}

type WriteBackResult = Converted | { readonly outcome: 'converted'; readonly object: null };

/** Returns a status that ends the request despite failurePolicy. */
async function dispatchOne(match: PolicyMatch, pass: Pass, ports: MutationPorts): Promise<Status | undefined> {
  const startedAt = ports.clock.now();
  const evaluation = await evaluateOne(match, pass, ports);
  const place = { phase: 'mutating', round: pass.round, startedAt, finishedAt: ports.clock.now() } as const;
  pass.log.record(policyRecord(match, place, evaluation));
  return evaluation.refusal;
}

interface Evaluation extends RecordedEvaluation {
  readonly refusal?: Status;
}

async function evaluateOne(match: PolicyMatch, pass: Pass, ports: MutationPorts): Promise<Evaluation> {
  switch (match.outcome) {
    case 'skipped':
      return { outcome: { outcome: 'skipped', reason: match.reason } };
    case 'misconfigured':
      return { outcome: failed(match, { errors: [match.error], reason: 'Forbidden' }, pass) };
    case 'selected':
      return applyPolicy(match, pass, ports);
  }
}

async function applyPolicy(match: Invocation, pass: Pass, ports: MutationPorts): Promise<Evaluation> {
  const { policy, as, params } = match;
  const viewed = await copyAs(as.kind, pass, ports);
  if (viewed.outcome === 'inconvertible') {
    const error = `failed to configure policy: ${viewed.error}`;
    return { outcome: failed({ policy, binding: null }, { errors: [error], reason: 'Forbidden' }, pass) };
  }
  const view = printView(viewed.view, ports.codec);
  const variables: VariableRecord[] | undefined = ports.expressions.countsBranches ? [] : undefined;
  const onVariable = variables && ((variable: VariableRecord) => void variables.push(variable));
  const { authorize } = ports;
  const at = { view, as, params, variables: createRequestVariables(view, as, pass.namespace), onVariable, authorize };
  const evaluation = evaluateConditions(policy, at, ports);
  const { conditions } = evaluation;
  if (evaluation.outcome === 'skipped') {
    return { outcome: { outcome: 'skipped', reason: evaluation.reason }, conditions, variables };
  }
  if (evaluation.outcome === 'failed') {
    return { outcome: failed(match, { errors: [evaluation.error], reason: 'Invalid' }, pass), conditions };
  }
  const detail = pass.reinvocation.reasonNotToReinvoke(calleeOf(match));
  if (detail) return { outcome: { outcome: 'skipped', reason: { because: 'not-reinvoked', detail } }, conditions };
  return { ...mutate(match, at, pass, ports), conditions, variables };
}

async function copyAs(
  kind: GroupVersionKind,
  { copies, request }: Pass,
  { codec }: MutationPorts,
): Promise<ViewOutcome> {
  const known = copies.get(gvkText(kind));
  if (known) return { outcome: 'converted', view: known };
  const viewed = await convertRequest(request, kind, codec);
  if (viewed.outcome === 'converted') copies.set(gvkText(kind), viewed.view);
  return viewed;
}

/** Reinvocation is per policy, binding and params (rule MAP-10). */
function calleeOf({ policy, binding, params }: Invocation): Callee {
  const { namespace = '', name = '' } = params ? metadataOf(params) : {};
  const { reinvocationPolicy } = policy;
  return { uid: [policy.name, binding.name, namespace, name].join('/'), reinvocationPolicy };
}

/** A failed mutation does not stop later ones (rule MAP-2). */
function mutate(match: Invocation, start: PolicyView, pass: Pass, ports: MutationPorts): Evaluation {
  const { policy, as } = match;
  const before = start.view.object;
  const mutations: MutationRecord[] = [];
  let at = start;
  for (const mutation of policy.mutations) {
    const { object } = at.view;
    if (object === null) break;
    const { patchType, expression } = mutation;
    const outcome = applyMutation(mutation, match, { ...at, object }, ports);
    if (outcome.outcome === 'refused') {
      const { status } = outcome;
      const error = status.message ?? '';
      mutations.push({ patchType, expression, result: 'error', error });
      return {
        outcome: { ...unevaluated, matched: as, mutations, outcome: 'failed-closed', error, status },
        refusal: status,
      };
    }
    if (outcome.outcome === 'failed') {
      mutations.push({ patchType, expression, result: 'error', error: outcome.error });
      continue;
    }
    const result = semanticEqual(object, outcome.object) ? 'unchanged' : 'changed';
    mutations.push({ patchType, expression, result });
    at = { ...at, view: { ...at.view, object: outcome.object } };
    pass.last = as.kind;
    pass.wantsReinvocation = true;
  }
  pass.copies.set(gvkText(as.kind), at.view);
  const after = at.view.object;
  pass.reinvocation.afterCall(calleeOf(match), !semanticEqual(before, after));
  const evaluated = { ...unevaluated, matched: as, mutations, before, after };
  const errors = mutations.flatMap(({ error }) => error ?? []);
  if (errors.length > 0) return { outcome: failed(match, { errors, reason: 'Invalid' }, pass, evaluated) };
  return { outcome: { ...evaluated, outcome: 'allowed' } };
}

/** Under Ignore the failed mutations are dropped. */
function failed(
  match: Pick<PolicyMatch, 'policy' | 'binding'>,
  { errors, reason }: { readonly errors: readonly string[]; readonly reason: MutationError['reason'] },
  pass: Pass,
  evaluated = unevaluated,
): PolicyRecord['outcome'] {
  const [error = ''] = errors;
  if (match.policy.failurePolicy === 'Ignore') return { ...evaluated, outcome: 'failed-open', error };
  const own = errors.map((message): MutationError => ({ ...match, message, reason }));
  pass.errors.push(...own);
  return { ...evaluated, outcome: 'failed-closed', error, status: mutationDenial(pass.request, own) };
}
