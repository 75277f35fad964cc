import { urlCovers } from './policy-rule.ts';
import type { PolicyRule } from './policy-rule.ts';

const none: PolicyRule = Object.freeze({
  verbs: [],
  apiGroups: [],
  resources: [],
  resourceNames: [],
  nonResourceURLs: [],
});

/**
 * What `wanted` allows and `owned` does not, in pieces of one verb and one resource, pieces of one resource put
 * together again. Follows component-helpers auth/rbac/validation/policy_comparator.go and
 * pkg/registry/rbac/validation/policy_compact.go.
 */
export function uncovered(owned: readonly PolicyRule[], wanted: readonly PolicyRule[]): readonly PolicyRule[] {
  const missing = wanted.flatMap(pieces).filter((piece) => !owned.some((rule) => covers(rule, piece)));
  return compacted(missing);
}

/** Pieces with at most one verb, group, resource, name and URL. */
function pieces({ verbs, apiGroups, resources, resourceNames, nonResourceURLs }: PolicyRule): readonly PolicyRule[] {
  const nameLists = resourceNames.length === 0 ? [[]] : resourceNames.map((name) => [name]);
  const onResources = apiGroups.flatMap((group) =>
    resources.flatMap((resource) =>
      verbs.flatMap((verb) =>
        nameLists.map((names) => ({
          ...none,
          verbs: [verb],
          apiGroups: [group],
          resources: [resource],
          resourceNames: names,
        })),
      ),
    ),
  );
  const onUrls = nonResourceURLs.flatMap((url) =>
    verbs.map((verb) => ({ ...none, verbs: [verb], nonResourceURLs: [url] })),
  );
  return [...onResources, ...onUrls];
}

function covers(owner: PolicyRule, piece: PolicyRule): boolean {
  const named = owner.resourceNames.length > 0;
  return (
    all(piece.verbs, (verb) => owner.verbs.includes('*') || owner.verbs.includes(verb)) &&
    all(piece.apiGroups, (group) => owner.apiGroups.includes('*') || owner.apiGroups.includes(group)) &&
    all(piece.resources, (resource) => resourceCovered(owner.resources, resource)) &&
    all(piece.nonResourceURLs, (url) => owner.nonResourceURLs.some((pattern) => urlCovers(pattern, url))) &&
    (!named ||
      (piece.resourceNames.length > 0 && all(piece.resourceNames, (name) => owner.resourceNames.includes(name))))
  );
}

const all = (values: readonly string[], test: (value: string) => boolean): boolean => values.every(test);

function resourceCovered(owned: readonly string[], resource: string): boolean {
  if (owned.includes('*') || owned.includes(resource)) return true;
  const slash = resource.indexOf('/');
  return slash >= 0 && owned.includes(`*${resource.slice(slash)}`);
}

/** Pieces that differ only in their verb become one rule. */
function compacted(rules: readonly PolicyRule[]): readonly PolicyRule[] {
  const others = rules.filter((rule) => !isSimple(rule));
  const byResource = new Map<string, PolicyRule>();
  for (const rule of rules.filter(isSimple)) {
    const key = `${rule.apiGroups[0]}/${rule.resources[0]}`;
    const known = byResource.get(key);
    byResource.set(key, known ? { ...known, verbs: [...known.verbs, ...rule.verbs] } : rule);
  }
  return [...others, ...byResource.values()];
}

const isSimple = ({ resourceNames, nonResourceURLs }: PolicyRule): boolean =>
  resourceNames.length === 0 && nonResourceURLs.length === 0;
