import { hostPort } from '../../apiserver/admission/webhooks/call-target.ts';
import type { CallTarget } from '../../apiserver/admission/webhooks/call-target.ts';
import { goQuote } from '../../machinery/meta/field-error.ts';
import { parseGoUrl } from '../../machinery/go/go-url.ts';

/** Where a Location header leads, with the query to send. */
export type Redirection =
  | { readonly outcome: 'redirected'; readonly target: CallTarget; readonly query: string; readonly url: string }
  /** In the words of Go's net/http client.go. */
  | { readonly outcome: 'unparsable'; readonly error: string };

/**
 * The target of a Location header: unlike the path of a webhook, its path is sent as it is written, and what it leaves out
 * is that of the URL it came from, port included. Follows Go's net/url url.go URL.Parse and ResolveReference.
 */
export function redirectTarget(location: string, from: CallTarget): Redirection {
  const read = parseGoUrl(location);
  const base = `${from.scheme}://${from.authority}${from.path}`;
  if (read.outcome === 'unparsable') return unparsable(location, read.error);
  if (!URL.canParse(location, base)) return unparsable(location, `parse ${goQuote(location)}: invalid URL`);
  const { pathname, search, hash } = new URL(location, base);
  const scheme = read.url.scheme || from.scheme;
  const authority = read.url.scheme === '' && read.url.host === '' ? from.authority : read.url.host;
  const target = { scheme, authority, ...hostPort(authority, scheme), path: pathname };
  const slashes = authority === '' ? '' : '//';
  return {
    outcome: 'redirected',
    target,
    query: search,
    url: `${scheme}:${slashes}${authority}${pathname}${search}${hash}`,
  };
}

const unparsable = (location: string, error: string): Redirection => ({
  outcome: 'unparsable',
  error: `failed to parse Location header ${goQuote(location)}: ${error}`,
});
