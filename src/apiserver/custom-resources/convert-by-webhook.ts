import type { Converted } from '../../api/codec/codec.ts';
import { validateLabels } from '../../api/validation/meta/labels.ts';
import { validateAnnotations } from '../../api/validation/meta/object-meta.ts';
import type { NewUid } from '../../machinery/clock.ts';
import { plainValue } from '../../machinery/json/json-reader.ts';
import { writeJsonForGo } from '../../machinery/json/json-writer.ts';
import {
  asList,
  asObject,
  asString,
  isJsonObject,
  type JsonDocument,
  type JsonObject,
  type JsonValue,
  valueAt,
} from '../../machinery/json/json.ts';
import { hasTooManyValues, tooManyValuesText } from '../../machinery/json/body-limits.ts';
import { tooLargeNumber } from '../../machinery/json/too-large-number.ts';
import { fieldErrorText } from '../../machinery/meta/field-error.ts';
import { gvkText, parseApiVersion } from '../../machinery/meta/gvk.ts';
import { type KubernetesObject, metadataOf, type StringMap, withMetadata } from '../../machinery/meta/object.ts';
import { internalError } from '../../machinery/meta/status.ts';
import type {
  CallReply,
  CallWebhook,
  ConversionPhase,
  ServerCertificate,
  FailureCause,
} from '../admission/webhooks/call.ts';
import { contentTypeError, emptyBody, transformResponse, isSuccess } from '../admission/webhooks/response-error.ts';
import {
  conversionReview,
  type ParseConversionYaml,
  readConversion,
  type ReviewVersion,
  conversionReviewVersion,
  converterOf,
} from './conversion-review.ts';

export interface ConversionPorts {
  readonly callWebhook: CallWebhook;
  readonly newUid: NewUid;
  readonly parseYaml: ParseConversionYaml;
}

export interface ConversionTask {
  readonly object: KubernetesObject;
  readonly to: string;
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs: number;
}

export interface Conversion {
  readonly converted: Converted;
  readonly url?: string | undefined;
  /** `failure`: the converter's result is Failed; `answer`: its response is invalid. */
  readonly failurePhase?: ConversionPhase;
  readonly failureCause?: FailureCause | undefined;
  readonly certificate?: ServerCertificate | undefined;
}

