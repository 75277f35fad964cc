import { requestVariable } from '../matching/request-variable.ts';
import type { AdmissionReview } from '../../../api/types/generated/admission-v1.ts';
import { writeJsonForGo } from '../../../machinery/json/json-writer.ts';
import { type JsonObject, type JsonValue, asObject, asString, isJsonObject } from '../../../machinery/json/json.ts';
import type { AdmissionAttributes } from '../chain/attributes.ts';
import type { MatchedAs } from '../matching/match-rules.ts';

export type ReviewVersion = 'v1' | 'v1beta1';

/** The first known version in the webhook's list (rule REV-1). */
export const reviewVersionOf = (versions: readonly string[]): ReviewVersion | undefined =>
  versions.find((version): version is ReviewVersion => version === 'v1' || version === 'v1beta1');

/** Follows `could not create admission objects: ` (rule REV-1). */
export const noKnownReviewVersion = 'webhook does not accept known AdmissionReview versions (v1, v1beta1)';

/**
 * Fields in the order of Go's encoder (rules REV-2, REV-3); `view` is in the matched kind. Follows apiserver
 * pkg/admission/plugin/webhook/request/admissionreview.go and api admission/v1/types.go.
 */
export function admissionReview(
  version: ReviewVersion,
  uid: string,
  view: AdmissionAttributes,
  as: MatchedAs,
): AdmissionReview {
  const { dryRun, options, ...request } = requestVariable(view, as);
  return {
    kind: 'AdmissionReview',
    apiVersion: `admission.k8s.io/${version}`,
    request: { uid, ...request, object: view.object, oldObject: view.oldObject, dryRun, options },
  };
}

/**
 * Compact, HTML-escaped JSON with a final newline (rule REV-2). Webhooks of one request share the text of its objects.
 */
export function reviewBody(review: AdmissionReview): string {
  const { object, oldObject, dryRun, options, ...request } = asObject(review.request);
  const start = writeJsonForGo({ ...review, request }).slice(0, -'}}'.length);
  const end = writeJsonForGo({ dryRun, options }).slice('{'.length);
  return `${start},"object":${objectText(object)},"oldObject":${objectText(oldObject)},${end}}\n`;
}

const cachedTexts: { readonly object: JsonObject; readonly text: string }[] = [];
const maxCachedTexts = 8;
const maxCachedTextLength = 128 * 1024;

function objectText(object: JsonValue | undefined): string {
  if (!isJsonObject(object)) return 'null';
  const same = cachedTexts.find((one) => one.object === object);
  if (same) return same.text;
  const text = writeJsonForGo(object);
  if (text.length > maxCachedTextLength) return text;
  if (cachedTexts.length === maxCachedTexts) cachedTexts.shift();
  cachedTexts.push({ object, text });
  return text;
}

/** `CREATE deployments.apps/scale shop/web`. */
export function reviewSubject(review: Partial<AdmissionReview>): string {
  const request = asObject(review.request);
  const { group, resource } = asObject(request.resource);
  const plural = joinParts('.', resource, group);
  const name = joinParts('/', request.namespace, request.name);
  return joinParts(' ', request.operation, joinParts('/', plural, request.subResource), name);
}

const joinParts = (separator: string, ...parts: readonly (string | undefined)[]): string =>
  parts
    .map(asString)
    .filter((part) => part !== '')
    .join(separator);
