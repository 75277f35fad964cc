import type { KubernetesObject } from '../../machinery/meta/object.ts';
import type { Result } from '../../machinery/meta/result.ts';
import type { UserInfo } from '../auth/user.ts';

/** Resources that are answered and never stored: access reviews, tokens. */
export interface Virtual {
  /** The review with its status filled; undefined for a kind that is none. */
  readonly answerReview: (
    review: KubernetesObject,
    user: UserInfo,
    namespace: string,
  ) => Promise<Result<KubernetesObject> | undefined>;
  /** A TokenRequest with its defaults, or 422. */
  readonly completeToken: (request: KubernetesObject) => Result<KubernetesObject>;
  /** A TokenRequest with its token; `serviceAccount` as stored. */
  readonly issueToken: (
    request: KubernetesObject,
    serviceAccount: KubernetesObject,
  ) => Promise<Result<KubernetesObject>>;
}
