import type { CallReply, CallWebhook, ClientConfig } from '../admission/webhooks/call.ts';
import { contentTypeError, emptyBody, errorOfAnswer, isSuccess } from '../admission/webhooks/response-error.ts';
import type { NewUid } from '../apimachinery/clock.ts';
import { asList, asObject, asString, isJsonObject, valueAt } from '../apimachinery/json.ts';
import type { JsonObject } from '../apimachinery/json.ts';
import { writeJsonForGo } from '../apimachinery/json-writer.ts';
import type { KubernetesObject } from '../apimachinery/object.ts';
import { internalError } from '../apimachinery/status.ts';
import type { Converted } from '../schema/codec/codec.ts';
import { checkConverted, kindText } from './check-converted.ts';
import { conversionReview, readConversion, reviewVersionOf } from './conversion-review.ts';
import type { ParseYaml } from './conversion-review.ts';

export interface ConversionPorts {
  readonly callWebhook: CallWebhook;
  readonly newUid: NewUid;
  readonly parseYaml: ParseYaml;
}

/** Milliseconds a converter may take. */
const timeoutMs = 30_000;

/**
 * Asks a definition's converter for an object in another version. Follows apiextensions-apiserver
 * pkg/apiserver/conversion/webhook_converter.go.
 */
export async function convertByWebhook(
  definition: JsonObject,
  {
    object,
    to,
    signal,
  }: { readonly object: KubernetesObject; readonly to: string; readonly signal?: AbortSignal | undefined },
  { callWebhook, newUid, parseYaml }: ConversionPorts,
): Promise<Converted> {
  const webhook = asObject(valueAt(definition, 'spec', 'conversion', 'webhook'));
  const version = reviewVersionOf(asList(webhook['conversionReviewVersions']));
  if (version === undefined) return inconvertible('no supported conversion review versions');
  const uid = newUid();
  const name = asString(valueAt(definition, 'metadata', 'name'));
  const reply = await callWebhook({
    webhookName: `conversion_webhook_for_${name}`,
    clientConfig: clientConfigOf(asObject(webhook['clientConfig'])),
    body: writeJsonForGo(conversionReview(version, uid, { object, to })),
    timeoutMs,
    ...(signal ? { signal } : {}),
  });
  const failure = failureOf(reply);
  if (failure !== '' || reply.outcome === 'failed') return failedConverting(object, failure);
  const reading = await readConversion(decoder.decode(reply.body), { version, uid }, parseYaml);
  if (reading.outcome === 'failed') return failedConverting(object, reading.error);
  const { objects } = reading;
  if (objects.length !== 1) {
    return inconvertible(`${subject(object)} returned ${objects.length} objects, expected 1`);
  }
  const checked = checkConverted(object, objects[0] ?? null, to);
  if (checked.outcome === 'bad') return inconvertible(`${subject(object)} returned ${checked.error}`);
  return { outcome: 'converted', object: checked.object };
}

const decoder = new TextDecoder();

const subject = (object: KubernetesObject): string => `conversion webhook for ${kindText(object)}`;

const inconvertible = (error: string): Converted => ({ outcome: 'inconvertible', error, isBare: true });

const failedConverting = (object: KubernetesObject, error: string): Converted =>
  inconvertible(`${subject(object)} failed: ${error}`);

/** What is wrong with the answer as such; '' when it may be read. */
function failureOf(reply: CallReply): string {
  if (reply.outcome === 'failed') return reply.error;
  const { code, contentType } = reply;
  const body = decoder.decode(reply.body);
  const mime = contentTypeError(contentType);
  if (mime !== '') return internalError(mime).message ?? '';
  if (!isSuccess(code)) return errorOfAnswer({ code, contentType, body });
  return body === '' ? emptyBody(code, contentType) : '';
}

/** The same fields that webhook configurations have. */
function clientConfigOf({ url, service, caBundle }: JsonObject): ClientConfig {
  return {
    ...(typeof url === 'string' ? { url } : {}),
    ...(isJsonObject(service) ? { service: serviceOf(service) } : {}),
    ...(typeof caBundle === 'string' ? { caBundle } : {}),
  };
}

function serviceOf({ namespace, name, path, port }: JsonObject): NonNullable<ClientConfig['service']> {
  return {
    namespace: asString(namespace),
    name: asString(name),
    ...(typeof path === 'string' ? { path } : {}),
    ...(typeof port === 'number' ? { port } : {}),
  };
}
