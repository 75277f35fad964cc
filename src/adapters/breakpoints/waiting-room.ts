import type { CallReply, WebhookCall } from '../../apiserver/admission/webhooks/call.ts';
import { readReview } from '../../apiserver/admission/webhooks/read-review.ts';
import type { ParseYaml } from '../../apiserver/admission/webhooks/read-review.ts';
import type { ReviewVersion } from '../../apiserver/admission/webhooks/review.ts';
import { readVerdict } from '../../apiserver/admission/webhooks/verdict.ts';
import { writeJson } from '../../machinery/json/json-writer.ts';
import { asObject, asString, isJsonObject } from '../../machinery/json/json.ts';
import type { JsonObject, JsonValue } from '../../machinery/json/json.ts';
import type { Moment } from './break-point.ts';
import { heldRequest } from './held-request.ts';
import type { HeldRequest } from './held-request.ts';

/** The requests that are held now. */
export interface WaitingRoom {
  /** Longest held first. */
  readonly list: () => readonly HeldRequest[];
  readonly isFull: () => boolean;
  /** Resolves when somebody resumes the request, its client goes away, or the room closes. */
  readonly hold: (moment: Moment, call: WebhookCall, reply?: CallReply) => Promise<Ending>;
  /** Lets one go on as `json` says (see read-action.ts); `by` is who says so. */
  readonly resume: (id: string, json: JsonValue, by: string) => Promise<Resumed>;
  /** Lets all go on. */
  readonly close: () => void;
}

/** How a hold ended. */
export type Ending =
  | { readonly ended: 'canceled' | 'closed' }
  | { readonly ended: 'resumed'; readonly action: Action; readonly by: string };

export type Resumed =
  | { readonly outcome: 'resumed'; readonly held: HeldRequest }
  | { readonly outcome: 'unknown' }
  | { readonly outcome: 'wrong'; readonly problem: string };

export interface WaitingRoomPorts {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Told of each request that is held from now on. */
  readonly onHeld: (held: HeldRequest) => void;
  /** Told whenever the list is another. */
  readonly onChanged: () => void;
}

/** How many requests can be held at once. */
export const mostHeld = 100;

interface Waiting {
  readonly held: HeldRequest;
  readonly end: (ending: Ending) => void;
}

export function createWaitingRoom({ now, onHeld, onChanged }: WaitingRoomPorts): WaitingRoom {
  const waiting = new Map<string, Waiting>();
  let count = 0;
  return {
    list: () => [...waiting.values()].map(({ held }) => held),
    isFull: () => waiting.size >= mostHeld,
    hold: async (moment, call, reply) => {
      count += 1;
      const held = heldRequest({ id: String(count), moment, since: now() }, call, reply);
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
      // While it was read, somebody else may have been faster.
      if (!waiting.delete(id)) return { outcome: 'unknown' };
      found.end({ ended: 'resumed', action: reading.action, by });
      return { outcome: 'resumed', held: found.held };
    },
    close: () => {
      for (const { end } of waiting.values()) end({ ended: 'closed' });
    },
  };
}

/** Waits for `end` to be called, or for the client to go away. */
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

/** What somebody wants done with a held request. `body` is an AdmissionReview, ready to stand for the webhook's. */
type Action = { readonly action: 'continue' } | { readonly action: 'answer'; readonly body: string };

type ActionReading =
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
