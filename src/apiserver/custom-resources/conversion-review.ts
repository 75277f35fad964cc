import { readClientConfig } from '../admission/webhooks/read-webhooks.ts';
import type { ClientConfig } from '../admission/webhooks/call.ts';
import { goJsonKind } from '../../machinery/go/go-print.ts';
import { typeOf } from '../../machinery/json/body-type.ts';
import { goQuote } from '../../machinery/meta/field-error.ts';
import { escapeForGo, sortedJson, writeJson, writeJsonForGo } from '../../machinery/json/json-writer.ts';
import { plainValue, readJson } from '../../machinery/json/json-reader.ts';
import {
  asObject,
  asString,
  isJsonObject,
  isList,
  type JsonDocument,
  type JsonObject,
  type JsonValue,
  valueAt,
} from '../../machinery/json/json.ts';
import type { KubernetesObject } from '../../machinery/meta/object.ts';
import { registeredType } from '../../machinery/meta/gvk.ts';

const group = 'apiextensions.k8s.io';
const kinds = ['ConversionReview', 'CustomResourceDefinition', 'CustomResourceDefinitionList'];

export type ReviewVersion = 'v1' | 'v1beta1';

/** The first supported version; undefined for none. */
export const conversionReviewVersion = (versions: readonly JsonValue[]): ReviewVersion | undefined =>
  versions.find((version) => version === 'v1' || version === 'v1beta1');

/** Go prints the empty response in the request too. */
const noAnswer = writeJson({ uid: '', convertedObjects: null, result: { metadata: {} } });

/** Fields are sorted by name: Go marshals a map. */
export function conversionReview(
  version: ReviewVersion,
  uid: string,
  { object, to }: { readonly object: KubernetesObject; readonly to: string },
): string {
  const type = { kind: 'ConversionReview', apiVersion: `${group}/${version}` };
  const start = writeJsonForGo({ ...type, request: { uid, desiredAPIVersion: to } }).slice(0, -'}}'.length);
  return `${start},"objects":[${escapeForGo(sortedJson(object))}]},"response":${noAnswer}}\n`;
}

export type ConversionReviewReading =
  /** As sent. */
  | { readonly outcome: 'read'; readonly objects: readonly JsonDocument[]; readonly review: JsonObject }
  /** Follows `failed: `. */
  | { readonly outcome: 'failed'; readonly error: string; readonly review?: JsonObject };

const failed = (error: string, review?: JsonObject): ConversionReviewReading => ({
  outcome: 'failed',
  error,
  ...(review ? { review } : {}),
});

/** Called for a response that does not start with a brace. */
export type ParseConversionYaml = (
  text: string,
) => Promise<
  | { readonly outcome: 'read'; readonly value: JsonDocument }
  | { readonly outcome: 'unreadable'; readonly error: string }
>;

interface ReadingPorts {
  readonly parseYaml: ParseConversionYaml;
}

/** The converted objects in the body of a successful answer. */
export async function readConversion(
  body: string,
  expected: { readonly version: ReviewVersion; readonly uid: string },
  { parseYaml }: ReadingPorts,
): Promise<ConversionReviewReading> {
  const document = await readDocument(body, { parseYaml });
  if (document.outcome === 'unreadable') return failed(document.error);
  const typed = typeOf(document);
  if (typed.outcome === 'untyped') return failed(typed.error);
  const value = plainValue(document.value);
  const review = isJsonObject(value) ? value : {};
  const type = typeError(review, expected.version) || listError(review);
  if (type !== '') return failed(type, review);
  const problem = expected.version === 'v1' ? v1Error(review, expected.uid) : '';
  if (problem !== '') return failed(problem, review);
  const { response } = review;
  if (!isJsonObject(response)) return failed('no response provided', review);
  const result = asObject(response['result']);
  if (result['status'] !== 'Success') return failed(resultText(result), review);
  return { outcome: 'read', objects: objectsIn(document.value), review };
}

function objectsIn(document: JsonDocument): readonly JsonDocument[] {
  const response = isJsonObject(document) ? document['response'] : null;
  const objects = isJsonObject(response) ? response['convertedObjects'] : null;
  return isList(objects) ? objects : [];
}

/** Go's error for `objects` that is no list. */
function listError(review: JsonObject): string {
  const objects = valueAt(review, 'response', 'convertedObjects') ?? null;
  return objects === null || Array.isArray(objects)
    ? ''
    : `json: cannot unmarshal ${goJsonKind(objects)} into Go struct field ConversionResponse.response.convertedObjects of type []runtime.RawExtension`;
}

async function readDocument(body: string, { parseYaml }: ReadingPorts): ReturnType<ParseConversionYaml> {
  if (!/^\s*\{/.test(body)) return parseYaml(body);
  const reading = readJson(body);
  if (reading.outcome === 'read') return { outcome: 'read', value: reading.json.value };
  return { outcome: 'unreadable', error: `couldn't get version/kind; json parse error: ${reading.error}` };
}

/** Upstream names the scheme after the line that creates it. */
const scheme = 'k8s.io/apiserver/pkg/util/webhook/client.go:71';

/** A missing type counts as the expected one. */
function typeError({ kind, apiVersion }: JsonObject, version: ReviewVersion): string {
  const own = `${group}/${version}`;
  const [statedKind, stated] = [asString(kind) || 'ConversionReview', asString(apiVersion) || own];
  if (statedKind === 'ConversionReview' && stated === own) return '';
  const type = registeredType(statedKind, stated, group, kinds);
  return type === ''
    ? `no kind ${goQuote(statedKind)} is registered for version ${goQuote(stated)} in scheme ${goQuote(scheme)}`
    : `converting (${type}) to (${version}.ConversionReview): unknown conversion`;
}

/** Only v1 checks the type as written, and the uid. */
function v1Error(review: JsonObject, uid: string): string {
  const [apiVersion, kind] = [asString(review['apiVersion']), asString(review['kind'])];
  if (apiVersion === '' || kind === '') {
    const [first = '', second = ''] = apiVersion.includes('/') ? apiVersion.split('/') : ['', apiVersion];
    return `expected webhook response of ${group}/v1, Kind=ConversionReview, got ${first}/${second}, Kind=${kind}`;
  }
  if (!isJsonObject(review['response'])) return 'no response provided';
  const got = asString(valueAt(review, 'response', 'uid'));
  return got === uid ? '' : `expected response.uid=${goQuote(uid)}, got ${goQuote(got)}`;
}

function resultText({ status, message }: JsonObject): string {
  const text = asString(message);
  return text === '' ? `response.result.status was '${asString(status)}', not 'Success'` : text;
}

/** White space as caBundle counts as absent. Follows webhook_converter.go webhookClientConfigForCRD. */
export function converterOf(definition: JsonObject): ClientConfig {
  const { caBundle = '', ...config } = readClientConfig(
    asObject(valueAt(definition, 'spec', 'conversion', 'webhook', 'clientConfig')),
  );
  return /^\s*$/.test(atob(caBundle)) ? config : { ...config, caBundle };
}
