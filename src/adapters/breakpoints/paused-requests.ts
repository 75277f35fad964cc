import type { CallReply, WebhookCall } from '../../apiserver/admission/webhooks/call.ts';
import { type ParseYaml, readReview } from '../../apiserver/admission/webhooks/read-review.ts';
import { reviewSubject, type ReviewVersion } from '../../apiserver/admission/webhooks/review.ts';
import { readVerdict } from '../../apiserver/admission/webhooks/verdict.ts';
import { bigintAsText, writeJson } from '../../machinery/json/json-writer.ts';
import { asObject, asString, isJsonObject, type JsonObject, type JsonValue } from '../../machinery/json/json.ts';
import { plainValue, readJson } from '../../machinery/json/json-reader.ts';

export type PauseMoment = 'before' | 'after';

export interface PausedRequests {
  /** Paused longest first. */
  readonly list: () => readonly PausedRequest[];
  readonly isFull: () => boolean;
  /** Resolves when a client resumes the request, its own client disconnects, or the server closes. */
  readonly hold: (moment: PauseMoment, call: WebhookCall, reply?: CallReply) => Promise<Ending>;
  /** Resumes a request as `json` says (see `readAction`); `by` is the user. */
  readonly resume: (id: string, json: JsonValue, by: string) => Promise<Resumed>;
  readonly close: () => void;
}

export type Ending =
  | { readonly ended: 'canceled' | 'closed' }
  | { readonly ended: 'resumed'; readonly action: Action; readonly by: string };

type Resumed =
  | { readonly outcome: 'resumed'; readonly held: PausedRequest }
  | { readonly outcome: 'unknown' }
  | { readonly outcome: 'wrong'; readonly problem: string };

export interface PausedRequestsPorts {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Called for each request that is paused. */
  readonly onHeld: (held: PausedRequest) => void;
  readonly onChanged: () => void;
}

export const maxPaused = 100;

interface Waiting {
  readonly held: PausedRequest;
  readonly end: (ending: Ending) => void;
}

export function createPausedRequests({ now, onHeld, onChanged }: PausedRequestsPorts): PausedRequests {
  const waiting = new Map<string, Waiting>();
  let count = 0;
  return {
    list: () => [...waiting.values()].map(({ held }) => held),
    isFull: () => waiting.size >= maxPaused,
    hold: async (moment, call, reply) => {
      count += 1;
      const held = toPausedRequest({ id: String(count), moment, since: now() }, call, reply);
      const letTimeGoOn = call.standStill?.();
      const ending = await untilEnded(call.signal, (end) => {
        waiting.set(held.id, { held, end });
        onHeld(held);
        onChanged();
      });
      letTimeGoOn?.();
      waiting.delete(held.id);
      onChanged();
      return ending;
    },
    resume: async (id, json, by) => {
      const found = waiting.get(id);
      if (!found) return { outcome: 'unknown' };
      const reading = await readAction(json, found.held);
      if (reading.outcome === 'wrong') return reading;
      // Another client may have resumed it meanwhile.
      if (!waiting.delete(id)) return { outcome: 'unknown' };
      found.end({ ended: 'resumed', action: reading.action, by });
      return { outcome: 'resumed', held: found.held };
    },
    close: () => {
      for (const { end } of waiting.values()) end({ ended: 'closed' });
    },
  };
}

/** Waits until `end` is called or the client disconnects. */
function untilEnded(signal: AbortSignal | undefined, begin: (end: (ending: Ending) => void) => void): Promise<Ending> {
  return new Promise((resolve) => {
    const leave = (): void => resolve({ ended: 'canceled' });
    if (signal?.aborted) return leave();
    signal?.addEventListener('abort', leave);
    begin((ending) => {
      signal?.removeEventListener('abort', leave);
      resolve(ending);
    });
  });
}

/** `body` is the AdmissionReview that replaces the webhook's. */
type Action = { readonly action: 'continue' } | { readonly action: 'answer'; readonly body: string };

type ActionReading =
  | { readonly outcome: 'read'; readonly action: Action }
  | { readonly outcome: 'wrong'; readonly problem: string };

/**
 * Reads `{"action":"continue"}` or `{"action":"answer","response":{…}}`. The response is an AdmissionReview or its
 * `response`; `uid`, `kind` and `apiVersion` may be missing, `patch` may be a list of operations. The rules for
 * responses of webhooks apply.
 */
export async function readAction(json: JsonValue, held: PausedRequest): Promise<ActionReading> {
  if (!isJsonObject(json)) return wrong(`the body is no JSON object: ${examples}`);
  const { action, response } = json;
  if (action === 'continue') return { outcome: 'read', action: { action } };
  if (action !== 'answer')
    return wrong(`action ${writeJson(action ?? '')} is neither continue nor answer: ${examples}`);
  if (!isJsonObject(response)) return wrong(`an answer needs a response: ${examples}`);
  const body = writeJson(completeReview(response, held));
  const problem = await validateAnswer(body, held);
  return problem === '' ? { outcome: 'read', action: { action, body } } : wrong(problem);
}

const wrong = (problem: string): ActionReading => ({ outcome: 'wrong', problem });

const examples = '{"action":"continue"} or {"action":"answer","response":{"allowed":true}}';

/** The whole review, with missing fields filled in. */
function completeReview(given: JsonObject, { review }: PausedRequest): JsonObject {
  const { kind, apiVersion } = review;
  const isReview = given['kind'] === 'AdmissionReview' || isJsonObject(given['response']);
  const response = isReview ? asObject(given['response']) : given;
  const whole = { uid: asObject(review['request'])['uid'], ...response, ...encodePatch(response) };
  return { kind, apiVersion, ...(isReview ? given : {}), response: whole };
}

/** Encodes a list of operations as base64. */
function encodePatch({ patch, patchType }: JsonObject): JsonObject {
  if (!Array.isArray(patch)) return {};
  if (patch.length === 0) return { patch: undefined, patchType: undefined };
  const base64 = Buffer.from(writeJson(patch)).toString('base64');
  return { patch: base64, patchType: patchType ?? 'JSONPatch' };
}

async function validateAnswer(body: string, { review, phase }: PausedRequest): Promise<string> {
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

/** The response is JSON, never YAML. */
const noYaml: ParseYaml = async () => ({ outcome: 'unreadable', error: 'the answer is no JSON' });

/** A paused request as JSON: integers beyond 2^53 are strings. */
export interface PausedRequest extends JsonObject {
  /** Short, for typing: `1`, `2`. */
  readonly id: string;
  readonly moment: PauseMoment;
  /** Milliseconds since 1970. */
  readonly since: number;
  readonly configuration: string;
  readonly webhook: string;
  readonly phase: 'mutating' | 'validating';
  readonly review: JsonObject;
  /** The webhook's reply, when paused after the call. */
  readonly answer?: HeldAnswer;
}

interface HeldAnswer extends JsonObject {
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

interface HoldPoint {
  readonly id: string;
  readonly moment: PauseMoment;
  readonly since: number;
}

/** `reply` is present after the call. */
function toPausedRequest(
  { id, moment, since }: HoldPoint,
  call: WebhookCall,
  reply: CallReply | undefined,
): PausedRequest {
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
export const pausedLine = ({ id, moment, configuration, webhook, review }: PausedRequest): string =>
  [
    `request ${id} is paused: ${reviewSubject(review)}, ${moment} webhook ${webhook} of ${configuration}`,
    `echo '{"action":"continue"}' | kubectl create --raw /kadmit/v1/breaks/held/${id} -f -`,
  ].join('; resume it: ');
