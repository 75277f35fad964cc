import type { KubernetesObject } from '../../apimachinery/object.ts';
import { bindingOf } from './binding.ts';
import type { Binding } from './binding.ts';
import { policyOf } from './policy.ts';
import type { Policy } from './policy.ts';

/** A policy and what binds it. */
export interface Hook {
  readonly policy: Policy;
  readonly bindings: readonly Binding[];
}

/**
 * The policies and, in each, its bindings: both by name, where a real server's order is a matter of chance (rule VAP-2).
 * Follows apiserver pkg/admission/plugin/policy/generic/policy_source.go.
 */
export function collectHooks(
  policies: readonly KubernetesObject[],
  bindings: readonly KubernetesObject[],
): readonly Hook[] {
  const byPolicy = new Map<string, Binding[]>();
  for (const binding of bindings.map(bindingOf).toSorted(byName)) {
    const others = byPolicy.get(binding.policyName);
    if (others) others.push(binding);
    else byPolicy.set(binding.policyName, [binding]);
  }
  return policies
    .map(policyOf)
    .toSorted(byName)
    .map((policy) => ({ policy, bindings: byPolicy.get(policy.name) ?? [] }));
}

interface Named {
  readonly name: string;
}

const byName = (a: Named, b: Named): number => Number(a.name > b.name) - Number(a.name < b.name);
