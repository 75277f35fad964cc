import { trimRight } from '../apimachinery/trim.ts';
import type { HttpExchange } from '../admission/webhooks/call.ts';
import { targetOfUrl } from '../admission/webhooks/call-target.ts';
import type { CallTarget } from '../admission/webhooks/call-target.ts';
import { goQuote } from '../apimachinery/field-error.ts';
import { CallFailure } from './call-failure.ts';
import type { Deadline } from './deadline.ts';
import type { Route } from './route.ts';
import { sendRequest } from './send-request.ts';
import type { HttpRequest, HttpResponse } from './send-request.ts';

/** What a call sends, and what has become of it so far. */
export interface Journey {
  readonly target: CallTarget;
  readonly routes: (target: CallTarget) => Route;
  readonly body: string;
  readonly query: string;
  /** Sent besides the usual ones. */
  readonly headers: Readonly<Record<string, string>>;
  readonly deadline: Deadline;
  readonly exchanges: HttpExchange[];
  /** The URL that Go names when the call fails. */
  url: string;
}

interface Hop {
  readonly target: CallTarget;
  readonly query: string;
  readonly method: 'POST' | 'GET';
  /** Where the redirect came from. */
  readonly referer: string | undefined;
}

const maxRequests = 10;

/**
 * Posts the body and follows redirects: 307 and 308 post again, 301 to 303 turn into a GET. Throws CallFailure. Follows Go's
 * net/http client.go (rule HTTP-11).
 */
export async function followRedirects(journey: Journey): Promise<HttpResponse> {
  let hop: Hop = { target: journey.target, query: journey.query, method: 'POST', referer: undefined };
  for (let sent = 1; ; sent += 1) {
    const { method } = hop;
    const url = urlOf(hop);
    journey.url = url;
    journey.exchanges.push({ method, url });
    const response = await visit(journey, hop);
    const { code } = response;
    const location = redirectCodes.has(code) ? response.header('location') : undefined;
    journey.exchanges.splice(-1, 1, { method, url, code, ...(location && { location }) });
    if (!location) return response;
    const next = redirected(hop, code, location);
    if (sent === maxRequests) {
      journey.url = location;
      throw new CallFailure('headers', 'stopped after 10 redirects', { cause: { because: 'redirects' } });
    }
    hop = next;
  }
}

const redirectCodes: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

const urlOf = ({ target: { scheme, authority, path }, query }: Hop): string =>
  `${scheme}://${authority}${path}${query}`;

async function visit(journey: Journey, hop: Hop): Promise<HttpResponse> {
  const route = journey.routes(hop.target);
  if (route.outcome === 'unrouted') {
    throw new CallFailure('resolve', route.error, { cause: { because: route.because } });
  }
  return sendRequest(route.pool, httpRequest(journey, hop, route.basePath), journey.deadline);
}

function httpRequest(
  { body, headers }: Journey,
  { target, query, method, referer }: Hop,
  basePath: string,
): HttpRequest {
  return {
    method,
    path: `${joined(basePath, target.path)}${query}`,
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

/** The path of the webhook below that of its mapping; a webhook without a path is called at the mapping's. */
function joined(basePath: string, path: string): string {
  if (path === '/') return basePath || path;
  return trimRight(basePath, '/') + path;
}

/** Throws CallFailure for a location that is no URL. */
function redirected(hop: Hop, code: number, location: string): Hop {
  const from = urlOf(hop);
  const url = URL.canParse(location, from) ? new URL(location, from) : undefined;
  const target = url && targetOfUrl(url.href);
  if (!url || !target) {
    const quoted = goQuote(location);
    throw new CallFailure('headers', `failed to parse Location header ${quoted}: parse ${quoted}: invalid URL`);
  }
  const leavesTls = from.startsWith('https:') && target.scheme !== 'https';
  return {
    target,
    query: url.search,
    method: code === 307 || code === 308 ? hop.method : 'GET',
    referer: leavesTls ? undefined : from,
  };
}
