import { aggregateText } from '../errors.ts';
import type { JsonObject } from '../json/json.ts';
import { type FieldError, fieldErrorBody, fieldErrorText, goQuote } from './field-error.ts';
import { type GroupResource, groupKindText, groupResourceText } from './gvk.ts';

/** What an API server answers instead of an object. Follows apimachinery pkg/apis/meta/v1/types.go (rule ENV-1). */
export interface Status extends JsonObject {
  readonly kind: 'Status';
  readonly apiVersion: 'v1';
  readonly metadata: JsonObject;
  readonly status: string;
  readonly message?: string;
  readonly reason?: string;
  readonly details?: StatusDetails;
  readonly code: number;
}

export interface StatusDetails extends JsonObject {
  readonly name?: string;
  readonly group?: string;
  readonly kind?: string;
  readonly uid?: string;
  readonly causes?: readonly StatusCause[];
  readonly retryAfterSeconds?: number;
}

export interface StatusCause extends JsonObject {
  readonly reason?: string;
  readonly message?: string;
  readonly field?: string;
}

interface Failure {
  readonly code: number;
  readonly reason?: string;
  readonly message: string;
  readonly details?: StatusDetails;
}

/** A failure Status; reason and details are left out when not given. The rest of this file follows apimachinery pkg/api/errors/errors.go (rule ENV-2). */
export const failure = ({ code, reason, message, details }: Failure): Status => ({
  kind: 'Status',
  apiVersion: 'v1',
  metadata: {},
  status: 'Failure',
  ...(message === '' ? {} : { message }),
  ...(reason ? { reason } : {}),
  ...(details ? { details } : {}),
  code,
});

/** An error that is no Status of its own: code 500 without a reason (rule ENV-4). */
export const plainError = (message: string): Status => failure({ code: 500, message });

export const internalError = (message: string): Status =>
  failure({
    code: 500,
    reason: 'InternalError',
    message: `Internal error occurred: ${message}`,
    details: { causes: [{ message }] },
  });

export const badRequest = (message: string): Status => failure({ code: 400, reason: 'BadRequest', message });

/** `name` may be empty: then the text names the resource alone. */
export const forbidden = (resource: GroupResource, name: string, message: string): Status =>
  failure({
    code: 403,
    reason: 'Forbidden',
    message: `${forbiddenSubject(resource, name)}${message}`,
    details: detailsOf(resource, name),
  });

function forbiddenSubject(resource: GroupResource, name: string): string {
  if (resource.resource === '') return 'forbidden: ';
  const text = groupResourceText(resource);
  return name === '' ? `${text} is forbidden: ` : `${text} ${goQuote(name)} is forbidden: `;
}

export const notFound = (resource: GroupResource, name: string): Status =>
  failure({
    code: 404,
    reason: 'NotFound',
    message: `${groupResourceText(resource)} ${goQuote(name)} not found`,
    details: detailsOf(resource, name),
  });

/** A path that names no resource of a known group. */
export const noSuchResource = (): Status =>
  failure({
    code: 404,
    reason: 'NotFound',
    message: 'the server could not find the requested resource',
    details: {},
  });

export const alreadyExists = (resource: GroupResource, name: string): Status =>
  failure({
    code: 409,
    reason: 'AlreadyExists',
    message: `${groupResourceText(resource)} ${goQuote(name)} already exists`,
    details: detailsOf(resource, name),
  });

export const generateNameConflict = (resource: GroupResource, name: string): Status =>
  failure({
    code: 409,
    reason: 'AlreadyExists',
    message: `${groupResourceText(resource)} ${goQuote(name)} already exists, the server was not able to generate a unique name for the object`,
    details: { ...detailsOf(resource, name), retryAfterSeconds: 1 },
  });

export const conflict = (resource: GroupResource, name: string, message: string): Status =>
  failure({
    code: 409,
    reason: 'Conflict',
    message: `Operation cannot be fulfilled on ${groupResourceText(resource)} ${goQuote(name)}: ${message}`,
    details: detailsOf(resource, name),
  });

