import { urlCovers } from './policy-rule.ts';
import type { PolicyRule } from './policy-rule.ts';

/** A rule as lookup sets. */
export interface OwnedRule {
  readonly verbs: ReadonlySet<string>;
  readonly apiGroups: ReadonlySet<string>;
  readonly resources: ReadonlySet<string>;
  readonly resourceNames: ReadonlySet<string>;
  readonly urls: ReadonlySet<string>;
  /** Those that end with a star. */
  readonly urlPatterns: readonly string[];
}

export const ownedRule = (rule: PolicyRule): OwnedRule => ({
  verbs: new Set(rule.verbs),
  apiGroups: new Set(rule.apiGroups),
  resources: new Set(rule.resources),
  resourceNames: new Set(rule.resourceNames),
  urls: new Set(rule.nonResourceURLs),
  urlPatterns: rule.nonResourceURLs.filter((url) => url.endsWith('*')),
});

/** Follows component-helpers auth/rbac/validation/policy_comparator.go ruleCovers. */
export function ownerCovers(owner: OwnedRule, part: PolicyRule): boolean {
  const { resourceNames } = owner;
  return (
    (resourceNames.size === 0 ||
      (part.resourceNames.length > 0 && part.resourceNames.every((name) => resourceNames.has(name)))) &&
    part.verbs.every((verb) => hasOrAll(owner.verbs, verb)) &&
    part.apiGroups.every((group) => hasOrAll(owner.apiGroups, group)) &&
    part.resources.every((resource) => resourceCovered(owner.resources, resource)) &&
    part.nonResourceURLs.every(
      (url) => owner.urls.has(url) || owner.urlPatterns.some((pattern) => urlCovers(pattern, url)),
    )
  );
}

const hasOrAll = (owned: ReadonlySet<string>, wanted: string): boolean => owned.has('*') || owned.has(wanted);

function resourceCovered(owned: ReadonlySet<string>, resource: string): boolean {
  if (hasOrAll(owned, resource)) return true;
  const slash = resource.indexOf('/');
  return slash >= 0 && owned.has(`*${resource.slice(slash)}`);
}
