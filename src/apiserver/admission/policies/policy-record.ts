import type { PolicyMatch } from './select.ts';
import { type KubernetesObject, metadataOf } from '../../../machinery/meta/object.ts';
import type { ParamsReference, PolicyRecord, Evaluated } from '../chain/outcome.ts';

/** The outcome of one policy, binding and params, with what was evaluated for it. */
export type RecordedEvaluation = Pick<PolicyRecord, 'outcome' | 'conditions' | 'variables'>;

/** A policy that was not evaluated. */
export const unevaluated: Evaluated = Object.freeze({
  matched: null,
  validations: [],
  warnings: [],
  auditAnnotations: {},
});

export const policyRecord = (
  match: PolicyMatch,
  place: Pick<PolicyRecord, 'phase' | 'round' | 'startedAt' | 'finishedAt'>,
  { outcome, conditions, variables }: RecordedEvaluation,
): PolicyRecord => ({
  type: 'policy',
  phase: place.phase,
  round: place.round,
  policy: match.policy.name,
  binding: match.binding?.name ?? null,
  params: match.outcome === 'selected' && match.params ? referenceTo(match.params) : null,
  definition: match.policy.definition,
  bound: match.binding?.definition ?? null,
  outcome,
  missingParams: match.outcome === 'misconfigured' ? match.missingParams : undefined,
  typeWarnings: match.policy.typeWarnings,
  conditions,
  variables,
  startedAt: place.startedAt,
  finishedAt: place.finishedAt,
});

function referenceTo(params: KubernetesObject): ParamsReference {
  const { apiVersion, kind } = params;
  const { namespace = '', name = '' } = metadataOf(params);
  return { apiVersion, kind, namespace, name };
}
