import { asString, valueAt } from '../../apimachinery/json.ts';
import type { KubernetesObject } from '../../apimachinery/object.ts';
import type { ChainPlugin } from '../chain-plugin.ts';
import type { AdmissionPhase, AdmissionRecord, AdmissionResult } from '../outcome.ts';

/** The stored policies of one kind and their bindings, as they are now. */
export interface PolicySource {
  readonly policies: () => readonly KubernetesObject[];
  readonly bindings: () => readonly KubernetesObject[];
}

/**
 * Stands where upstream evaluates ValidatingAdmissionPolicies: admits everything and says of each bound policy that
 * nobody asked it. A policy without a binding would not be asked upstream either (rule VAP-1).
 */
export const unevaluatedValidatingPolicies = (source: PolicySource): ChainPlugin => ({
  name: 'ValidatingAdmissionPolicy',
  operations: ['CREATE', 'UPDATE', 'DELETE', 'CONNECT'],
  asksOthers: true,
  validate: ({ object }) => unevaluated(source, object, { phase: 'validating', round: 0 }),
});

/** The same for MutatingAdmissionPolicies. */
export const unevaluatedMutatingPolicies = (source: PolicySource): ChainPlugin => ({
  name: 'MutatingAdmissionPolicy',
  operations: ['CREATE', 'UPDATE', 'CONNECT'],
  asksOthers: true,
  openMutation: () => (request, _limits, round) => unevaluated(source, request.object, { phase: 'mutating', round }),
});

interface Turn {
  readonly phase: AdmissionPhase;
  readonly round: 0 | 1;
}

function unevaluated(source: PolicySource, object: KubernetesObject | null, { phase, round }: Turn): AdmissionResult {
  const bound = new Set(source.bindings().map((binding) => asString(valueAt(binding, 'spec', 'policyName'))));
  const names = bound.size === 0 ? [] : source.policies().map(({ metadata }) => metadata?.name ?? '');
  const records = names
    .filter((name) => bound.has(name))
    .map((policy): AdmissionRecord => ({ type: 'policy', phase, round, policy, outcome: 'not-evaluated' }));
  return { verdict: { outcome: 'admitted', object }, records, warnings: [], annotations: [] };
}
