import { type GroupVersionKind, type GroupVersionResource, sameGvr } from '../../../machinery/meta/gvk.ts';
import type { Catalogue } from '../../../api/types/catalogue/catalogue.ts';
import type { AdmissionAttributes } from '../chain/attributes.ts';
import type { MatchRule } from './match-selectors.ts';
import { ruleMatches } from './match-rules.ts';

export interface MatchedAs {
  readonly kind: GroupVersionKind;
  readonly resource: GroupVersionResource;
  readonly rule: number;
}

export type RuleOutcome = { readonly outcome: 'matched'; readonly as: MatchedAs } | { readonly outcome: 'unmatched' };

const unmatched: RuleOutcome = Object.freeze({ outcome: 'unmatched' });

/**
 * Tries each rule on the request, then, under matchPolicy Equivalent, on each equivalent resource. Follows apiserver
 * pkg/admission/plugin/webhook/generic/webhook.go (rules SEL-30 to SEL-36).
 */
export function matchRules(
  rules: readonly MatchRule[],
  matchPolicy: 'Exact' | 'Equivalent',
  request: AdmissionAttributes,
  catalogue: Catalogue,
): RuleOutcome {
  const index = rules.findIndex((rule) => ruleMatches(rule, request));
  if (index >= 0) return { outcome: 'matched', as: { kind: request.kind, resource: request.resource, rule: index } };
  if (matchPolicy === 'Exact' || rules.length === 0) return unmatched;
  const equivalents = catalogue
    .equivalents(request.resource, request.subresource)
    .filter((row) => !sameGvr(row, request.resource));
  if (equivalents.length === 0) return unmatched;
  for (const [at, rule] of rules.entries()) {
    const row = equivalents.find((resource) => ruleMatches(rule, { ...request, resource }));
    if (row) {
      const { group, version, resource, kind } = row;
      return { outcome: 'matched', as: { kind, resource: { group, version, resource }, rule: at } };
    }
  }
  return unmatched;
}
