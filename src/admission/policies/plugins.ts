import type { KubernetesObject } from '../../apimachinery/object.ts';
import type { AdmissionAttributes } from '../attributes.ts';
import type { ChainPlugin } from '../chain-plugin.ts';
import { isExemptFromPolicies } from '../exempt.ts';
import type { AdmissionPhase, AdmissionResult } from '../outcome.ts';
import { collectHooks } from './hooks.ts';
import type { Hook } from './hooks.ts';
import { createReinvocation } from '../reinvocation.ts';
import type { MutationPorts } from './apply-mutation.ts';
import { mutateWithPolicies } from './mutate-with-policies.ts';
import { policyRecord } from './policy-record.ts';
import { validateWithPolicies } from './validate-with-policies.ts';
import type { PolicyPorts } from './validate-with-policies.ts';

/** The stored policies of one kind and their bindings, as they are now. */
export interface PolicySource {
  readonly policies: () => readonly KubernetesObject[];
  readonly bindings: () => readonly KubernetesObject[];
}

/** Follows apiserver pkg/admission/plugin/policy/validating/plugin.go and generic/plugin.go (rules VAP-10, SEL-1a). */
export const validatingPolicyPlugin = (source: PolicySource, ports: PolicyPorts): ChainPlugin => ({
  name: 'ValidatingAdmissionPolicy',
  operations: ['CREATE', 'UPDATE', 'DELETE', 'CONNECT'],
  asksOthers: true,
  validate: (request) => {
    const hooks = collectHooks(source.policies(), source.bindings());
    if (hooks.length === 0 || isExemptFromPolicies(request)) {
      return unasked(hooks, request, { phase: 'validating', round: 0, at: ports.clock.now() });
    }
    return validateWithPolicies(hooks, request, ports);
  },
});

/** Follows apiserver pkg/admission/plugin/policy/mutating/plugin.go (rules MAP-1, VAP-10). */
export const mutatingPolicyPlugin = (source: PolicySource, ports: MutationPorts): ChainPlugin => ({
  name: 'MutatingAdmissionPolicy',
  operations: ['CREATE', 'UPDATE', 'CONNECT'],
  asksOthers: true,
  openMutation: () => {
    const reinvocation = createReinvocation();
    return (request, _limits, round) => {
      const hooks = collectHooks(source.policies(), source.bindings());
      if (hooks.length === 0 || isExemptFromPolicies(request)) {
        return unasked(hooks, request, { phase: 'mutating', round, at: ports.clock.now() });
      }
      return mutateWithPolicies(hooks, { request, round, reinvocation }, ports);
    };
  },
});

const unasked = (
  hooks: readonly Hook[],
  { object, kind }: AdmissionAttributes,
  { phase, round, at }: { readonly phase: AdmissionPhase; readonly round: 0 | 1; readonly at: number },
): AdmissionResult => ({
  verdict: { outcome: 'admitted', object },
  records: hooks.map(({ policy }) =>
    policyRecord(
      { policy, binding: null, params: null },
      { phase, round, startedAt: at, finishedAt: at },
      { outcome: 'skipped', reason: { because: 'exempt', kind: kind.kind } },
      undefined,
    ),
  ),
  warnings: [],
  annotations: [],
});
