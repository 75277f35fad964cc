import { asString } from '../../../machinery/json/json.ts';
import type { JsonObject } from '../../../machinery/json/json.ts';
import { writeJson } from '../../../machinery/json/json-writer.ts';
import type { AuthorizationDecision, AuthorizationQuestion, Authorize } from '../authorizer.ts';
import { createAnswerCache } from './answer-cache.ts';
import { reviewSpec, reviewSpecV1beta1 } from './review-spec.ts';

/** Times in milliseconds; 0: not cached. */
export interface WebhookAuthorization {
  readonly version: 'v1' | 'v1beta1';
  readonly authorizedMs: number;
  readonly unauthorizedMs: number;
  /** For failed calls. */
  readonly failurePolicy: 'NoOpinion' | 'Deny';
  /** matchConditions over the spec of a SubjectAccessReview. */
  readonly matches: (spec: JsonObject) => ConditionsVerdict;
}

export type ConditionsVerdict =
  | { readonly outcome: 'matched' | 'skipped' }
  | { readonly outcome: 'failed'; readonly error: string };

export type AskReviewer = (
  review: JsonObject,
) => Promise<
  | { readonly outcome: 'reviewed'; readonly status: JsonObject; readonly bytes: number }
  | { readonly outcome: 'failed'; readonly error: string }
>;

export interface WebhookPorts {
  readonly ask: AskReviewer;
  readonly now: () => number;
}

/** Clients choose the size of questions, so long ones are not cached. */
const longestRemembered = 10_000;
const mostRemembered = 8192;

/** Follows apiserver plugin/pkg/authorizer/webhook/webhook.go. */
export function createWebhookAuthorizer(how: WebhookAuthorization, { ask, now }: WebhookPorts): Authorize {
  const known = createAnswerCache<JsonObject>(mostRemembered, now);
  const failed = (error: string): AuthorizationDecision => ({
    allowed: false,
    denied: how.failurePolicy === 'Deny',
    reason: '',
    error,
  });
  return async (question) => {
    const spec = reviewSpec(question);
    const verdict = how.matches(spec);
    if (verdict.outcome === 'failed') return failed(verdict.error);
    if (verdict.outcome === 'skipped') return { allowed: false, reason: '' };
    const key = writeJson(spec);
    const remembered = known.get(key);
    if (remembered) return decisionOf(remembered);
    const answer = await ask(reviewOf(spec, how.version));
    if (answer.outcome === 'failed') return failed(answer.error);
    const { status, bytes } = answer;
    const keptMs = status['allowed'] === true ? how.authorizedMs : how.unauthorizedMs;
    if (lengthOf(question) < longestRemembered) known.add(key, { value: status, bytes }, keptMs);
    return decisionOf(status);
  };
}

const reviewOf = (spec: JsonObject, version: WebhookAuthorization['version']): JsonObject => ({
  kind: 'SubjectAccessReview',
  apiVersion: `authorization.k8s.io/${version}`,
  metadata: {},
  spec: version === 'v1' ? spec : reviewSpecV1beta1(spec),
  status: { allowed: false },
});

function decisionOf(status: JsonObject): AuthorizationDecision {
  const [allowed, denied] = [status['allowed'] === true, status['denied'] === true];
  const reason = asString(status['reason']);
  if (!denied) return { allowed, reason };
  const error = allowed ? 'webhook subject access review returned both allow and deny response' : undefined;
  return { allowed: false, denied, reason, error };
}

function lengthOf(question: AuthorizationQuestion): number {
  if (question.type === 'path') return question.verb.length + question.path.length;
  const { namespace, verb, group, version, resource, subresource, name } = question;
  return [namespace, verb, group, version, resource, subresource, name].join('').length;
}