/** Follows apiextensions-apiserver pkg/apiserver/conversion/webhook_converter.go. */
export async function convertByWebhook(
  definition: JsonObject,
  { object, to, signal, timeoutMs }: ConversionTask,
  { callWebhook, newUid, ...reading }: ConversionPorts,
): Promise<Conversion> {
  const webhook = asObject(valueAt(definition, 'spec', 'conversion', 'webhook'));
  const version = conversionReviewVersion(asList(webhook['conversionReviewVersions']));
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
  question: Question,
  { parseYaml }: Pick<ConversionPorts, 'parseYaml'>,
): Promise<Conversion> {
  const { object, to } = question;
  const unusable = (converted: Converted): Conversion => ({ converted, failurePhase: 'answer' });
  const failure = failureOf(reply);
  if (failure !== undefined) {
    const { code } = reply;
    const cause: FailureCause | undefined = isSuccess(code) ? undefined : { because: 'http-status', code };
    return { ...unusable(failedConverting(object, failure)), ...(cause && { failureCause: cause }) };
  }
  if (hasTooManyValues(reply.body)) return unusable(failedConverting(object, tooManyValuesText));
  const reading = await readConversion(decoder.decode(reply.body), question, { parseYaml });
  if (reading.outcome === 'failed') {
    const isFailure = valueAt(reading.review, 'response', 'result', 'status') === 'Failure';
    return { ...unusable(failedConverting(object, reading.error)), ...(isFailure && { failurePhase: 'failure' }) };
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

/** The error of the response itself, may be empty; undefined when it can be decoded. */
function failureOf({ code, contentType, body: bytes }: AnsweredCall): string | undefined {
  const body = decoder.decode(bytes);
  const mime = contentTypeError(contentType);
  if (mime !== '') return internalError(mime).message ?? '';
  if (!isSuccess(code)) return transformResponse({ code, contentType, body });
  return body === '' ? emptyBody(code, contentType) : undefined;
}

type ConvertedObject =
  | { readonly outcome: 'read'; readonly object: JsonObject }
  /** Upstream prints this error without the name of the converter. */
  | { readonly outcome: 'unreadable'; readonly error: string };

const unreadable = (error: string): ConvertedObject => ({ outcome: 'unreadable', error });

/**
 * One item of a converter's response. Follows apiextensions-apiserver pkg/apiserver/conversion/webhook_converter.go
 * getRawExtensionObject, and apimachinery pkg/apis/meta/v1/unstructured/helpers.go unstructuredJSONScheme for the
 * texts.
 */
export function readConvertedObject(document: JsonDocument): ConvertedObject {
  // Go's raw value of null is empty.
  if (document === null) return unreadable('unexpected end of JSON input');
  const value = plainValue(document);
  if (!isJsonObject(value)) {
    return unreadable(`json: cannot unmarshal ${wordOf(value)} into Go value of type map[string]interface {}`);
  }
  const tooLarge = value === document ? undefined : tooLargeNumber(document);
  if (tooLarge !== undefined) return unreadable(tooLarge);
  const { kind } = value;
  if (kind === undefined || kind === '') return unreadable(`Object 'Kind' is missing in '${writeJsonForGo(value)}'`);
  return { outcome: 'read', object: value };
}

function wordOf(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  return typeof value === 'string' ? 'string' : typeof value === 'boolean' ? 'bool' : 'number';
}

type ConvertedCheck =
  | { readonly outcome: 'good'; readonly object: KubernetesObject }
  /** Follows `returned `. */
  | { readonly outcome: 'bad'; readonly error: string };

const invalidConversion = (error: string): ConvertedCheck => ({ outcome: 'bad', error });

/**
 * Restores metadata except labels and annotations. Follows apiextensions-apiserver
 * pkg/apiserver/conversion/webhook_converter.go validateConvertedObject, restoreObjectMeta.
 */
function checkConverted(original: KubernetesObject, converted: JsonValue, to: string): ConvertedCheck {
  const object = isJsonObject(converted) ? converted : {};
  const type = typeProblem(original, object, to);
  if (type !== '') return invalidConversion(`invalid object at index 0: ${type}`);
  const identity = identityProblem(original, object);
  if (identity !== '') return invalidConversion(`invalid object: ${identity}`);
  const { metadata } = object;
  if (metadata === undefined) return invalidConversion('invalid metadata: missing metadata in converted object');
  if (!isJsonObject(metadata)) {
    return invalidConversion(`invalid metadata: invalid metadata of type ${goTypeOf(metadata)} in converted object`);
  }
  const problem = mapProblem(original, metadata, 'labels') || mapProblem(original, metadata, 'annotations');
  if (problem !== '') return invalidConversion(`invalid metadata: ${problem}`);
  return { outcome: 'good', object: restoreObjectMeta(original, object, metadata, to) };
}

function typeProblem({ kind }: KubernetesObject, object: JsonObject, to: string): string {
  const got = textOf(object['apiVersion']);
  if (got !== to) return `invalid groupVersion (expected ${to}, received ${got})`;
  const gotKind = textOf(object['kind']);
  return gotKind === kind ? '' : `invalid kind (expected ${kind}, received ${gotKind})`;
}

const textOf = (value: JsonValue | undefined): string => (typeof value === 'string' ? value : '');

function identityProblem(original: KubernetesObject, { metadata }: JsonObject): string {
  const [before, after] = [metadataOf(original), isJsonObject(metadata) ? metadata : {}];
  const fields = [
    ['name', 'name'],
    ['namespace', 'namespace'],
    ['uid', 'UID'],
  ] as const;
  for (const [field, word] of fields) {
    const [expected, actual] = [before[field] ?? '', textOf(after[field])];
    if (expected !== actual) return `must have the same ${word}: ${expected} != ${actual}`;
  }
  return '';
}

function mapProblem(original: KubernetesObject, metadata: JsonObject, field: 'labels' | 'annotations'): string {
  const value = metadata[field] ?? null;
  if (value === null) return '';
  if (!isJsonObject(value)) return `invalid metadata.${field} of type ${goTypeOf(value)} in converted object`;
  if (!isStringMap(value)) {
    const key = Object.keys(value).find((name) => typeof value[name] !== 'string') ?? '';
    return `metadata.${field}[${key}] must be a string, but is ${goTypeOf(value[key])} in converted object`;
  }
  if (sameMap(metadataOf(original)[field] ?? {}, value)) return '';
  const errors =
    field === 'labels' ? validateLabels(value, 'metadata.labels') : validateAnnotations(value, 'metadata.annotation');
  const texts = errors.map(fieldErrorText);
  return texts.length > 1 ? `[${texts.join(', ')}]` : (texts[0] ?? '');
}

function sameMap(a: StringMap, b: JsonObject): boolean {
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && a[key] === b[key]);
}

/** Go's type names in unstructured objects. */
function goTypeOf(value: JsonValue | undefined): string {
  if (value === null || value === undefined) return '<nil>';
  if (Array.isArray(value)) return '[]interface {}';
  if (isJsonObject(value)) return 'map[string]interface {}';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'string') return 'string';
  return Number.isInteger(Number(value)) ? 'int64' : 'float64';
}

function restoreObjectMeta(
  original: KubernetesObject,
  object: JsonObject,
  { labels, annotations }: JsonObject,
  apiVersion: string,
): KubernetesObject {
  const { kind, metadata } = original;
  const own: KubernetesObject = { ...object, apiVersion, kind, metadata: metadata ?? {} };
  return withMetadata(own, {
    labels: isStringMap(labels) ? labels : undefined,
    annotations: isStringMap(annotations) ? annotations : undefined,
  });
}

const isStringMap = (value: JsonValue | undefined): value is StringMap & JsonObject =>
  isJsonObject(value) && Object.keys(value).every((name) => typeof value[name] === 'string');

/** `example.com/v1, Kind=Widget`. */
const kindText = ({ apiVersion, kind }: KubernetesObject): string => gvkText({ ...parseApiVersion(apiVersion), kind });
