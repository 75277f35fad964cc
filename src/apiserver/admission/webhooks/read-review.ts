import { goQuote } from '../../../machinery/meta/field-error.ts';
import { plainValue, readJson } from '../../../machinery/json/json-reader.ts';
import {
  asString,
  isJsonObject,
  type JsonDocument,
  type JsonObject,
  type JsonValue,
} from '../../../machinery/json/json.ts';
import { registeredType } from '../../../machinery/meta/gvk.ts';
import type { ReviewVersion } from './review.ts';
import { decodeReview, goJsonTypeName } from './decode-review.ts';

export type ReviewReading =
  | { readonly outcome: 'read'; readonly review: JsonObject }
  /** Follows `failed to call webhook: `. */
  | { readonly outcome: 'undecodable'; readonly error: string; readonly because?: 'patch-not-base64' };

/** Called when a response does not start with a brace. */
export type ParseYaml = (text: string) => Promise<ReviewYaml>;

export type ReviewYaml =
  | { readonly outcome: 'read'; readonly value: JsonDocument }
  | { readonly outcome: 'unreadable'; readonly error: string };

/**
 * Decodes JSON if it starts with a brace, else YAML; the Content-Type does not matter. Follows apimachinery
 * pkg/runtime/serializer/json/json.go and client-go rest/request.go (rules RSP-2, RSP-6 to RSP-9).
 */
export async function readReview(
  body: string,
  version: ReviewVersion,
  { parseYaml }: { readonly parseYaml: ParseYaml },
): Promise<ReviewReading> {
  const document = await readDocument(body, parseYaml);
  if (document.outcome === 'unreadable') return undecodable(document.error);
  const value = plainValue(document.value);
  if (value !== null && !isJsonObject(value)) {
    return undecodable(`${noVersion}json: cannot unmarshal ${goJsonTypeName(value)} into Go value of type ${typeMeta}`);
  }
  const type = checkType(value ?? {}, version);
  if (type !== '') return undecodable(type);
  const decoded = decodeReview(value ?? {});
  if (decoded.outcome === 'decoded') return { outcome: 'read', review: decoded.object };
  const { error, path } = decoded;
  return { outcome: 'undecodable', error, ...(path === 'response.patch' && { because: 'patch-not-base64' }) };
}

const undecodable = (error: string): ReviewReading => ({ outcome: 'undecodable', error });

const noVersion = "couldn't get version/kind; json parse error: ";

const typeMeta =
  'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';

async function readDocument(body: string, parseYaml: ParseYaml): Promise<ReviewYaml> {
  if (!/^\s*\{/.test(body)) return parseYaml(body);
  const reading = readJson(body);
  if (reading.outcome === 'unreadable') return { outcome: 'unreadable', error: noVersion + reading.error };
  return { outcome: 'read', value: reading.json.value };
}

/** Upstream names the scheme after the line that creates it. */
const scheme = 'k8s.io/apiserver/pkg/util/webhook/client.go:71';

/** '' when valid; missing kind and apiVersion are valid. */
function checkType({ kind, apiVersion }: JsonObject, version: ReviewVersion): string {
  const expected = `admission.k8s.io/${version}`;
  if (kind === 'AdmissionReview' && apiVersion === expected) return '';
  const mistyped = [...fieldMistyped('apiVersion', apiVersion), ...fieldMistyped('kind', kind)];
  if (mistyped.length > 0) return noVersion + mistyped.join('');
  const actual = asString(apiVersion) || expected;
  const actualKind = asString(kind) || 'AdmissionReview';
  if (actual.split('/').length > 2) return `unexpected GroupVersion string: ${actual}`;
  if (actualKind === 'AdmissionReview' && actual === expected) return '';
  const type = registeredType(actualKind, actual, 'admission.k8s.io', ['AdmissionReview']);
  return type === ''
    ? `no kind ${goQuote(actualKind)} is registered for version ${goQuote(actual)} in scheme ${goQuote(scheme)}`
    : `converting (${type}) to (${version}.AdmissionReview): unknown conversion`;
}

/** The struct of these two fields is anonymous. */
const fieldMistyped = (field: string, value: JsonValue | undefined): readonly string[] =>
  value === undefined || value === null || typeof value === 'string'
    ? []
    : [`json: cannot unmarshal ${goJsonTypeName(value)} into Go struct field .${field} of type string`];
