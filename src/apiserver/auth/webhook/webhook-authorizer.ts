import { asString } from '../../../machinery/json/json.ts';
import type { JsonObject } from '../../../machinery/json/json.ts';
import { writeJson } from '../../../machinery/json/json-writer.ts';
import type { AuthorizationDecision, AuthorizationQuestion, Authorize } from '../authorizer.ts';
import { createAnswerCache } from './answer-cache.ts';
import { reviewSpec, reviewSpecV1beta1 } from './review-spec.ts';

/** What is configured of a webhook that authorizes. Times in milliseconds; 0: answers of that kind are not remembered. */
export interface WebhookAuthorization {
  readonly version: 'v1' | 'v1beta1';
  readonly authorizedMs: number;
  readonly unauthorizedMs: number;
  /** What holds when it cannot be asked. */
  readonly failurePolicy: 'NoOpinion' | 'Deny';
  /** Shall it be asked? Of the spec of a SubjectAccessReview. */
  readonly matches: (spec: JsonObject) => ConditionsVerdict;
}

export type ConditionsVerdict =
  | { readonly outcome: 'matched' | 'skipped' }
  | { readonly outcome: 'failed'; readonly error: string };

/** Sends a review; the answer's status, or why there is none. */
export type AskReviewer = (
  review: JsonObject,
) => Promise<
  | { readonly outcome: 'reviewed'; readonly status: JsonObject; readonly bytes: number }
  | { readonly outcome: 'failed'; readonly error: string }
>;

export interface WebhookPorts {
  readonly ask: AskReviewer;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** Long questions are not remembered: who asks may choose them. */
const longestRemembered = 10_000;
const mostRemembered = 8192;

/** Asks a webhook who may do what. Follows apiserver plugin/pkg/authorizer/webhook/webhook.go. */
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
