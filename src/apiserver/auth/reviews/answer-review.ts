import { asList, asObject, asString, type JsonObject } from '../../../machinery/json/json.ts';
import type { KubernetesObject } from '../../../machinery/meta/object.ts';
import { ok, refuse, type Result } from '../../../machinery/meta/result.ts';
import { badRequest } from '../../../machinery/meta/status.ts';
import { formatTime } from '../../../machinery/meta/time.ts';
import { withGroups } from '../authenticate.ts';
import type { Authorize } from '../authorizer.ts';
import type { VerifyToken, TokenVerdict } from '../bearer-token.ts';
import type { RulesOf, ListedRules } from '../rules-of.ts';
import { type UserInfo, userInfoJson } from '../user.ts';
import {
  accessReview,
  selfAccessReview,
  checkAccessReview,
  checkLocalAccessReview,
  checkSelfAccessReview,
} from './access-review.ts';
import type { PolicyRule } from '../rbac/policy-rule.ts';

export interface AuthReviewPorts {
  readonly authorize: Authorize;
  readonly rulesOf: RulesOf;
  readonly verifyToken: VerifyToken;
  readonly now: () => number;
  /** Of the release. */
  readonly minor: number;
}

export type AnswerReview = (
  review: KubernetesObject,
  user: UserInfo,
  namespace: string,
) => Promise<Result<KubernetesObject> | undefined>;

/**
 * Fills the status of an access, rules or token review; undefined for other kinds. Follows pkg/registry/authorization
 * and pkg/registry/authentication.
 */
export const createReviewer =
  ({ authorize, rulesOf, verifyToken, now, minor }: AuthReviewPorts): AnswerReview =>
  async (review, user, namespace) => {
    const sound = checkReview(review, namespace, minor);
    if (!sound.ok) return sound;
    switch (review.kind) {
      case 'SelfSubjectAccessReview':
        return selfAccessReview(review, user, authorize);
      case 'SubjectAccessReview':
      case 'LocalSubjectAccessReview':
        return accessReview(review, authorize);
      case 'SelfSubjectRulesReview':
        return ok(rulesReview(review, user, rulesOf));
      case 'SelfSubjectReview':
        return ok(selfSubjectReview(review, user, now()));
      case 'TokenReview':
        return ok(await tokenReview(review, verifyToken));
      default:
        return undefined;
    }
  };

const selfSubjectReview = ({ kind, apiVersion }: KubernetesObject, user: UserInfo, now: number): KubernetesObject => ({
  kind,
  apiVersion,
  metadata: { creationTimestamp: formatTime(now) },
  status: { userInfo: userInfoJson(user) },
});

/** Follows pkg/registry/authentication/tokenreview/storage.go. */
async function tokenReview(review: KubernetesObject, verifyToken: VerifyToken): Promise<KubernetesObject> {
  const spec = asObject(review['spec']);
  const token = asString(spec['token']);
  const audiences = asList(spec['audiences']).map(asString);
  const verdict = audiences.length === 0 ? verifyToken(token) : verifyToken(token, audiences);
  return { ...review, status: tokenReviewStatus(withGroups(await verdict)) };
}

function checkTokenReview(review: KubernetesObject, namespace: string): Result<KubernetesObject> {
  if (namespace !== '') return refuse(badRequest(`namespace is not allowed on this type: ${namespace}`));
  if (asString(asObject(review['spec'])['token']) !== '') return ok(review);
  return refuse(badRequest('token is required for TokenReview in authentication'));
}

function tokenReviewStatus(verdict: TokenVerdict): JsonObject {
  if (verdict.outcome === 'invalid') return { user: {}, error: verdict.error };
  const { user, audiences } = verdict;
  return {
    authenticated: true,
    user: userInfoJson(user),
    ...(audiences.length === 0 ? {} : { audiences }),
  };
}

/**
 * Runs between mutating and validating admission. Follows the Create functions of pkg/registry/authorization and
 * pkg/registry/authentication.
 */
export function checkReview(review: KubernetesObject, namespace: string, minor: number): Result<KubernetesObject> {
  switch (review.kind) {
    case 'SelfSubjectAccessReview':
      return checkSelfAccessReview(review, minor);
    case 'SubjectAccessReview':
      return checkAccessReview(review, minor);
    case 'LocalSubjectAccessReview':
      return checkLocalAccessReview(review, namespace, minor);
    case 'SelfSubjectRulesReview':
      return checkRulesReview(review);
    case 'TokenReview':
      return checkTokenReview(review, namespace);
    default:
      return ok(review);
  }
}

export const rulesReview = (review: KubernetesObject, user: UserInfo, rulesOf: RulesOf): KubernetesObject => ({
  kind: review.kind,
  apiVersion: review.apiVersion,
  metadata: {},
  spec: {},
  status: rulesReviewStatus(rulesOf(user, namespaceOf(review))),
});

const checkRulesReview = (review: KubernetesObject): Result<KubernetesObject> =>
  namespaceOf(review) === '' ? refuse(badRequest('no namespace on request')) : ok(review);

const namespaceOf = (review: KubernetesObject): string => asString(asObject(review['spec'])['namespace']);

function rulesReviewStatus({ rules, incomplete, errors }: ListedRules): JsonObject {
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
