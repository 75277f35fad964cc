import { emptyList } from '../../../machinery/lists.ts';
import { type AdmissionAttributes, type AdmissionPhase, isPolicyEntry, type TrialOrder } from '../chain/attributes.ts';
import type { ChainPlugin } from '../chain/create-chain.ts';
import { policyExemption } from '../chain/exempt.ts';
import type { AdmissionResult, UnmatchedPolicies } from '../chain/outcome.ts';
import { withRequestContext } from '../matching/request-context.ts';
import { createReinvocation } from '../chain/reinvocation.ts';
import type { MutationPorts } from './apply-mutation.ts';
import type { Candidates, Hook, HookIndex } from './hooks.ts';
import { mutateWithPolicies } from './mutate-with-policies.ts';
import { type PolicyPorts, validateWithPolicies } from './validate-with-policies.ts';

export interface CurrentHooks {
  readonly stored: () => HookIndex;
  /** From files; these run first. */
  readonly fixed: () => HookIndex;
}

/** Follows apiserver pkg/admission/plugin/policy/validating/plugin.go and generic/plugin.go (rules VAP-10, SEL-1a). */
export const validatingPolicyPlugin = (hooks: CurrentHooks, ports: PolicyPorts): ChainPlugin => ({
  name: 'ValidatingAdmissionPolicy',
  operations: ['CREATE', 'UPDATE', 'DELETE', 'CONNECT'],
  callsOut: true,
  validate: async (request, limits) => {
    const { candidates, unmatched } = chooseHooks(hooks, request, { phase: 'validating', round: 0 }, ports);
    if (candidates.length === 0) return admitRequest(request, unmatched);
    return withUnmatched(validateWithPolicies(candidates, request, withRequestContext(ports, limits)), unmatched);
  },
});

/** Follows apiserver pkg/admission/plugin/policy/mutating/plugin.go (rules MAP-1, VAP-10). */
export const mutatingPolicyPlugin = (
  hooks: CurrentHooks,
  { mutatingOrder, ...ports }: MutationPorts & TrialOrder,
): ChainPlugin => ({
  name: 'MutatingAdmissionPolicy',
  operations: ['CREATE', 'UPDATE', 'CONNECT'],
  callsOut: true,
  createMutation: () => {
    const reinvocation = createReinvocation();
    return async (request, limits, round) => {
      const { candidates, unmatched } = chooseHooks(hooks, request, { phase: 'mutating', round }, ports);
      const ordered = inTrialOrder(candidates, mutatingOrder?.());
      if (ordered.length === 0) return admitRequest(request, unmatched);
      return withUnmatched(
        mutateWithPolicies(ordered, { request, round, reinvocation }, withRequestContext(ports, limits)),
        unmatched,
      );
    };
  },
});

/** All if no entry is a policy. */
function inTrialOrder(hooks: readonly Hook[], order: readonly string[] = []): readonly Hook[] {
  const named = order.filter(isPolicyEntry);
  return named.length === 0 ? hooks : named.flatMap((name) => hooks.find(({ policy }) => policy.name === name) ?? []);
}

interface Pass {
  readonly phase: AdmissionPhase;
  readonly round: 0 | 1;
}

/** The candidates, and one record for the skipped policies. */
export function chooseHooks(
  hooks: CurrentHooks,
  request: AdmissionAttributes,
  { phase, round }: Pass,
  { catalogue, clock }: Pick<PolicyPorts, 'catalogue' | 'clock'>,
): { readonly candidates: readonly Hook[]; readonly unmatched: UnmatchedPolicies | undefined } {
  const [fixed, stored] = [hooks.fixed(), hooks.stored()];
  if (fixed.all.length === 0 && stored.all.length === 0) return { candidates: emptyList, unmatched: undefined };
  const exemption = policyExemption(request);
  const { resource, subresource } = request;
  const equivalents = catalogue.equivalents(resource, subresource);
  const names = equivalents.length === 0 ? [resource] : equivalents;
  const first = exemption === 'from-all' ? noCandidates : fixed.about(names);
  const then = exemption === 'none' ? stored.about(names) : noCandidates;
  const others = concatHooks(first.others, then.others);
  const exempt = concatHooks(exemption === 'from-all' ? fixed.all : [], exemption === 'none' ? [] : stored.all);
  const about = { type: 'unmatched-policies', phase, round, request, exempt, at: clock.now() } as const;
  const unmatched = others.length + exempt.length === 0 ? undefined : { ...about, hooks: others };
  return { candidates: concatHooks(first.candidates, then.candidates), unmatched };
}

const noCandidates: Candidates = { candidates: [], others: [] };

const concatHooks = (first: readonly Hook[], then: readonly Hook[]): readonly Hook[] =>
  first.length === 0 ? then : [...first, ...then];

const admitRequest = ({ object }: AdmissionAttributes, unmatched: UnmatchedPolicies | undefined): AdmissionResult => ({
  verdict: { outcome: 'admitted', object },
  records: unmatched ? [unmatched] : emptyList,
  warnings: emptyList,
  annotations: emptyList,
});

async function withUnmatched<T extends AdmissionResult>(
  pass: Promise<T>,
  unmatched: UnmatchedPolicies | undefined,
): Promise<T> {
  const result = await pass;
  return unmatched ? { ...result, records: [...result.records, unmatched] } : result;
}
