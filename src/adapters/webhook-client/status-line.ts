import { goQuote } from '../../machinery/meta/field-error.ts';

/** Go's error for the first line of a response; '' for a valid one. Follows Go's net/http response.go ReadResponse. */
export function statusLineError(line: string): string {
  const space = line.indexOf(' ');
  if (space < 0) return `malformed HTTP response ${goQuote(line)}`;
  const protocol = line.slice(0, space);
  const [status = ''] = line.slice(space).trimStart().split(' ', 1);
  if (!/^(?:\d{3}|\+\d\d)$/.test(status)) return `malformed HTTP status code ${goQuote(status)}`;
  return /^HTTP\/\d\.\d$/.test(protocol) ? '' : `malformed HTTP version ${goQuote(protocol)}`;
}
