import { ownedRule, ownerCovers } from './owned-rule.ts';
import type { OwnedRule } from './owned-rule.ts';
import type { PolicyRule } from './policy-rule.ts';

export interface Uncovered {
  /** Pieces of one verb and one resource, merged per resource. */
  readonly rules: readonly PolicyRule[];
  /** false: the comparison reached its limit, and the rest counts as not covered. */
  readonly complete: boolean;
}

/** Limits of kadmit: the lists of a small role may multiply to billions of pieces. */
const bounds = { lookups: 20_000_000, characters: 512 * 1024 };

/**
 * The part of `wanted` that `owned` does not cover. A rule is split only as far as no owned rule covers it whole.
 * Follows component-helpers auth/rbac/validation/policy_comparator.go and
 * pkg/registry/rbac/validation/policy_compact.go.
 */
export function uncovered(owned: readonly PolicyRule[], wanted: readonly PolicyRule[], most = bounds): Uncovered {
  const search: Search = { owned: owned.map(ownedRule), most, missing: [], lookups: 0, characters: 0 };
  for (const { nonResourceURLs, ...onResources } of wanted) {
    const { verbs, apiGroups, resources } = onResources;
    if (verbs.length === 0) continue;
    if (apiGroups.length > 0 && resources.length > 0) seek(search, { ...onResources, nonResourceURLs: [] });
    if (nonResourceURLs.length > 0) seek(search, { ...none, verbs, nonResourceURLs });
  }
  return { rules: compacted(search.missing), complete: !isOver(search) };
}

const none: PolicyRule = { verbs: [], apiGroups: [], resources: [], resourceNames: [], nonResourceURLs: [] };

interface Search {
  readonly owned: readonly OwnedRule[];
  readonly most: typeof bounds;
  readonly missing: PolicyRule[];
  lookups: number;
  characters: number;
}

const isOver = ({ most, lookups, characters }: Search): boolean =>
  lookups > most.lookups || characters > most.characters;

/** In the order of upstream's nested loops. */
const dimensions = ['nonResourceURLs', 'apiGroups', 'resources', 'verbs', 'resourceNames'] as const;

function seek(search: Search, part: PolicyRule): void {
  for (const owner of search.owned) {
    search.lookups += sizeOf(part, (values) => values.length);
    if (isOver(search)) return;
    if (ownerCovers(owner, part)) return;
  }
  const dimension = dimensions.find((name) => part[name].length > 1);
  if (dimension === undefined) {
    search.missing.push(part);
    search.characters += 60 + sizeOf(part, ([text = '']) => text.length);
    return;
  }
  for (const value of part[dimension]) {
    if (isOver(search)) return;
    seek(search, { ...part, [dimension]: [value] });
  }
}

const sizeOf = (part: PolicyRule, size: (values: readonly string[]) => number): number =>
  dimensions.reduce((sum, name) => sum + size(part[name]), 0);

function compacted(rules: readonly PolicyRule[]): readonly PolicyRule[] {
  const others: PolicyRule[] = [];
  const byResource = new Map<string, PolicyRule & { readonly verbs: string[] }>();
  for (const rule of rules) {
    if (rule.resourceNames.length > 0 || rule.nonResourceURLs.length > 0) {
      others.push(rule);
      continue;
    }
    const key = `${rule.apiGroups[0]}/${rule.resources[0]}`;
    const known = byResource.get(key);
    if (known) known.verbs.push(...rule.verbs);
    else byResource.set(key, { ...rule, verbs: [...rule.verbs] });
  }
  return [...others, ...byResource.values()];
}
