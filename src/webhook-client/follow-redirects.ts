import type { CallEnd } from './call-end.ts';
import { CallFailure } from './call-failure.ts';
import { targetOfUrl } from '../admission/webhooks/call-target.ts';
import type { CallTarget } from '../admission/webhooks/call-target.ts';
import type { Route } from './route.ts';
import { sendRequest } from './send-request.ts';
import type { WireReply, WireRequest } from './wire.ts';

/** One call, before anything was sent. */
export interface Journey {
  readonly target: CallTarget;
  readonly routes: (target: CallTarget) => Route;
  readonly body: string;
  readonly query: string;
  /** Sent besides the usual ones. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** The last answer, and the URL it came from. */
export type Arrival = WireReply & { readonly url: string };

interface Stop {
  readonly target: CallTarget;
  readonly query: string;
  readonly method: 'POST' | 'GET';
  /** Where the redirect came from. */
  readonly referer: string | undefined;
}

const maxRequests = 10;

/**
 * Posts the body and follows redirects: 307 and 308 post again, 301 to 303 turn into a GET. Follows Go's net/http
 * client.go (rule HTTP-11).
 */
export async function followRedirects(journey: Journey, end: CallEnd): Promise<Arrival> {
  let stop: Stop = { target: journey.target, query: journey.query, method: 'POST', referer: undefined };
  for (let sent = 1; ; sent += 1) {
    const url = urlOf(stop);
    const reply = await visit(journey, stop, end);
    const next = reply.outcome === 'answered' ? redirectOf(reply, url, stop.method) : undefined;
    if (!next) return { ...reply, url };
    if (next === 'unreadable') return { ...unfollowable(reply, url), url };
    if (sent === maxRequests) return { ...tooMany(), url: urlOf(next) };
    stop = next;
  }
}

const urlOf = ({ target: { scheme, authority, path }, query }: Stop): string =>
  `${scheme}://${authority}${path}${query}`;

async function visit(journey: Journey, stop: Stop, end: CallEnd): Promise<WireReply> {
  const route = journey.routes(stop.target);
  if (route.outcome === 'unrouted') {
    return failed(new CallFailure('resolve', route.error, { cause: { because: route.because } }));
  }
  return sendRequest(route.line, wireRequest(journey, stop, route.basePath), end);
}

const failed = (failure: CallFailure): WireReply => ({ outcome: 'failed', failure, readingBody: false });

function wireRequest(
  { body, headers: more }: Journey,
  { target, query, method, referer }: Stop,
  basePath: string,
): WireRequest {
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
      ...more,
    },
    body: method === 'POST' ? body : null,
  };
}

/** A webhook without a path of its own is asked at that of the address that it is led to. */
function joined(basePath: string, path: string): string {
  if (path === '/') return basePath || path;
  return basePath.replace(/\/+$/, '') + path;
}

function redirectOf(
  reply: Extract<WireReply, { outcome: 'answered' }>,
  from: string,
  method: 'POST' | 'GET',
): Stop | 'unreadable' | undefined {
  const location = reply.header('location');
  if (!location || ![301, 302, 303, 307, 308].includes(reply.code)) return undefined;
  if (!URL.canParse(location, from)) return 'unreadable';
  const { href, search } = new URL(location, from);
  const target = targetOfUrl(href);
  if (!target) return 'unreadable';
  const leavesTls = from.startsWith('https:') && target.scheme !== 'https';
  return {
    target,
    query: search,
    method: reply.code === 307 || reply.code === 308 ? method : 'GET',
    referer: leavesTls ? undefined : from,
  };
}

function unfollowable(reply: WireReply, url: string): WireReply {
  const location = reply.outcome === 'answered' ? (reply.header('location') ?? '') : '';
  const text = `failed to parse Location header ${JSON.stringify(location)}: parse ${JSON.stringify(url)}: invalid URL`;
  return failed(new CallFailure('headers', text));
}

const tooMany = (): WireReply =>
  failed(new CallFailure('headers', 'stopped after 10 redirects', { cause: { because: 'redirects' } }));
