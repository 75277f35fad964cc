import { append } from '../../../machinery/json/append.ts';
import type { KubernetesObject } from '../../../machinery/meta/object.ts';
import type { AdmissionAttributes } from '../chain/attributes.ts';
import type { MatchedAs } from '../matching/match-equivalent.ts';
import type { SkipReason } from '../chain/skip-reason.ts';
import type { Binding } from './binding.ts';
import { collectParams, paramKindError } from './collect-params.ts';
import type { ParamPorts } from './collect-params.ts';
import type { Hook } from './hooks.ts';
import { matchResources } from './match-resources.ts';
import type { ResourcePorts } from './match-resources.ts';
import type { Policy } from './policy.ts';

export interface SelectPorts extends ResourcePorts, ParamPorts {}

/** A policy, and how far it came: to nothing, to a binding, to one parameter object of a binding. */
export interface Turn {
  readonly policy: Policy;
  readonly binding: Binding | null;
}

export type Selected = Turn &
  (
    | { readonly outcome: 'skipped'; readonly reason: SkipReason }
    /** The error, complete: failurePolicy decides, the binding's actions have no say (rule VAP-32). */
    | { readonly outcome: 'misconfigured'; readonly error: string }
    | Invocation
  );

/** One policy to evaluate for one binding and one parameter object. */
export interface Invocation extends Turn {
  readonly outcome: 'selected';
  readonly binding: Binding;
  readonly as: Pick<MatchedAs, 'kind' | 'resource'>;
  readonly params: KubernetesObject | null;
}

/**
 * Who has a turn for this request, in the order of policies, bindings and params.
 * Follows apiserver pkg/admission/plugin/policy/generic/policy_dispatcher.go Dispatch (rules VAP-1, VAP-4 to VAP-8).
 */
export async function selectPolicies(
  hooks: readonly Hook[],
  request: AdmissionAttributes,
  ports: SelectPorts,
): Promise<readonly Selected[]> {
  const selected: Selected[] = [];
  for (const hook of hooks) append(selected, await selectHook(hook, request, ports));
  return selected;
}

async function selectHook(
  { policy, bindings }: Hook,
  request: AdmissionAttributes,
  ports: SelectPorts,
): Promise<readonly Selected[]> {
  const own = { policy, binding: null };
  if (bindings.length === 0) return [{ ...own, outcome: 'skipped', reason: { because: 'not-bound' } }];
  const match = matchResources(policy.match, request, ports);
  if (match.outcome === 'skipped') return [{ ...own, ...match }];
  const error = match.outcome === 'failed' ? match.error : paramKindError(policy, ports);
  if (error !== undefined) return [misconfigured(own, error)];
  if (match.outcome === 'failed') return [];
  return selectBindings({ policy, bindings }, match.as, request, ports);
}

async function selectBindings(
  { policy, bindings }: Hook,
  as: Invocation['as'],
  request: AdmissionAttributes,
  ports: SelectPorts,
): Promise<readonly Selected[]> {
  const selected: Selected[] = [];
  for (const binding of bindings) append(selected, await selectBinding({ policy, binding }, as, request, ports));
  return selected;
}

async function selectBinding(
  turn: { readonly policy: Policy; readonly binding: Binding },
  as: Invocation['as'],
  request: AdmissionAttributes,
  ports: SelectPorts,
): Promise<readonly Selected[]> {
  const { policy, binding } = turn;
  const match = binding.match ? matchResources(binding.match, request, ports) : { outcome: 'matched' as const };
  if (match.outcome === 'skipped') return [{ ...turn, ...match }];
  if (match.outcome === 'failed') return [misconfigured(turn, match.error)];
  const collected = await collectParams(policy, binding, request.namespace, ports);
  switch (collected.outcome) {
    case 'failed':
      return [misconfigured(turn, collected.error)];
    case 'none':
      return [{ ...turn, outcome: 'skipped', reason: { because: 'no-params', wants: collected.wants } }];
    case 'collected':
      return collected.params.map((params) => ({ policy, binding, outcome: 'selected', as, params }));
  }
}

export const misconfigured = (turn: Turn, error: string): Selected => ({
  ...turn,
  outcome: 'misconfigured',
  error: `failed to configure ${turn.binding ? 'binding' : 'policy'}: ${error}`,
});
