import type { Clock, NewUid } from '../../../machinery/clock.ts';
import { isJsonObject, type JsonObject } from '../../../machinery/json/json.ts';
import { readJson } from '../../../machinery/json/json-reader.ts';
import { decodeYamlBytes, utf8Error } from '../../../machinery/go/utf8.ts';
import { estimateParsedBytes } from '../../../machinery/memory-estimate.ts';
import { hasTooManyValues, maxBodyValues } from '../../../machinery/json/body-limits.ts';
import { badRequest, internalError, type Status } from '../../../machinery/meta/status.ts';
import type { AdmissionAttributes, AdmissionPhase } from '../chain/attributes.ts';
import type { CallLimits } from '../chain/create-chain.ts';
import type { Called } from '../chain/outcome.ts';
import type { CallReply, CallWebhook } from './call.ts';
import type { AdmissionWebhook } from './read-webhooks.ts';
import type { CallFailure } from './failure-policy.ts';
import type { MatchedAs } from '../matching/match-rules.ts';
import { type ParseYaml, readReview, type ReviewReading } from './read-review.ts';
import { contentTypeError, emptyBody, transformResponse, isSuccess } from './response-error.ts';
import { admissionReview, noKnownReviewVersion, reviewBody, reviewVersionOf } from './review.ts';
import { type Expected, readVerdict, type WebhookVerdict } from './verdict.ts';

export interface WebhookCallPorts {
  readonly clock: Clock;
  readonly newUid: NewUid;
  readonly callWebhook: CallWebhook;
  readonly parseYaml: ParseYaml;
}

/** One matched webhook and its view of the request. */
export interface MatchedCall {
  readonly webhook: AdmissionWebhook;
  readonly view: AdmissionAttributes;
  readonly as: MatchedAs;
  readonly phase: AdmissionPhase;
  readonly limits: CallLimits;
}

export type CallOutcome =
  | { readonly outcome: 'answered'; readonly called: Called; readonly verdict: WebhookVerdict }
  | { readonly outcome: 'failed'; readonly called: Called; readonly failure: CallFailure }
  /** failurePolicy is ignored. */
  | { readonly outcome: 'refused'; readonly called: Called; readonly status: Status };

/**
 * Calls one webhook: dry-run check, review, call, decode, verify. Follows apiserver
 * pkg/admission/plugin/webhook/mutating/dispatcher.go callAttrMutatingHook (rule MUT-2).
 */
export async function callAndDecode(question: MatchedCall, ports: WebhookCallPorts): Promise<CallOutcome> {
  const { webhook, view, as, phase, limits } = question;
  const uid = ports.newUid();
  const blank: Called = { matched: as, uid, request: null, response: undefined, warnings: [], auditAnnotations: {} };
  const blocked = dryRunBlock(webhook, view, blank);
  if (blocked) return blocked;
  const version = reviewVersionOf(webhook.admissionReviewVersions);
  if (version === undefined) {
    const reason = `could not create admission objects: ${noKnownReviewVersion}`;
    return failed(blank, { phase: 'client', reason, countedAs: 400 });
  }
  const review = admissionReview(version, uid, view, as);
  const timeoutMs = timeoutOf(question, ports);
  const reply = await ports.callWebhook({
    webhookName: webhook.name,
    configuration: webhook.configuration,
    phase,
    clientConfig: webhook.clientConfig,
    body: reviewBody(review),
    timeoutMs,
    standStill: limits.deadline.pauseClock,
    ...(limits.signal && { signal: limits.signal() }),
  });
  const { holds, url, program, trustedAsMapped, assumed, exchanges } = reply;
  const callRecord = {
    ...(holds && { holds }),
    ...(url && { url }),
    ...(program && { program }),
    ...(trustedAsMapped && { trustedAsMapped }),
    ...(assumed && { assumed }),
    ...(exchanges && { exchanges }),
  };
  const called = { ...blank, request: review, timeoutMs, ...callRecord };
  if (assumed === 'allow' || assumed === 'deny') return assumedAnswer(assumed, called);
  const { parseYaml } = ports;
  return readReply(reply, called, { uid, version, phase }, { parseYaml });
}

const failed = (called: Called, failure: CallFailure): CallOutcome => ({ outcome: 'failed', called, failure });

/** For `--assume`. */
const assumedAnswer = (assumed: 'allow' | 'deny', called: Called): CallOutcome => ({
  outcome: 'answered',
  called,
  verdict: {
    allowed: assumed === 'allow',
    status: assumed === 'allow' ? {} : { message: 'kadmit assumes that it denies (--assume)', code: 403 },
    patch: '',
    patchType: '',
    auditAnnotations: {},
    warnings: [],
  },
});

