import { type KubernetesObject, metadataOf } from '../../../machinery/meta/object.ts';
import type { ParamsReference, PolicyRecord } from '../chain/outcome.ts';
import type { AdmissionPolicy, Binding } from './policy.ts';

interface RecordedPolicy {
  readonly policy: AdmissionPolicy;
  readonly binding: Binding | null;
  readonly params: KubernetesObject | null;
  readonly missingParams?: string | undefined;
}

export const policyRecord = (
  { policy, binding, params, missingParams }: RecordedPolicy,
  place: Pick<PolicyRecord, 'phase' | 'round' | 'startedAt' | 'finishedAt'>,
  outcome: PolicyRecord['outcome'],
  { conditions, variables }: Pick<PolicyRecord, 'conditions' | 'variables'>,
): PolicyRecord => ({
  type: 'policy',
  phase: place.phase,
  round: place.round,
  policy: policy.name,
  binding: binding?.name ?? null,
  params: params && referenceTo(params),
  definition: policy.definition,
  bound: binding?.definition ?? null,
  outcome,
  missingParams,
  typeWarnings: policy.typeWarnings,
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
