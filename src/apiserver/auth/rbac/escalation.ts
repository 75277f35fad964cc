import { sameJson } from '../../../machinery/json/json-equal.ts';
import { asList, asObject, asString, valueAt } from '../../../machinery/json/json.ts';
import { goQuote } from '../../../machinery/meta/field-error.ts';
import { type KubernetesObject, metadataOf, withMetadata } from '../../../machinery/meta/object.ts';
import { forbidden, notFound, type Status } from '../../../machinery/meta/status.ts';
import type { Authorize, ResourceQuestion } from '../authorizer.ts';
import type { UserInfo } from '../user.ts';
import { type PolicyRule, quotedList, readRules, ruleText, urlCovers } from './policy-rule.ts';
import { resolutionErrors, type RuleResolver } from './rule-resolver.ts';

/** A create or update of a role or binding. */
export interface RbacWrite {
  readonly user: UserInfo;
  readonly resource: 'roles' | 'clusterroles' | 'rolebindings' | 'clusterrolebindings';
  /** As in the URL: '' for a create. */
  readonly requestName: string;
  /** '' for cluster-scoped resources. */
  readonly namespace: string;
  readonly object: KubernetesObject;
  /** null for a create. */
  readonly oldObject: KubernetesObject | null;
}

export interface RbacPorts {
  readonly authorize: Authorize;
  readonly resolver: RuleResolver;
}

const group = 'rbac.authorization.k8s.io';

export function escalationRefusal(write: RbacWrite, ports: RbacPorts): Status | undefined {
  if (write.user.groups.includes('system:masters')) return undefined;
  const isRole = write.resource === 'roles' || write.resource === 'clusterroles';
  if (isRole) {
    const { resource, requestName: name } = write;
    if (may('escalate', write, ports, { resource, name })) return undefined;
  }
  if (write.oldObject && onlyGarbageCollection(write.object, write.oldObject)) return undefined;
  return isRole ? roleRefusal(write, ports) : bindingRefusal(write, ports);
}

function roleRefusal(write: RbacWrite, ports: RbacPorts): Status | undefined {
  const { object, oldObject } = write;
  const problem = grantProblem(readRules(object['rules']), write, ports);
  if (problem !== undefined) return refusal(write, problem);
  const aggregates = aggregatesRoles(object) || (oldObject !== null && aggregatesRoles(oldObject));
  if (!aggregates || grantProblem(fullAuthority, write, ports) === undefined) return undefined;
  return refusal(write, 'must have cluster-admin privileges to use the aggregationRule');
}

/** Follows pkg/registry/rbac/clusterrole/policybased/storage.go hasAggregationRule. */
const aggregatesRoles = (role: KubernetesObject): boolean =>
  asList(valueAt(role, 'aggregationRule', 'clusterRoleSelectors')).length > 0;

