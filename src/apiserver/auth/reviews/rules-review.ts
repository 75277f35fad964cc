import { asObject, asString, type JsonObject } from '../../../machinery/json/json.ts';
import type { KubernetesObject } from '../../../machinery/meta/object.ts';
import { ok, refuse, type Result } from '../../../machinery/meta/result.ts';
import { badRequest } from '../../../machinery/meta/status.ts';
import type { PolicyRule } from '../rbac/policy-rule.ts';
import type { ListedRules, RulesOf } from '../rules-of.ts';
import type { UserInfo } from '../user.ts';

export const rulesReview = (review: KubernetesObject, user: UserInfo, rulesOf: RulesOf): KubernetesObject => ({
  kind: review.kind,
  apiVersion: review.apiVersion,
  metadata: {},
  spec: {},
  status: statusOf(rulesOf(user, namespaceOf(review))),
});

export const checkRulesReview = (review: KubernetesObject): Result<KubernetesObject> =>
  namespaceOf(review) === '' ? refuse(badRequest('no namespace on request')) : ok(review);

const namespaceOf = (review: KubernetesObject): string => asString(asObject(review['spec'])['namespace']);

function statusOf({ rules, incomplete, errors }: ListedRules): JsonObject {
  return {
    resourceRules: rules.filter(({ resources }) => resources.length > 0).map(resourceRule),
    nonResourceRules: rules
      .filter(({ nonResourceURLs }) => nonResourceURLs.length > 0)
      .map(({ verbs, nonResourceURLs }) => ({ verbs, nonResourceURLs })),
    incomplete,
    ...(errors.length === 0 ? {} : { evaluationError: errors.join('') }),
  };
}

const resourceRule = ({ verbs, apiGroups, resources, resourceNames }: PolicyRule): JsonObject => ({
  verbs,
  ...(apiGroups.length === 0 ? {} : { apiGroups }),
  resources,
  ...(resourceNames.length === 0 ? {} : { resourceNames }),
});
