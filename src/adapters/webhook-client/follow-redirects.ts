import { type CallTarget, type HttpExchange, splitHostPort } from '../../apiserver/admission/webhooks/call.ts';
import { parseGoUrl } from '../../machinery/go/go-url.ts';
import { trimRight } from '../../machinery/go/strings.ts';
import { goQuote } from '../../machinery/meta/field-error.ts';
import { WebhookCallError, type CallDeadline } from './call-failure.ts';
import type { BackendRoute } from './route.ts';
import { type HttpRequest, type HttpResponse, sendRequest } from './send-request.ts';

export interface CallState {
  readonly target: CallTarget;
  readonly routes: (target: CallTarget) => BackendRoute;
  readonly body: string;
  readonly query: string;
  /** Additional headers. */
  readonly headers: Readonly<Record<string, string>>;
  readonly deadline: CallDeadline;
  readonly exchanges: HttpExchange[];
  /** The URL in Go's error texts. */
  url: string;
}

interface Hop {
  readonly target: CallTarget;
  readonly query: string;
  /** As Go prints it. */
  readonly url: string;
  readonly method: 'POST' | 'GET';
  /** The redirecting URL. */
  readonly referer: string | undefined;
}

const maxRequests = 10;

/**
 * Posts the body and follows redirects: 307 and 308 repeat the POST, 301 to 303 become a GET. Throws WebhookCallError.
 * Follows Go's net/http client.go (rule HTTP-11).
 */
export async function followRedirects(callState: CallState): Promise<HttpResponse> {
  const { target, query } = callState;
  const first = `${target.scheme}://${target.authority}${target.path}${query}`;
  let hop: Hop = { target, query, url: first, method: 'POST', referer: undefined };
  for (let sent = 1; ; sent += 1) {
    const { method, url } = hop;
    callState.url = url;
    callState.exchanges.push({ method, url });
    const response = await visit(callState, hop);
    const { code } = response;
    const location = redirectCodes.has(code) ? response.header('location') : undefined;
    callState.exchanges.splice(-1, 1, { method, url, code, ...(location && { location }) });
    if (!location) return response;
    const next = redirectRequest(hop, code, location);
    if (sent === maxRequests) {
      callState.url = location;
      throw new WebhookCallError('headers', 'stopped after 10 redirects', { cause: { because: 'redirects' } });
    }
    hop = next;
  }
}

const redirectCodes: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

async function visit(callState: CallState, hop: Hop): Promise<HttpResponse> {
  const { scheme, host } = hop.target;
  if (!schemes.has(scheme)) throw unusable(`unsupported protocol scheme ${goQuote(scheme)}`);
  if (host === '') throw unusable('http: no Host in request URL');
  const route = callState.routes(hop.target);
  if (route.outcome === 'unrouted') {
    throw new WebhookCallError('resolve', route.error, { cause: { because: route.because } });
  }
  return sendRequest(route.pool, httpRequest(callState, hop, route.basePath), callState.deadline);
}

const schemes: ReadonlySet<string> = new Set(['http', 'https']);

/** Follows Go's net/http transport.go roundTrip. */
const unusable = (error: string): WebhookCallError => new WebhookCallError('resolve', error);

function httpRequest(
  { body, headers }: CallState,
  { target, query, method, referer }: Hop,
  basePath: string,
): HttpRequest {
  return {
    method,
    path: `${joinUrl(basePath, target.path)}${query}`,
    headers: {
      host: target.authority,
      'user-agent': 'kube-apiserver-admission',
      accept: 'application/json, */*',
      ...(method === 'POST' ? { 'content-type': 'application/json' } : {}),
      ...(referer === undefined ? {} : { referer }),
      'accept-encoding': 'gzip',
      ...headers,
    },
    body: method === 'POST' ? body : null,
  };
}

/** The webhook's path below the mapping's. */
function joinUrl(basePath: string, path: string): string {
  if (path === '/') return basePath || path;
  return trimRight(basePath, '/') + path;
}

/** Throws WebhookCallError for an invalid location. */
function redirectRequest(hop: Hop, code: number, location: string): Hop {
  const next = redirectTarget(location, hop.target);
  if (next.outcome === 'unparsable') throw new WebhookCallError('headers', next.error);
  const leavesTls = hop.target.scheme === 'https' && next.target.scheme !== 'https';
  return {
    target: next.target,
    query: next.query,
    url: next.url,
    method: code === 307 || code === 308 ? hop.method : 'GET',
    referer: leavesTls ? undefined : hop.url,
  };
}

/** The target of a Location header, with the query. */
type Redirection =
  | { readonly outcome: 'redirected'; readonly target: CallTarget; readonly query: string; readonly url: string }
  /** Go's text in net/http client.go. */
  | { readonly outcome: 'unparsable'; readonly error: string };

/**
 * Resolves a Location header: its path is not cleaned, and missing parts, port included, are those of the redirecting
 * URL. Follows Go's net/url url.go URL.Parse and ResolveReference.
 */
function redirectTarget(location: string, from: CallTarget): Redirection {
  const read = parseGoUrl(location);
  const base = `${from.scheme}://${from.authority}${from.path}`;
  if (read.outcome === 'unparsable') return unparsable(location, read.error);
  if (!URL.canParse(location, base)) return unparsable(location, `parse ${goQuote(location)}: invalid URL`);
  const { pathname, search, hash } = new URL(location, base);
  const scheme = read.url.scheme || from.scheme;
  const authority = read.url.scheme === '' && read.url.host === '' ? from.authority : read.url.host;
  const target = { scheme, authority, ...splitHostPort(authority, scheme), path: pathname };
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
