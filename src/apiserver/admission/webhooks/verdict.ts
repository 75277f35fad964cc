import { base64Bytes } from '../../../machinery/go/base64-bytes.ts';
import { mapFields } from '../../../machinery/meta/object.ts';
import {
  asList,
  asObject,
  asString,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../../machinery/json/json.ts';
import type { Status } from '../../../machinery/meta/status.ts';
import type { AdmissionPhase } from '../chain/attributes.ts';
import type { ReviewVersion } from './review.ts';
import type * as metaV1 from '../../../api/types/generated/meta-v1.ts';
import type { AdmissionResponse, AdmissionReview } from '../../../api/types/generated/admission-v1.ts';

export interface WebhookVerdict {
  readonly allowed: boolean;
  /** `response.status` without absent fields. */
  readonly status: JsonObject;
  /** Decoded from base64; '' for none. */
  readonly patch: string;
  readonly patchType: string;
  readonly auditAnnotations: Readonly<Record<string, string>>;
  readonly warnings: readonly string[];
}

export type VerdictReading =
  | { readonly outcome: 'valid'; readonly verdict: WebhookVerdict }
  /** Follows `received invalid webhook response: `. */
  | Invalid;

interface Invalid {
  readonly outcome: 'invalid';
  readonly because: 'response-absent' | 'uid-mismatch' | 'not-a-review' | 'patch-type' | 'patch-unasked';
  readonly error: string;
}

export interface Expected {
  readonly uid: string;
  readonly version: ReviewVersion;
  readonly phase: AdmissionPhase;
}

/**
 * v1beta1 reviews are hardly checked. Follows apiserver pkg/admission/plugin/webhook/request/admissionreview.go (rules
 * RSP-20 to RSP-26).
 */
export function readVerdict(review: Partial<AdmissionReview>, expected: Expected): VerdictReading {
  const { response } = review;
  if (!isJsonObject(response)) return invalid('response-absent', 'webhook response was absent');
  const fault = expected.version === 'v1' ? v1Fault(review, response, expected) : undefined;
  return fault ?? { outcome: 'valid', verdict: verdictOf(response, expected) };
}

const invalid = (because: Invalid['because'], error: string): Invalid => ({ outcome: 'invalid', because, error });

function v1Fault(
  review: Partial<AdmissionReview>,
  response: AdmissionResponse,
  { uid, phase }: Expected,
): Invalid | undefined {
  const received = asString(response.uid);
  if (received !== uid) return invalid('uid-mismatch', `expected response.uid="${uid}", got "${received}"`);
  const [kind, apiVersion] = [asString(review.kind), asString(review.apiVersion)];
  if (kind !== 'AdmissionReview' || apiVersion !== 'admission.k8s.io/v1') {
    // Go prints an empty group and version with the slash.
    const got = apiVersion.includes('/') ? apiVersion : `/${apiVersion}`;
    const error = `expected webhook response of admission.k8s.io/v1, Kind=AdmissionReview, got ${got}, Kind=${kind}`;
    return invalid('not-a-review', error);
  }
  return phase === 'mutating' ? patchTypeFault(response) : forbiddenPatch(response);
}

function patchTypeFault({ patch, patchType }: AdmissionResponse): Invalid | undefined {
  const hasPatch = asString(patch) !== '';
  if (hasPatch && patchType === undefined) {
    return invalid('patch-type', 'webhook returned response.patch but not response.patchType');
  }
  if (patchType === undefined) return undefined;
  if (!hasPatch) return invalid('patch-type', 'webhook returned response.patchType but not response.patch');
  return patchType === '' ? invalid('patch-type', 'webhook returned invalid response.patchType of ""') : undefined;
}

function forbiddenPatch({ patch, patchType }: AdmissionResponse): Invalid | undefined {
  if (asString(patch) !== '') return invalid('patch-unasked', 'validating webhook may not return response.patch');
  if (patchType === undefined) return undefined;
  return invalid('patch-unasked', 'validating webhook may not return response.patchType');
}

function verdictOf(response: AdmissionResponse, { version, phase }: Expected): WebhookVerdict {
  return {
    allowed: response.allowed === true,
    status: asObject(response.status),
    patch: phase === 'mutating' ? textOf(asString(response.patch)) : '',
    // v1beta1 patches are always JSON patches (rule RSP-24).
    patchType: version === 'v1' ? asString(response.patchType) : 'JSONPatch',
    auditAnnotations: textsOf(asObject(response.auditAnnotations)),
    warnings: asList(response.warnings).map(asString),
  };
}

const textOf = (base64: string): string => (base64 === '' ? '' : new TextDecoder().decode(base64Bytes(base64)));

const textsOf = (annotations: JsonObject): Readonly<Record<string, string>> =>
  mapFields(Object.keys(annotations), (key) => asString(annotations[key]));

/**
 * Codes below 400 become 400, details are copied. Follows apiserver pkg/admission/plugin/webhook/errors/statuserror.go
 * (rules RSP-40 to RSP-44).
 */
export function denialStatus(webhookName: string, status: Partial<metaV1.Status>): Status {
  const { metadata, message, reason, details, code, status: word } = status;
  const statusCode = typeof code === 'number' && code >= 400 ? code : 400;
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: asObject(metadata),
    status: word === 'Success' || asString(word) === '' ? 'Failure' : asString(word),
    message: denialMessage(webhookName, asString(message), asString(reason)),
    ...(asString(reason) === '' ? {} : { reason: asString(reason) }),
    ...(isJsonObject(details) ? { details: withoutEmpty(details) } : {}),
    code: statusCode,
  };
}

function denialMessage(webhookName: string, message: string, reason: string): string {
  const denied = `admission webhook "${webhookName}" denied the request`;
  const explanation = message || reason;
  return explanation === '' ? `${denied} without explanation` : `${denied}: ${explanation}`;
}

function withoutEmpty(object: JsonObject): JsonObject {
  const entries = Object.entries(object).map(([field, value]): [string, JsonValue | undefined] => [
    field,
    Array.isArray(value) ? value.map((item) => withoutEmpty(asObject(item))) : value,
  ]);
  return Object.fromEntries(entries.filter(([, value]) => !isEmpty(value)));
}

const isEmpty = (value: JsonValue | undefined): boolean =>
  value === undefined || value === '' || value === 0 || (Array.isArray(value) && value.length === 0);

export const unpatched = { patch: null, changed: false, hasEffect: false } as const;
