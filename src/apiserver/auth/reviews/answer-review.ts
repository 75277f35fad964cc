import type { KubernetesObject } from '../../../machinery/meta/object.ts';
import { ok } from '../../../machinery/meta/result.ts';
import type { Result } from '../../../machinery/meta/result.ts';
import { formatTime } from '../../../machinery/meta/time.ts';
import type { Authorize } from '../authorizer.ts';
import type { VerifyToken } from '../bearer-token.ts';
import type { RulesOf } from '../rules-of.ts';
import type { UserInfo } from '../user.ts';
import { userInfoJson } from '../user.ts';
import { accessReview, selfAccessReview } from './access-review.ts';
import { checkReview } from './check-review.ts';
import { rulesReview } from './rules-review.ts';
import { tokenReview } from './token-review.ts';

export interface ReviewPorts {
  readonly authorize: Authorize;
  readonly rulesOf: RulesOf;
  readonly verifyToken: VerifyToken;
  readonly now: () => number;
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
  ({ authorize, rulesOf, verifyToken, now }: ReviewPorts): AnswerReview =>
  async (review, user, namespace) => {
    const sound = checkReview(review, namespace);
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