/** A webhook with side effects blocks a dry run (rules DRY-2, DRY-3). */
function dryRunBlock(
  { name, sideEffects }: AdmissionWebhook,
  { dryRun }: AdmissionAttributes,
  called: Called,
): CallOutcome | null {
  if (!dryRun || sideEffects === 'None' || sideEffects === 'NoneOnDryRun') return null;
  if (sideEffects === undefined) return failed(called, { phase: 'dry-run', reason: 'Webhook SideEffects is nil' });
  const status = badRequest(`admission webhook "${name}" does not support dry run`);
  return { outcome: 'refused', called, status };
}

/** Its own timeout, or the rest of the request's time (rule FAIL-42). */
const timeoutOf = ({ webhook, limits }: MatchedCall, { clock }: WebhookCallPorts): number =>
  Math.max(0, Math.min(webhook.timeoutSeconds * 1000, limits.deadline.at() - clock.now()));

interface ReadingPorts {
  readonly parseYaml: ParseYaml;
}

/** Applies rules RSP-1 to RSP-26 to a reply; adds the response to `called`. */
export async function readReply(
  reply: CallReply,
  called: Called,
  expected: Expected,
  { parseYaml }: ReadingPorts,
): Promise<CallOutcome> {
  if (reply.outcome === 'failed') {
    const step = reply.phase === 'client' ? 'could not get REST client' : 'failed to call webhook';
    const { phase, error, detail = error, cause, certificate } = reply;
    const reason = `${step}: ${error}`;
    return failed(called, { phase, reason, detail: phase === 'client' ? reason : detail, cause, certificate });
  }
  const answered = { ...called, memory: estimateParsedBytes(reply.body) };
  if (hasTooManyValues(reply.body)) {
    return failed(answered, {
      phase: 'decode',
      reason: `failed to call webhook: ${tooManyValues}`,
      detail: tooManyValues,
    });
  }
  const body = decodeYamlBytes(reply.body);
  const error = answerError(reply, body);
  const reading = error === undefined ? await readReview(body, expected.version, { parseYaml }) : undecodable(error);
  if (reading.outcome === 'undecodable') {
    return undecodableReply(reply.code, { ...answered, response: parseShownBody(body) }, reading);
  }
  const { review } = reading;
  const checked = readVerdict(review, expected);
  if (checked.outcome === 'invalid') {
    const reason = `received invalid webhook response: ${checked.error}`;
    const cause = { because: checked.because };
    return failed({ ...answered, response: review }, { phase: 'verify', reason, cause });
  }
  const { warnings, auditAnnotations } = checked.verdict;
  return {
    outcome: 'answered',
    called: { ...answered, response: review, warnings, auditAnnotations },
    verdict: checked.verdict,
  };
}

function undecodableReply(code: number, called: Called, { error: detail, because }: Undecodable): CallOutcome {
  const isRead = isSuccess(code);
  const cause = isRead ? because && { because } : { because: 'http-status' as const, code };
  const reason = `failed to call webhook: ${detail}`;
  return failed({ ...called, ...(!isRead && { httpCode: code }) }, { phase: 'decode', reason, detail, cause });
}

/** Limit of kadmit: a longer response would block the process for seconds. */
const tooManyValues = `kadmit takes at most ${maxBodyValues} values in a webhook's answer`;

type Undecodable = Extract<ReviewReading, { readonly outcome: 'undecodable' }>;

const undecodable = (error: string): Undecodable => ({
  outcome: 'undecodable',
  error,
});

/** May be empty: the message of a Status without one. */
function answerError(
  { code, contentType, body: bytes }: Extract<CallReply, { readonly outcome: 'answered' }>,
  body: string,
): string | undefined {
  const mime = contentTypeError(contentType);
  if (mime !== '') return internalError(mime).message ?? '';
  if (!isSuccess(code)) return transformResponse({ code, contentType, body, bytes });
  if (body === '') return emptyBody(code, contentType);
  // Without a leading brace it is YAML.
  const fault = /^\s*\{/.test(body) ? '' : utf8Error(bytes);
  return fault === '' ? undefined : `yaml: ${fault}`;
}

function parseShownBody(body: string): JsonObject | string {
  if (!body.startsWith('{')) return body;
  const reading = readJson(body);
  if (reading.outcome === 'unreadable' || !isJsonObject(reading.json.value)) return body;
  return reading.json.value;
}
