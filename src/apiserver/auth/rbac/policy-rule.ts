import { goQuote } from '../../../machinery/meta/field-error.ts';
import { asList, asObject, asString, type JsonObject, type JsonValue } from '../../../machinery/json/json.ts';
import type { AuthorizationQuestion } from '../authorizer.ts';

export interface PolicyRule {
  readonly verbs: readonly string[];
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames: readonly string[];
  readonly nonResourceURLs: readonly string[];
}

export const readRules = (rules: JsonValue | undefined): readonly PolicyRule[] =>
  asList(rules).map(asObject).map(readRule);

const readRule = (fields: JsonObject): PolicyRule => ({
  verbs: strings(fields['verbs']),
  apiGroups: strings(fields['apiGroups']),
  resources: strings(fields['resources']),
  resourceNames: strings(fields['resourceNames']),
  nonResourceURLs: strings(fields['nonResourceURLs']),
});

const strings = (value: JsonValue | undefined): readonly string[] => asList(value).map(asString);

/** Follows plugin/pkg/auth/authorizer/rbac/rbac.go and pkg/apis/rbac/v1/evaluation_helpers.go. */
export function ruleAllows(policy: PolicyRule, question: AuthorizationQuestion): boolean {
  if (!hasOrAll(policy.verbs, question.verb)) return false;
  if (question.type === 'path') return policy.nonResourceURLs.some((url) => urlCovers(url, question.path));
  const { group, resource, subresource, name } = question;
  return (
    hasOrAll(policy.apiGroups, group) &&
    policy.resources.some((pattern) => resourceMatches(pattern, resource, subresource)) &&
    (policy.resourceNames.length === 0 || policy.resourceNames.includes(name))
  );
}

const hasOrAll = (list: readonly string[], wanted: string): boolean => list.includes('*') || list.includes(wanted);

// "*" covers every resource and subresource, "*/scale" the scale of every resource.
function resourceMatches(pattern: string, resource: string, subresource: string): boolean {
  if (pattern === '*') return true;
  if (subresource === '') return pattern === resource;
  return pattern === `${resource}/${subresource}` || pattern === `*/${subresource}`;
}

/** `/apis/*` covers every path below, and `/apis/` itself. */
export function urlCovers(pattern: string, path: string): boolean {
  let end = pattern.length;
  while (pattern[end - 1] === '*') end -= 1;
  return pattern === path || (end < pattern.length && path.startsWith(pattern.slice(0, end)));
}

/**
 * `{APIGroups:[""], Resources:["pods"], Verbs:["get"]}`. Follows pkg/apis/rbac/v1/evaluation_helpers.go CompactString.
 */
export function ruleText(policy: PolicyRule): string {
  const parts: readonly (readonly [string, readonly string[]])[] = [
    ['APIGroups', policy.apiGroups],
    ['Resources', policy.resources],
    ['NonResourceURLs', policy.nonResourceURLs],
    ['ResourceNames', policy.resourceNames],
    ['Verbs', policy.verbs],
  ];
  return `{${parts
    .filter(([, values]) => values.length > 0)
    .map(([name, values]) => `${name}:${quotedList(values)}`)
    .join(', ')}}`;
}

export const quotedList = (values: readonly string[]): string => `[${values.map(goQuote).join(' ')}]`;
