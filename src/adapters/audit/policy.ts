import { trimRight } from '../../machinery/go/trim.ts';
import type { UserInfo } from '../../apiserver/auth/user.ts';
import type { RequestInfo, ResourceRequest } from '../../apiserver/request/request-info.ts';

/** Least first. */
export const levels = ['None', 'Metadata', 'Request', 'RequestResponse'] as const;
export type Level = (typeof levels)[number];

export const stages = ['RequestReceived', 'ResponseStarted', 'ResponseComplete', 'Panic'] as const;
export type AuditStage = (typeof stages)[number];

/** Follows apiserver pkg/apis/audit/v1/types.go. An empty list matches everything. */
export interface Policy {
  readonly rules: readonly PolicyRule[];
  readonly omitStages: readonly AuditStage[];
  readonly omitManagedFields: boolean;
}

export interface PolicyRule {
  readonly level: Level;
  readonly users: readonly string[];
  readonly userGroups: readonly string[];
  readonly verbs: readonly string[];
  readonly resources: readonly GroupResources[];
  /** '' matches cluster-scoped objects. */
  readonly namespaces: readonly string[];
  readonly nonResourceURLs: readonly string[];
  readonly omitStages: readonly AuditStage[];
  /** undefined: the policy's default. */
  readonly omitManagedFields: boolean | undefined;
}

export interface GroupResources {
  readonly group: string;
  readonly resources: readonly string[];
  readonly resourceNames: readonly string[];
}

export interface AuditScope {
  readonly level: Level;
  readonly omitStages: ReadonlySet<AuditStage>;
  readonly omitManagedFields: boolean;
}

/** `user` is undefined when authentication failed. */
export interface AuditQuestion {
  readonly info: RequestInfo;
  readonly requester: UserInfo | undefined;
}

export const isAtLeast = (level: Level, least: Level): boolean => levels.indexOf(level) >= levels.indexOf(least);

/** The first matching rule decides; no rule means no event. Follows apiserver pkg/audit/policy/checker.go. */
export function createScopeOf(policy: Policy): (question: AuditQuestion) => AuditScope {
  const scopes = policy.rules.map((rule): AuditScope => ({
    level: rule.level,
    omitStages: new Set([...policy.omitStages, ...rule.omitStages]),
    omitManagedFields: rule.omitManagedFields ?? policy.omitManagedFields,
  }));
  return (question) => scopes[policy.rules.findIndex((rule) => ruleMatches(rule, question))] ?? nothing;
}

const nothing: AuditScope = { level: 'None', omitStages: new Set(), omitManagedFields: false };

function ruleMatches(rule: PolicyRule, { info, requester }: AuditQuestion): boolean {
  if (!matchesUser(rule, requester)) return false;
  if (rule.verbs.length > 0 && !rule.verbs.includes(info.verb)) return false;
  if (rule.namespaces.length > 0 || rule.resources.length > 0) {
    return info.type === 'resource' && matchesResource(rule, info);
  }
  return rule.nonResourceURLs.length === 0 || (info.type === 'path' && matchesPath(rule.nonResourceURLs, info.path));
}

function matchesUser({ users, userGroups }: PolicyRule, requester: UserInfo | undefined): boolean {
  if (users.length > 0 && !(requester && users.includes(requester.username))) return false;
  return userGroups.length === 0 || requester?.groups.some((group) => userGroups.includes(group)) === true;
}

const matchesPath = (urls: readonly string[], path: string): boolean =>
  urls.some((url) => url === '*' || url === path || (url.endsWith('*') && path.startsWith(trimRight(url, '*'))));

function matchesResource({ namespaces, resources }: PolicyRule, info: ResourceRequest): boolean {
  if (namespaces.length > 0 && !namespaces.includes(info.namespace)) return false;
  return resources.length === 0 || resources.some((wanted) => isAmong(wanted, info));
}

function isAmong({ group, resources, resourceNames }: GroupResources, info: ResourceRequest): boolean {
  if (group !== info.group) return false;
  if (resources.length === 0) return true;
  if (resourceNames.length > 0 && !resourceNames.includes(info.name)) return false;
  const { resource, subresource } = info;
  const whole = subresource === '' ? resource : `${resource}/${subresource}`;
  return resources.some(
    (wanted) =>
      wanted === whole ||
      wanted === '*' ||
      wanted === `${resource}/*` ||
      (subresource !== '' && wanted === `*/${subresource}`),
  );
}
