import type { Catalogue } from '../../../api/types/catalogue/catalogue.ts';
import type * as v1 from '../../../api/types/generated/admissionregistration-v1.ts';
import { asList, asObject } from '../../../machinery/json/json.ts';
import { readLabelSelector, type SelectorReading } from '../../../machinery/selectors/label-selector.ts';
import type { AdmissionAttributes } from '../chain/attributes.ts';
import type { PolicyRecord, UnmatchedPolicies } from '../chain/outcome.ts';
import type { SkipReason } from '../chain/skip-reason.ts';
import { type MatchedAs, matchRules, nearestMismatch } from '../matching/match-rules.ts';
import {
  type GetNamespace,
  matchNamespaceSelector,
  matchObjectSelector,
  type MatchRule,
  readRule,
} from '../matching/match-selectors.ts';

/** `matchConstraints` of a policy, `matchResources` of a binding. */
export interface MatchResources {
  readonly matchPolicy: 'Exact' | 'Equivalent';
  readonly namespaceSelector: SelectorReading;
  readonly objectSelector: SelectorReading;
  readonly resourceRules: readonly MatchRule[];
  readonly excludeResourceRules: readonly MatchRule[];
}

export function readMatchResources(match: v1.MatchResources): MatchResources {
  return {
    matchPolicy: match.matchPolicy === 'Exact' ? 'Exact' : 'Equivalent',
    namespaceSelector: readLabelSelector(match.namespaceSelector),
    objectSelector: readLabelSelector(match.objectSelector),
    resourceRules: readRules(match.resourceRules),
    excludeResourceRules: readRules(match.excludeResourceRules),
  };
}

const readRules = (rules: readonly v1.NamedRuleWithOperations[] | undefined): readonly MatchRule[] =>
  asList(rules).map((rule) => readRule(asObject(rule)));

export interface ResourcePorts {
  readonly catalogue: Catalogue;
  readonly getNamespace: GetNamespace;
}

type ResourcesOutcome =
  | { readonly outcome: 'matched'; readonly as: Pick<MatchedAs, 'kind' | 'resource'> }
  | { readonly outcome: 'skipped'; readonly reason: SkipReason }
  /** An invalid selector or a missing namespace. */
  | { readonly outcome: 'failed'; readonly error: string };

/**
 * Selectors, then excluding rules, then the others; no rules match everything. Follows apiserver
 * pkg/admission/plugin/policy/matching/matching.go (rules VAP-4 to VAP-6).
 */
export function matchResources(
  match: MatchResources,
  request: AdmissionAttributes,
  { catalogue, getNamespace }: ResourcePorts,
): ResourcesOutcome {
  const { resourceRules, excludeResourceRules, matchPolicy } = match;
  const byRules = (): ReturnType<typeof matchRules> => matchRules(resourceRules, matchPolicy, request, catalogue);
  const rulesMatch = (): boolean => resourceRules.length === 0 || byRules().outcome === 'matched';
  const byNamespace = matchNamespaceSelector(match.namespaceSelector, request, getNamespace);
  if (byNamespace.outcome === 'skipped') return skipped({ ...byNamespace.reason, rulesMatch: rulesMatch() });
  const byObject = matchObjectSelector(match.objectSelector, request);
  if (byObject.outcome === 'skipped') return skipped({ ...byObject.reason, rulesMatch: rulesMatch() });
  const excluded = matchRules(excludeResourceRules, matchPolicy, request, catalogue);
  if (excluded.outcome === 'matched') return skipped({ because: 'excluded', rule: excluded.as.rule });
  const matched = resourceRules.length === 0 ? { outcome: 'matched' as const, as: request } : byRules();
  if (matched.outcome === 'unmatched') {
    return skipped({ because: 'no-rule-matched', nearest: nearestMismatch(resourceRules, request) });
  }
  if (byNamespace.outcome === 'failed') return { outcome: 'failed', error: byNamespace.status.message ?? '' };
  if (byObject.outcome === 'failed') return { outcome: 'failed', error: byObject.status.message ?? '' };
  const { kind, resource } = matched.as;
  return { outcome: 'matched', as: { kind, resource } };
}

const skipped = (reason: SkipReason): ResourcesOutcome => ({ outcome: 'skipped', reason });

export const unmatchedPolicyRecords = (record: UnmatchedPolicies): readonly PolicyRecord[] =>
  [...record.hooks, ...record.exempt].map((hook, index) => ({
    type: 'policy',
    phase: record.phase,
    round: record.round,
    policy: hook.policy.name,
    binding: null,
    params: null,
    definition: hook.policy.definition,
    bound: null,
    outcome: { outcome: 'skipped', reason: index < record.hooks.length ? reasonOf(hook, record) : exemption(record) },
    startedAt: record.at,
    finishedAt: record.at,
  }));

const exemption = ({ request }: UnmatchedPolicies): SkipReason => ({ because: 'exempt', kind: request.kind.kind });

function reasonOf({ policy, bindings }: UnmatchedPolicies['hooks'][number], record: UnmatchedPolicies): SkipReason {
  if (bindings.length === 0) return { because: 'not-bound' };
  return { because: 'no-rule-matched', nearest: nearestMismatch(policy.match.resourceRules, record.request) };
}
