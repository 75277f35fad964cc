import { bigintAsText } from '../../machinery/json/bigint-replacer.ts';
import type { CallReply, WebhookCall } from '../../apiserver/admission/webhooks/call.ts';
import { reviewSubject } from '../../apiserver/admission/webhooks/review-subject.ts';
import { asObject, asString, isJsonObject } from '../../machinery/json/json.ts';
import type { JsonObject, JsonValue } from '../../machinery/json/json.ts';
import { plainValue, readJson } from '../../machinery/json/json-reader.ts';
import type { Moment } from './break-point.ts';

/** A paused request as JSON: integers beyond 2^53 are strings. */
export interface HeldRequest extends JsonObject {
  /** Short, for typing: `1`, `2`. */
  readonly id: string;
  readonly moment: Moment;
  /** Milliseconds since 1970. */
  readonly since: number;
  readonly configuration: string;
  readonly webhook: string;
  readonly phase: 'mutating' | 'validating';
  /** The AdmissionReview sent to the webhook. */
  readonly review: JsonObject;
  /** The webhook's reply, when paused after the call. */
  readonly answer?: HeldAnswer;
}

export interface HeldAnswer extends JsonObject {
  readonly outcome: 'answered' | 'failed';
  /** HTTP status, and the body as JSON or text. */
  readonly code?: number;
  readonly body?: JsonValue;
  /** The response of the AdmissionReview, its patch as a list of operations that can be edited and sent back. */
  readonly response?: JsonObject;
  /** The phase in which the call failed, and the error. */
  readonly failurePhase?: string;
  readonly error?: string;
}

export interface HoldPoint {
  readonly id: string;
  readonly moment: Moment;
  readonly since: number;
}

/** `reply` is present after the call. */
export function heldRequest(
  { id, moment, since }: HoldPoint,
  call: WebhookCall,
  reply: CallReply | undefined,
): HeldRequest {
  const { webhookName: webhook, configuration = '', phase = 'validating', body } = call;
  const about = { id, moment, since, configuration, webhook, phase, review: asObject(shownText(body)) };
  return reply === undefined ? about : { ...about, answer: heldAnswer(reply) };
}

function heldAnswer(reply: CallReply): HeldAnswer {
  if (reply.outcome === 'failed') return { outcome: 'failed', failurePhase: reply.phase, error: reply.error };
  const body = shownBody(reply.body);
  const response = isJsonObject(body) ? body['response'] : undefined;
  const editable = isJsonObject(response) ? { response: withOperations(response) } : {};
  return { outcome: 'answered', code: reply.code, body, ...editable };
}

/** A body as JSON if possible, otherwise as text. */
export const shownBody = (body: Uint8Array): JsonValue => shownText(new TextDecoder().decode(body));

function shownText(text: string): JsonValue {
  const reading = readJson(text);
  if (reading.outcome === 'unreadable') return text;
  const value = plainValue(reading.json.value);
  return JSON.parse(JSON.stringify(value, bigintAsText));
}

/** The patch decoded, if it is valid. */
function withOperations(response: JsonObject): JsonObject {
  const patch = asString(response['patch']);
  if (patch === '') return response;
  const operations = shownText(textOf(patch));
  return Array.isArray(operations) ? { ...response, patch: operations } : response;
}

const textOf = (base64: string): string => Buffer.from(base64, 'base64').toString('utf8');

/** The line for the terminal: what is paused where, and how to resume it. */
export const heldLine = ({ id, moment, configuration, webhook, review }: HeldRequest): string =>
  [
    `held ${id}: ${reviewSubject(review)}, ${moment} webhook ${webhook} of ${configuration}`,
    `echo '{"action":"continue"}' | kubectl create --raw /kadmit/v1/breaks/held/${id} -f -`,
  ].join('; to go on: ');
