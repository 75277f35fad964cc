import type { CallReply, CallWebhook, ServerCertificate, ConversionPhase } from '../admission/webhooks/call.ts';
import type { FailureCause } from '../admission/webhooks/failure-cause.ts';
import { contentTypeError, emptyBody, errorOfAnswer, isSuccess } from '../admission/webhooks/response-error.ts';
import type { NewUid } from '../../machinery/clock.ts';
import { asList, asObject, asString, valueAt } from '../../machinery/json/json.ts';
import type { JsonObject } from '../../machinery/json/json.ts';
import type { KubernetesObject } from '../../machinery/meta/object.ts';
import { hasTooManyValues, tooManyValuesText } from '../../machinery/json/most-values.ts';
import { internalError } from '../../machinery/meta/status.ts';
import type { Converted } from '../../api/codec/codec.ts';
import { checkConverted, kindText } from './check-converted.ts';
import { converterOf } from './conversion-record.ts';
import { conversionReview, readConversion, reviewVersionOf } from './conversion-review.ts';
import type { ParseYaml, ReviewVersion } from './conversion-review.ts';
import { readConvertedObject } from './converted-object.ts';

export interface ConversionPorts {
  readonly callWebhook: CallWebhook;
  readonly newUid: NewUid;
  readonly parseYaml: ParseYaml;
}

export interface ConversionTask {
  readonly object: KubernetesObject;
  readonly to: string;
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds that the converter may take. */
  readonly timeoutMs: number;
}

/** What came of it, and what only a trace tells. */
export interface Conversion {
  readonly converted: Converted;
  /** Where a service was really called. */
  readonly url?: string | undefined;
  /** How far a failed call came; `failure` when the converter said no, `answer` when what it said cannot be used. */
  readonly failurePhase?: ConversionPhase;
  readonly failureCause?: FailureCause | undefined;
  readonly certificate?: ServerCertificate | undefined;
}

/**
 * Asks a definition's converter for an object in another version. Follows apiextensions-apiserver
 * pkg/apiserver/conversion/webhook_converter.go.
 */
export async function convertByWebhook(
  definition: JsonObject,
  { object, to, signal, timeoutMs }: ConversionTask,
  { callWebhook, newUid, ...reading }: ConversionPorts,
): Promise<Conversion> {
  const webhook = asObject(valueAt(definition, 'spec', 'conversion', 'webhook'));
  const version = reviewVersionOf(asList(webhook['conversionReviewVersions']));
  if (version === undefined) {
    return { converted: inconvertible('no supported conversion review versions'), failurePhase: 'client' };
  }
  const uid = newUid();
  const name = asString(valueAt(definition, 'metadata', 'name'));
  const reply = await callWebhook({
    webhookName: `conversion_webhook_for_${name}`,
    clientConfig: converterOf(definition),
    body: conversionReview(version, uid, { object, to }),
    timeoutMs,
    ...(signal ? { signal } : {}),
  });
  const { url } = reply;
  if (reply.outcome === 'failed') {
    const { error, phase, cause, certificate } = reply;
    const converted = failedConverting(object, error);
    return { converted, url, failurePhase: phase, failureCause: cause, certificate };
  }
  return { ...(await readReply(reply, { object, to, version, uid }, reading)), url };
}

type AnsweredCall = Extract<CallReply, { readonly outcome: 'answered' }>;

interface Question {
  readonly object: KubernetesObject;
  readonly to: string;
  readonly version: ReviewVersion;
  readonly uid: string;
}

async function readReply(
  reply: AnsweredCall,
  asked: Question,
  { parseYaml }: Pick<ConversionPorts, 'parseYaml'>,
): Promise<Conversion> {
  const { object, to } = asked;
  const unusable = (converted: Converted): Conversion => ({ converted, failurePhase: 'answer' });
  const failure = failureOf(reply);
  if (failure !== undefined) return unusable(failedConverting(object, failure));
  if (hasTooManyValues(reply.body)) return unusable(failedConverting(object, tooManyValuesText));
  const reading = await readConversion(decoder.decode(reply.body), asked, { parseYaml });
  if (reading.outcome === 'failed') {
    const saysNo = valueAt(reading.review, 'response', 'result', 'status') === 'Failure';
    return { ...unusable(failedConverting(object, reading.error)), ...(saysNo && { failurePhase: 'failure' }) };
  }
  const { objects } = reading;
  if (objects.length !== 1) {
    return unusable(inconvertible(`${subject(object)} returned ${objects.length} objects, expected 1`));
  }
  const converted = readConvertedObject(objects[0] ?? null);
  if (converted.outcome === 'unreadable') return unusable(inconvertible(converted.error));
  const checked = checkConverted(object, converted.object, to);
  if (checked.outcome === 'bad') return unusable(inconvertible(`${subject(object)} returned ${checked.error}`));
  return { converted: { outcome: 'converted', object: checked.object } };
}

const decoder = new TextDecoder();

const subject = (object: KubernetesObject): string => `conversion webhook for ${kindText(object)}`;

const inconvertible = (error: string): Converted => ({ outcome: 'inconvertible', error, isBare: true });

const failedConverting = (object: KubernetesObject, error: string): Converted =>
  inconvertible(`${subject(object)} failed: ${error}`);

/** What is wrong with the answer as such, which may have no words for it; undefined when it may be read. */
function failureOf({ code, contentType, body: bytes }: AnsweredCall): string | undefined {
  const body = decoder.decode(bytes);
  const mime = contentTypeError(contentType);
  if (mime !== '') return internalError(mime).message ?? '';
  if (!isSuccess(code)) return errorOfAnswer({ code, contentType, body });
  return body === '' ? emptyBody(code, contentType) : undefined;
}
