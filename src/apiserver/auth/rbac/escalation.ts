import { asList, asObject, asString, valueAt } from '../../../machinery/json/json.ts';
import { sameJson } from '../../../machinery/json/json-equal.ts';
import { goQuote } from '../../../machinery/meta/field-error.ts';
import { metadataOf, withMetadata } from '../../../machinery/meta/object.ts';
import type { KubernetesObject } from '../../../machinery/meta/object.ts';
import { forbidden, notFound } from '../../../machinery/meta/status.ts';
import type { Status } from '../../../machinery/meta/status.ts';
import type { Authorize, ResourceQuestion } from '../authorizer.ts';
import type { UserInfo } from '../user.ts';
import { uncovered } from './cover.ts';
import { quotedList, readRules, ruleText } from './policy-rule.ts';
import type { PolicyRule } from './policy-rule.ts';
import { errorsIn } from './rbac-authorizer.ts';
import type { RuleResolver } from './rule-resolver.ts';

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

export async function escalationRefusal(write: RbacWrite, ports: RbacPorts): Promise<Status | undefined> {
  if (write.user.groups.includes('system:masters')) return undefined;
  const isRole = write.resource === 'roles' || write.resource === 'clusterroles';
  if (isRole) {
    const { resource, requestName: name } = write;
    if (await may('escalate', write, ports, { resource, name })) return undefined;
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

async function bindingRefusal(write: RbacWrite, ports: RbacPorts): Promise<Status | undefined> {
  const { kind, name } = asObject(write.object['roleRef']);
  const role = { kind: asString(kind), name: asString(name) };
  const resource = role.kind === 'ClusterRole' ? 'clusterroles' : 'roles';
  if (await may('bind', write, ports, { resource, name: role.name })) return undefined;
  const rules = ports.resolver.rulesOf(role, write.namespace);
  // Upstream reads the role with the request's own resource, and the message names that.
  if (rules.outcome === 'missing') return notFound({ group, resource: write.resource }, role.name);
  const problem = grantProblem(rules.rules, write, ports);
  return problem === undefined ? undefined : refusal(write, problem);
}

async function may(
  verb: 'escalate' | 'bind',
  { user, namespace }: RbacWrite,
  { authorize }: RbacPorts,
  what: Pick<ResourceQuestion, 'resource' | 'name'>,
): Promise<boolean> {
  const question = { type: 'resource', user, verb, group, version: '*', subresource: '', namespace, ...what } as const;
  return (await authorize(question)).allowed;
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
  const missing = uncovered(owned, rules);
  if (missing.complete && missing.rules.length === 0) return undefined;
  const texts = [...new Set(missing.rules.map(ruleText))].toSorted();
  if (!missing.complete) texts.push(tooManyPieces);
  const who = `user ${goQuote(user.username)} (groups=${quotedList(user.groups)})`;
  const errors = errorsIn(roles);
  const resolution = errors === '' ? '' : `; resolution errors: [${errors}]`;
  return `${who} is attempting to grant RBAC permissions not currently held:\n${texts.join('\n')}${resolution}`;
}

const tooManyPieces = '… and perhaps more: the rules multiply to so many that kadmit did not compare all of them';

/** Only owners or finalizers changed. Follows pkg/registry/rbac/helpers.go. */
function onlyGarbageCollection(object: KubernetesObject, old: KubernetesObject): boolean {
  const { ownerReferences, finalizers, managedFields } = metadataOf(old);
  return sameJson(withMetadata(object, { ownerReferences, finalizers, managedFields }), old);
}
