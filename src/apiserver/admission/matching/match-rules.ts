import { type GroupVersionResource, type GroupVersionKind, sameGvr } from '../../../machinery/meta/gvk.ts';
import type { Operation, AdmissionAttributes } from '../chain/attributes.ts';
import type { RuleMismatch } from '../chain/skip-reason.ts';
import type { MatchRule } from './match-selectors.ts';
import type { Catalogue } from '../../../api/types/catalogue/catalogue.ts';

/** `resource` may be an equivalent of the requested one. */
export interface RuleSubject {
  readonly operation: Operation;
  readonly resource: GroupVersionResource;
  readonly subresource: string;
  readonly namespace: string;
  /** '' or absent: unknown, no `resourceNames` match (rule VAP-5). */
  readonly name?: string;
}

/** Follows apiserver pkg/admission/plugin/webhook/predicates/rules/rules.go (rule SEL-20). */
export const ruleMatches = (rule: MatchRule, subject: RuleSubject): boolean =>
  scopeMatches(rule, subject) &&
  operationMatches(rule, subject) &&
  groupMatches(rule, subject) &&
  versionMatches(rule, subject) &&
  resourceMatches(rule, subject) &&
  nameMatches(rule, subject);

/**
 * For explanations: the rule with the fewest mismatching parts; among equals one that names the resource, then the
 * first.
 */
export function nearestMismatch(rules: readonly MatchRule[], subject: RuleSubject): RuleMismatch | null {
  let nearest: RuleMismatch | null = null;
  let shortest = Infinity;
  for (const [index, rule] of rules.entries()) {
    const parts = mismatchedParts(rule, subject);
    const distance = parts.length + (namesResource(rule, subject) ? 0 : 0.5);
    if (distance < shortest) [nearest, shortest] = [{ rule: index, parts }, distance];
  }
  return nearest;
}

/** `deployments/scale` and `*` both match deployments. */
const namesResource = ({ resources }: MatchRule, { resource: { resource } }: RuleSubject): boolean =>
  resources.some((pattern) => pattern.startsWith('*') || pattern === resource || pattern.startsWith(`${resource}/`));

function mismatchedParts(rule: MatchRule, subject: RuleSubject): RuleMismatch['parts'] {
  const { resource, subresource, operation } = subject;
  const full = subresource === '' ? resource.resource : `${resource.resource}/${subresource}`;
  const parts: RuleMismatch['parts'][number][] = [];
  if (!operationMatches(rule, subject)) parts.push({ part: 'operation', wants: rule.operations, has: operation });
  if (!groupMatches(rule, subject)) parts.push({ part: 'apiGroup', wants: rule.apiGroups, has: resource.group });
  if (!versionMatches(rule, subject))
    parts.push({ part: 'apiVersion', wants: rule.apiVersions, has: resource.version });
  if (!resourceMatches(rule, subject)) parts.push({ part: 'resource', wants: rule.resources, has: full });
  if (!scopeMatches(rule, subject)) {
    parts.push({ part: 'scope', wants: [rule.scope], has: isClusterScoped(subject) ? 'Cluster' : 'Namespaced' });
  }
  if (!nameMatches(rule, subject)) {
    parts.push({ part: 'resourceName', wants: rule.resourceNames ?? [], has: subject.name ?? '' });
  }
  return parts;
}

/** Follows apiserver pkg/admission/plugin/policy/matching/matching.go (rule VAP-5). */
const nameMatches = ({ resourceNames = [] }: MatchRule, { name = '' }: RuleSubject): boolean =>
  resourceNames.length === 0 || resourceNames.includes(name);

const includes = (list: readonly string[], wanted: string): boolean => list.includes('*') || list.includes(wanted);

const operationMatches = (rule: MatchRule, { operation }: RuleSubject): boolean => includes(rule.operations, operation);

const groupMatches = (rule: MatchRule, { resource }: RuleSubject): boolean => includes(rule.apiGroups, resource.group);

const versionMatches = (rule: MatchRule, { resource }: RuleSubject): boolean =>
  includes(rule.apiVersions, resource.version);

/** `pods/*` matches plain `pods`, `*` no subresource (rule SEL-23). */
function resourceMatches(rule: MatchRule, { resource, subresource }: RuleSubject): boolean {
  return rule.resources.some((pattern) => {
    const slash = pattern.indexOf('/');
    const [main, sub] = slash < 0 ? [pattern, ''] : [pattern.slice(0, slash), pattern.slice(slash + 1)];
    return (main === '*' || main === resource.resource) && (sub === '*' || sub === subresource);
  });
}

function scopeMatches({ scope }: MatchRule, subject: RuleSubject): boolean {
  if (scope === '*') return true;
  return isClusterScoped(subject) ? scope === 'Cluster' : scope === 'Namespaced';
}

/** A Namespace is cluster-scoped despite its request namespace; only the resource is compared (rule SEL-24). */
function isClusterScoped({ resource, namespace }: RuleSubject): boolean {
  const isNamespace = resource.group === '' && resource.version === 'v1' && resource.resource === 'namespaces';
  return isNamespace || namespace === '';
}

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
