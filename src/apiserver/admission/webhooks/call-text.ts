import { goQuote } from '../../../machinery/meta/field-error.ts';

/** `?timeout=10s`, rounded up to seconds, as a Go duration (rule HTTP-2). */
export function timeoutQuery(timeoutMs: number): string {
  const seconds = Math.max(0, Math.ceil(timeoutMs / 1000));
  return `?timeout=${seconds < 60 ? '' : `${Math.floor(seconds / 60)}m`}${seconds % 60}s`;
}

/** A call that failed before its response began. Follows Go's url.Error (rule FAIL-4). */
export const postFailure = (url: string, cause: string): string => `Post ${goQuote(url)}: ${cause}`;

/** A call that failed in the response body. Follows client-go rest/request.go transformResponse (rule RSP-10). */
export const bodyFailure = (cause: string): string =>
  `unexpected error when reading response body. Please retry. Original error: ${cause}`;

/** Go's context.DeadlineExceeded and context.Canceled (rule FAIL-4). */
export const deadlineExceededText = 'context deadline exceeded';
export const contextCanceledText = 'context canceled';

/** The API refuses such a configuration (rule FAIL-3). */
export const noAddressText = (webhookName: string): string =>
  `failed calling webhook ${goQuote(webhookName)}: webhook configuration must have either service or URL`;
