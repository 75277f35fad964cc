import { readReview } from '../../apiserver/admission/webhooks/read-review.ts';
import type { ParseYaml } from '../../apiserver/admission/webhooks/read-review.ts';
import type { ReviewVersion } from '../../apiserver/admission/webhooks/review.ts';
import { readVerdict } from '../../apiserver/admission/webhooks/verdict.ts';
import { asObject, asString, isJsonObject } from '../../machinery/json/json.ts';
import type { JsonObject, JsonValue } from '../../machinery/json/json.ts';
import { writeJson } from '../../machinery/json/json-writer.ts';
import type { HeldRequest } from './held-request.ts';

/** What somebody wants done with a held request. `body` is an AdmissionReview, ready to stand for the webhook's. */
export type Action = { readonly action: 'continue' } | { readonly action: 'answer'; readonly body: string };

export type ActionReading =
  | { readonly outcome: 'read'; readonly action: Action }
  | { readonly outcome: 'wrong'; readonly problem: string };

/**
 * Reads `{"action":"continue"}` or `{"action":"answer","response":{…}}`. The response is an AdmissionReview or its
 * `response` part; `uid`, `kind` and `apiVersion` may be left out, and `patch` may be a list of operations. It is
 * checked as the server checks a webhook's answer.
 */
export async function readAction(json: JsonValue, held: HeldRequest): Promise<ActionReading> {
  if (!isJsonObject(json)) return wrong(`the body is no JSON object: ${examples}`);
  const { action, response } = json;
  if (action === 'continue') return { outcome: 'read', action: { action } };
  if (action !== 'answer')
    return wrong(`action ${writeJson(action ?? '')} is neither continue nor answer: ${examples}`);
  if (!isJsonObject(response)) return wrong(`an answer needs a response: ${examples}`);
  const body = writeJson(completed(response, held));
  const problem = await problemWith(body, held);
  return problem === '' ? { outcome: 'read', action: { action, body } } : wrong(problem);
}

const wrong = (problem: string): ActionReading => ({ outcome: 'wrong', problem });

const examples = '{"action":"continue"} or {"action":"answer","response":{"allowed":true}}';

/** The whole review, with what may be left out filled in. */
function completed(given: JsonObject, { review }: HeldRequest): JsonObject {
  const { kind, apiVersion } = review;
  const isReview = given['kind'] === 'AdmissionReview' || isJsonObject(given['response']);
  const response = isReview ? asObject(given['response']) : given;
  const whole = { uid: asObject(review['request'])['uid'], ...response, ...encodedPatch(response) };
  return { kind, apiVersion, ...(isReview ? given : {}), response: whole };
}

/** A list of operations as the base64 that a review carries. */
function encodedPatch({ patch, patchType }: JsonObject): JsonObject {
  if (!Array.isArray(patch)) return {};
  if (patch.length === 0) return { patch: undefined, patchType: undefined };
  const base64 = Buffer.from(writeJson(patch)).toString('base64');
  return { patch: base64, patchType: patchType ?? 'JSONPatch' };
}

async function problemWith(body: string, { review, phase }: HeldRequest): Promise<string> {
  const version: ReviewVersion = asString(review['apiVersion']).endsWith('/v1beta1') ? 'v1beta1' : 'v1';
  const reading = await readReview(body, version, { parseYaml: noYaml });
  if (reading.outcome === 'undecodable') return `response is no AdmissionReview: ${reading.error}`;
  const uid = asString(asObject(review['request'])['uid']);
  const verdict = readVerdict(reading.review, { uid, version, phase });
  if (verdict.outcome === 'invalid') return `response: ${verdict.error}`;
  return asObject(asObject(reading.review)['response'])['allowed'] === undefined
    ? 'response.allowed is missing: say true or false'
    : '';
}

/** What is asked here begins with a brace. */
const noYaml: ParseYaml = async () => ({ outcome: 'unreadable', error: 'the answer is no JSON' });
