import { asList, asObject, asString } from '../../../machinery/json/json.ts';
import type { JsonObject } from '../../../machinery/json/json.ts';
import type { KubernetesObject } from '../../../machinery/meta/object.ts';
import { ok, refuse } from '../../../machinery/meta/result.ts';
import type { Result } from '../../../machinery/meta/result.ts';
import { badRequest } from '../../../machinery/meta/status.ts';
import { withGroups } from '../authenticate.ts';
import type { TokenVerdict, VerifyToken } from '../bearer-token.ts';
import { userInfoJson } from '../user.ts';

/** Follows pkg/registry/authentication/tokenreview/storage.go. */
export async function tokenReview(review: KubernetesObject, verifyToken: VerifyToken): Promise<KubernetesObject> {
  const spec = asObject(review['spec']);
  const token = asString(spec['token']);
  const audiences = asList(spec['audiences']).map(asString);
  const verdict = audiences.length === 0 ? verifyToken(token) : verifyToken(token, audiences);
  return { ...review, status: statusOf(withGroups(await verdict)) };
}

export function checkTokenReview(review: KubernetesObject, namespace: string): Result<KubernetesObject> {
  if (namespace !== '') return refuse(badRequest(`namespace is not allowed on this type: ${namespace}`));
  if (asString(asObject(review['spec'])['token']) !== '') return ok(review);
  return refuse(badRequest('token is required for TokenReview in authentication'));
}

function statusOf(verdict: TokenVerdict): JsonObject {
  if (verdict.outcome === 'invalid') return { user: {}, error: verdict.error };
  const { user, audiences } = verdict;
  return {
    authenticated: true,
    user: userInfoJson(user),
    ...(audiences.length === 0 ? {} : { audiences }),
  };
}
