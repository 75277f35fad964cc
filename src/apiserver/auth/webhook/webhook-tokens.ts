import { asList, asObject, asString, type JsonObject, setOwn } from '../../../machinery/json/json.ts';
import { writeJson } from '../../../machinery/json/json-writer.ts';
import type { TokenSource, TokenVerdict } from '../bearer-token.ts';
import type { UserInfo } from '../user.ts';
import { createLruExpireCache } from './lru-expire-cache.ts';
import type { WebhookAuthorizerPorts } from './webhook-authorizer.ts';

export interface WebhookAuthentication {
  readonly version: 'v1' | 'v1beta1';
  /** Milliseconds. */
  readonly cachedMs: number;
  /** Used where the webhook returns none. */
  readonly apiAudiences: readonly string[];
}

/**
 * Upstream's own cache keeps successes at least this long. Follows kubernetes
 * pkg/kubeapiserver/options/authentication.go.
 */
const minCachedMs = 10_000;
const maxCached = 4096;

/** Failures are not cached. Follows apiserver plugin/pkg/authenticator/token/webhook/webhook.go. */
export function webhookTokenSource(
  { version, cachedMs, apiAudiences }: WebhookAuthentication,
  { sendReview, now }: WebhookAuthorizerPorts,
): TokenSource {
  const known = createLruExpireCache<{ readonly verdict: TokenVerdict | undefined }>(maxCached, now);
  return async (token, audiences) => {
    const key = writeJson([token, audiences]);
    const remembered = known.get(key);
    if (remembered) return remembered.verdict;
    const review = {
      kind: 'TokenReview',
      apiVersion: `authentication.k8s.io/${version}`,
      metadata: {},
      spec: { token, ...(audiences.length === 0 ? {} : { audiences }) },
      status: { user: {} },
    };
    const answer = await sendReview(review);
    if (answer.outcome === 'failed') return { outcome: 'invalid', error: answer.error };
    const verdict = verdictOf(answer.status, audiences, apiAudiences);
    const cached = { value: { verdict }, bytes: answer.bytes };
    if (verdict?.outcome === 'verified') known.add(key, cached, Math.max(cachedMs, minCachedMs));
    else if (verdict === undefined) known.add(key, cached, cachedMs);
    return verdict;
  };
}

function verdictOf(
  status: JsonObject,
  wanted: readonly string[],
  apiAudiences: readonly string[],
): TokenVerdict | undefined {
  const stated = asList(status['audiences']).map(asString);
  const meant = stated.length > 0 ? stated : apiAudiences;
  const audiences = wanted.filter((audience) => meant.includes(audience));
  if (wanted.length > 0 && audiences.length === 0) return undefined;
  if (status['authenticated'] === true)
    return { outcome: 'verified', user: userIn(asObject(status['user'])), audiences };
  const error = asString(status['error']);
  return error === '' ? undefined : { outcome: 'invalid', error };
}

function userIn({ username, uid, groups, extra }: JsonObject): UserInfo {
  const extras: Record<string, readonly string[]> = {};
  for (const [name, values] of Object.entries(asObject(extra))) setOwn(extras, name, asList(values).map(asString));
  return { username: asString(username), uid: asString(uid), groups: asList(groups).map(asString), extra: extras };
}