const fullAuthority = readRules([
  { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
  { verbs: ['*'], nonResourceURLs: ['*'] },
]);

function bindingRefusal(write: RbacWrite, ports: RbacPorts): Status | undefined {
  const { kind, name } = asObject(write.object['roleRef']);
  const role = { kind: asString(kind), name: asString(name) };
  const resource = role.kind === 'ClusterRole' ? 'clusterroles' : 'roles';
  if (may('bind', write, ports, { resource, name: role.name })) return undefined;
  const rules = ports.resolver.rulesOf(role, write.namespace);
  // Upstream reads the role with the request's own resource, and the message names that.
  if (rules.outcome === 'missing') return notFound({ group, resource: write.resource }, role.name);
  const problem = grantProblem(rules.rules, write, ports);
  return problem === undefined ? undefined : refusal(write, problem);
}

function may(
  verb: 'escalate' | 'bind',
  { user, namespace }: RbacWrite,
  { authorize }: RbacPorts,
  what: Pick<ResourceQuestion, 'resource' | 'name'>,
): boolean {
  const question = { type: 'resource', user, verb, group, version: '*', subresource: '', namespace, ...what } as const;
  return authorize(question).allowed;
}

const refusal = ({ resource, object }: RbacWrite, message: string): Status =>
  forbidden({ group, resource }, metadataOf(object).name ?? '', message);

/** Follows pkg/registry/rbac/validation/rule.go ConfirmNoEscalation. */
function grantProblem(
  rules: readonly PolicyRule[],
  { user, namespace }: RbacWrite,
  { resolver }: RbacPorts,
): string | undefined {
  const roles = resolver.grants(user, namespace).map(({ role }) => role);
  const owned = roles.flatMap((role) => (role.outcome === 'found' ? role.rules : []));
  const missing = findUncovered(owned, rules);
  if (missing.complete && missing.rules.length === 0) return undefined;
  const texts = [...new Set(missing.rules.map(ruleText))].toSorted();
  if (!missing.complete) texts.push(tooManyPieces);
  const userText = `user ${goQuote(user.username)} (groups=${quotedList(user.groups)})`;
  const errors = resolutionErrors(roles);
  const resolution = errors === '' ? '' : `; resolution errors: [${errors}]`;
  return `${userText} is attempting to grant RBAC permissions not currently held:\n${texts.join('\n')}${resolution}`;
}

const tooManyPieces = '… and perhaps more: the rules multiply to so many that kadmit did not compare all of them';

/** Only owners or finalizers changed. Follows pkg/registry/rbac/helpers.go. */
function onlyGarbageCollection(object: KubernetesObject, old: KubernetesObject): boolean {
  const { ownerReferences, finalizers, managedFields } = metadataOf(old);
  return sameJson(withMetadata(object, { ownerReferences, finalizers, managedFields }), old);
}

interface Uncovered {
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
export function findUncovered(owned: readonly PolicyRule[], wanted: readonly PolicyRule[], max = bounds): Uncovered {
  const search: Search = { owned: owned.map(toOwnedRule), max, missing: [], lookups: 0, characters: 0 };
  for (const { nonResourceURLs, ...onResources } of wanted) {
    const { verbs, apiGroups, resources } = onResources;
    if (verbs.length === 0) continue;
    if (apiGroups.length > 0 && resources.length > 0) searchUncovered(search, { ...onResources, nonResourceURLs: [] });
    if (nonResourceURLs.length > 0) searchUncovered(search, { ...none, verbs, nonResourceURLs });
  }
  return { rules: compactRules(search.missing), complete: !isOver(search) };
}

const none: PolicyRule = { verbs: [], apiGroups: [], resources: [], resourceNames: [], nonResourceURLs: [] };

interface Search {
  readonly owned: readonly OwnedRule[];
  readonly max: typeof bounds;
  readonly missing: PolicyRule[];
  lookups: number;
  characters: number;
}

const isOver = ({ max, lookups, characters }: Search): boolean => lookups > max.lookups || characters > max.characters;

/** In the order of upstream's nested loops. */
const dimensions = ['nonResourceURLs', 'apiGroups', 'resources', 'verbs', 'resourceNames'] as const;

function searchUncovered(search: Search, part: PolicyRule): void {
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
    searchUncovered(search, { ...part, [dimension]: [value] });
  }
}

const sizeOf = (part: PolicyRule, size: (values: readonly string[]) => number): number =>
  dimensions.reduce((sum, name) => sum + size(part[name]), 0);

function compactRules(rules: readonly PolicyRule[]): readonly PolicyRule[] {
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

/** A rule as lookup sets. */
interface OwnedRule {
  readonly verbs: ReadonlySet<string>;
  readonly apiGroups: ReadonlySet<string>;
  readonly resources: ReadonlySet<string>;
  readonly resourceNames: ReadonlySet<string>;
  readonly urls: ReadonlySet<string>;
  /** Those that end with a star. */
  readonly urlPatterns: readonly string[];
}

const toOwnedRule = (rule: PolicyRule): OwnedRule => ({
  verbs: new Set(rule.verbs),
  apiGroups: new Set(rule.apiGroups),
  resources: new Set(rule.resources),
  resourceNames: new Set(rule.resourceNames),
  urls: new Set(rule.nonResourceURLs),
  urlPatterns: rule.nonResourceURLs.filter((url) => url.endsWith('*')),
});

/** Follows component-helpers auth/rbac/validation/policy_comparator.go ruleCovers. */
function ownerCovers(owner: OwnedRule, part: PolicyRule): boolean {
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
