import type { KubernetesObject } from '../../../machinery/meta/object.ts';
import { ok } from '../../../machinery/meta/result.ts';
import type { Result } from '../../../machinery/meta/result.ts';
import { checkAccessReview, checkLocalAccessReview, checkSelfAccessReview } from './access-review.ts';
import { checkRulesReview } from './rules-review.ts';
import { checkTokenReview } from './token-review.ts';

/**
 * Runs between mutating and validating admission. Follows the Create functions of pkg/registry/authorization and
 * pkg/registry/authentication.
 */
export function checkReview(review: KubernetesObject, namespace: string): Result<KubernetesObject> {
  switch (review.kind) {
    case 'SelfSubjectAccessReview':
      return checkSelfAccessReview(review);
    case 'SubjectAccessReview':
      return checkAccessReview(review);
    case 'LocalSubjectAccessReview':
      return checkLocalAccessReview(review, namespace);
    case 'SelfSubjectRulesReview':
      return checkRulesReview(review);
    case 'TokenReview':
      return checkTokenReview(review, namespace);
    default:
      return ok(review);
  }
}
