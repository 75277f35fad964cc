import { goQuote, invalidValue, required } from '../../../machinery/meta/field-error.ts';
import type { FieldError } from '../../../machinery/meta/field-error.ts';
import { parseGoUrl } from '../../../machinery/go/go-url.ts';
import { asObject, asString } from '../../../machinery/json/json.ts';
import type { JsonObject } from '../../../machinery/json/json.ts';

/** What the annotation of a definition in one of Kubernetes' own groups says. */
export interface Approval {
  readonly state: 'missing' | 'bypassed' | 'approved' | 'invalid';
  readonly reason: string;
}

const annotation = 'api-approved.kubernetes.io';
const see = 'see https://github.com/kubernetes/enhancements/pull/1111';
const needed = `protected groups must have approval annotation ${goQuote(annotation)}`;

/** Groups that only the community may extend. Follows apiextensions-apiserver pkg/apihelpers/helpers.go. */
export const isProtected = (group: string): boolean => /(^|\.)(k8s|kubernetes)\.io$/.test(group);

export function approvalOf(definition: JsonObject): Approval {
  const text = annotationOf(definition);
  if (text === '') return { state: 'missing', reason: `${needed}, ${see}` };
  if (text.startsWith('unapproved')) return { state: 'bypassed', reason: `not approved: ${goQuote(text)}` };
  const url = parseGoUrl(text);
  if (url.outcome !== 'unparsable' && url.url.host !== '' && url.url.scheme !== '') {
    return { state: 'approved', reason: `approved in ${text}` };
  }
  const reason = `${needed} with either a URL or a reason starting with "unapproved", ${see}`;
  return { state: 'invalid', reason };
}

const annotationOf = (definition: JsonObject): string =>
  asString(asObject(asObject(definition['metadata'])['annotations'])[annotation]);

/** Follows apiextensions-apiserver pkg/apis/apiextensions/validation/validation.go validateAPIApproval. */
export function approvalErrors(definition: JsonObject, old: JsonObject | undefined): readonly FieldError[] {
  if (!isProtected(asString(asObject(definition['spec'])['group']))) return [];
  const { state, reason } = approvalOf(definition);
  if (old !== undefined && approvalOf(old).state === state) return [];
  const path = `metadata.annotations[${annotation}]`;
  if (state === 'missing') return [required(path, reason)];
  return state === 'invalid' ? [invalidValue(path, annotationOf(definition), reason)] : [];
}
