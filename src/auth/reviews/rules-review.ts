import { asObject, asString } from '../../apimachinery/json.ts';
import type { JsonObject } from '../../apimachinery/json.ts';
import type { KubernetesObject } from '../../apimachinery/object.ts';
import { ok, refuse } from '../../apimachinery/result.ts';
import type { Result } from '../../apimachinery/result.ts';
import { badRequest } from '../../apimachinery/status.ts';
import type { PolicyRule } from '../rbac/policy-rule.ts';
import { errorsIn } from '../rbac/rbac-authorizer.ts';
import type { RuleResolver } from '../rbac/rule-resolver.ts';
import type { UserInfo } from '../user.ts';

/** What may I do in a namespace? The answer does not repeat the question. Follows pkg/registry/authorization/selfsubjectrulesreview/rest.go. */
export function rulesReview(
  review: KubernetesObject,
  user: UserInfo,
  resolver: RuleResolver | undefined,
): Result<KubernetesObject> {
  const namespace = asString(asObject(review['spec'])['namespace']);
  if (namespace === '') return refuse(badRequest('no namespace on request'));
  return ok({
    kind: review.kind,
    apiVersion: review.apiVersion,
    metadata: {},
    spec: {},
    status: resolver ? statusOf(resolver, user, namespace) : everything,
  });
}

/** Follows apiserver pkg/authorization/authorizerfactory/builtin.go alwaysAllowAuthorizer.RulesFor. */
const everything: JsonObject = {
  resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }],
  nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
  incomplete: false,
};

function statusOf(resolver: RuleResolver, user: UserInfo, namespace: string): JsonObject {
  const roles = resolver.grants(user, namespace).map(({ role }) => role);
  const rules = roles.flatMap((role) => (role.outcome === 'found' ? role.rules : []));
  const errors = errorsIn(roles);
  return {
    resourceRules: rules.filter(({ resources }) => resources.length > 0).map(resourceRule),
    nonResourceRules: rules
      .filter(({ nonResourceURLs }) => nonResourceURLs.length > 0)
      .map(({ verbs, nonResourceURLs }) => ({ verbs, nonResourceURLs })),
    incomplete: false,
    ...(errors === '' ? {} : { evaluationError: errors }),
  };
}

const resourceRule = ({ verbs, apiGroups, resources, resourceNames }: PolicyRule): JsonObject => ({
  verbs,
  ...(apiGroups.length === 0 ? {} : { apiGroups }),
  resources,
  ...(resourceNames.length === 0 ? {} : { resourceNames }),
});