const maxCauses = 1000;
const maxTextLength = 1024 * 1024;

/** Ours: upstream lists every one of a hundred thousand wrong items. */
function withinLimits(errors: readonly FieldError[]): readonly FieldError[] {
  let length = 0;
  const end = errors.findIndex(({ value = '', field, detail }, at) => {
    length += value.length + field.length + detail.length;
    return at > 0 && (at === maxCauses || length > maxTextLength);
  });
  return end < 0 ? errors : errors.slice(0, end);
}

/** 422 for field errors, in their order; `kind` stands where upstream prints a kind (rule CFG-61 has the exception). */
export function invalid(
  kind: { readonly group: string; readonly kind: string },
  name: string,
  errors: readonly FieldError[],
): Status {
  const listed = withinLimits(errors);
  const more = errors.length - listed.length;
  const all = aggregateText([...listed.map(fieldErrorText), ...(more > 0 ? [`and ${more} more`] : [])]);
  return failure({
    code: 422,
    reason: 'Invalid',
    message: `${groupKindText(kind)} ${goQuote(name)} is invalid: ${all}`,
    details: {
      ...(name === '' ? {} : { name }),
      ...(kind.group === '' ? {} : { group: kind.group }),
      ...(kind.kind === '' ? {} : { kind: kind.kind }),
      causes: listed.map((error) => ({
        reason: error.type,
        message: fieldErrorBody(error),
        field: error.field,
      })),
    },
  });
}

export const timeoutError = (message: string): Status =>
  failure({ code: 504, reason: 'Timeout', message: `Timeout: ${message}`, details: {} });

export const tooManyRequests = (message: string, retryAfterSeconds: number): Status =>
  failure({
    code: 429,
    reason: 'TooManyRequests',
    message,
    ...(retryAfterSeconds > 0 ? { details: { retryAfterSeconds } } : {}),
  });

export const requestEntityTooLarge = (message: string): Status =>
  failure({ code: 413, reason: 'RequestEntityTooLarge', message: `Request entity too large: ${message}` });

export const methodNotAllowed = (): Status =>
  failure({
    code: 405,
    reason: 'MethodNotAllowed',
    message: 'the server does not allow this method on the requested resource',
    details: {},
  });

/** 405 about one resource, in words of one's own. */
export const methodNotSupported = ({ group, resource }: GroupResource, message: string): Status =>
  failure({
    code: 405,
    reason: 'MethodNotAllowed',
    message,
    details: { ...(group === '' ? {} : { group }), kind: resource },
  });

export const unsupportedMediaType = (message: string): Status =>
  failure({ code: 415, reason: 'UnsupportedMediaType', message });

export const notAcceptable = (message: string): Status => failure({ code: 406, reason: 'NotAcceptable', message });

export const unauthorized = (): Status => failure({ code: 401, reason: 'Unauthorized', message: 'Unauthorized' });

export const serviceUnavailable = (message: string): Status =>
  failure({ code: 503, reason: 'ServiceUnavailable', message });

/** Ours: a part of the API that kadmit does not have. Every use has a row in test/known-gaps.ts. */
export const notImplemented = (message: string): Status =>
  failure({ code: 501, reason: 'NotImplemented', message: `kadmit: ${message}` });

function detailsOf(resource: GroupResource, name: string): StatusDetails {
  return {
    ...(name === '' ? {} : { name }),
    ...(resource.group === '' ? {} : { group: resource.group }),
    ...(resource.resource === '' ? {} : { kind: resource.resource }),
  };
}

/** Ends a request from a place that has no other way to say so: the client reads `status`. No bug. */
export class ThrownStatus extends Error {
  readonly status: Status;

  constructor(text: string, status: Status) {
    super(text);
    this.status = status;
  }
}
