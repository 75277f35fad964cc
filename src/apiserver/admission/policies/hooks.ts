import { groupBy } from '../../../machinery/lists.ts';
import { compareTexts } from '../../../machinery/go/strings.ts';
import { type GroupResource, groupResourceText } from '../../../machinery/meta/gvk.ts';
import type { KubernetesObject } from '../../../machinery/meta/object.ts';
import type { MatchRule } from '../matching/match-selectors.ts';
import { type AdmissionPolicy, type Binding, bindingOf, policyOf } from './policy.ts';

export interface Hook {
  readonly policy: AdmissionPolicy;
  readonly bindings: readonly Binding[];
}

/**
 * Policies and their bindings by name, where upstream's order is random (rule VAP-2). A seed other than 0 shuffles
 * them. Follows apiserver pkg/admission/plugin/policy/generic/policy_source.go.
 */
export function collectHooks(
  policies: readonly KubernetesObject[],
  bindings: readonly KubernetesObject[],
  seed = 0,
): readonly Hook[] {
  const inOrder = createOrder(seed);
  const byPolicy = groupBy(bindings.map(bindingOf).toSorted(inOrder), ({ policyName }) => policyName);
  return policies
    .map(policyOf)
    .toSorted(inOrder)
    .map((policy) => ({ policy, bindings: byPolicy.get(policy.name) ?? [] }));
}

interface Named {
  readonly name: string;
}

/** Splits policies into those that may match a resource and the others. */
export interface HookIndex {
  readonly all: readonly Hook[];
  /** Of a resource in all its versions and groups. */
  readonly about: (resources: readonly GroupResource[]) => Candidates;
}

export interface Candidates {
  readonly candidates: readonly Hook[];
  readonly others: readonly Hook[];
}

/** Results are kept until policies or bindings change; the index is then rebuilt. */
export function indexHooks(all: readonly Hook[]): HookIndex {
  const byKey = new Map<string, Candidates>();
  return {
    all,
    about: (resources) => {
      const key = resources.map(groupResourceText).join();
      const cached = byKey.get(key);
      if (cached) return cached;
      const candidates = all.filter((hook) => mayBeAbout(hook, resources));
      const chosen = new Set(candidates);
      const others = all.filter((hook) => !chosen.has(hook));
      const sorted = { candidates, others };
      if (byKey.size < maxCached) byKey.set(key, sorted);
      return sorted;
    },
  };
}

const maxCached = 5000;

const mayBeAbout = ({ policy, bindings }: Hook, resources: readonly GroupResource[]): boolean =>
  bindings.length > 0 &&
  (policy.match.resourceRules.length === 0 ||
    policy.match.resourceRules.some((rule) => resources.some((resource) => names(rule, resource))));

const names = (rule: MatchRule, { group, resource }: GroupResource): boolean =>
  rule.apiGroups.some((one) => one === '*' || one === group) &&
  rule.resources.some((one) => one.startsWith('*') || one === resource || one.startsWith(`${resource}/`));

const byName = (a: Named, b: Named): number => compareTexts(a.name, b.name);

const createOrder = (seed: number): typeof byName =>
  seed === 0 ? byName : (a, b) => randomRank(seed, a.name) - randomRank(seed, b.name) || byName(a, b);

/** FNV-1a over the name, mixed with the seed. */
function randomRank(seed: number, name: string): number {
  let hash = 0x811c9dc5 ^ Math.imul(seed, 0x9e3779b1);
  for (let at = 0; at < name.length; at += 1) hash = Math.imul(hash ^ name.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  return (hash ^ (hash >>> 13)) >>> 0;
}
