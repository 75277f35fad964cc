import { setMaxListeners } from 'node:events';
import type { IncomingHttpHeaders } from 'node:http';
import { aborted } from '../../machinery/aborted.ts';
import { badRequest, failure, unauthorized } from '../../machinery/meta/status.ts';
import type { Status } from '../../machinery/meta/status.ts';
import { unacceptable } from './offers.ts';
import type { ApiRequest } from '../../apiserver/request/api-request.ts';
import type { CertificateBearer, ReadCertificate } from './client-certificate.ts';
import { beginTurn } from './yield-if-long.ts';

const headersTooLarge = failure({
  code: 431,
  reason: 'RequestHeaderFieldsTooLarge',
  message: 'Request Header Fields Too Large',
});

/** What both of Node's request classes have. */
export interface RawRequest extends CertificateBearer {
  readonly socket: Closing & { readonly remoteAddress?: string | undefined };
  readonly method?: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly rawHeaders: readonly string[];
}

export interface Arrival {
  /** The request target as it was sent. */
  readonly url: string;
  readonly body: Uint8Array;
  readonly response: ClosingResponse;
  readonly now: () => number;
  readonly newUid: () => string;
  readonly exhaustion: () => Status | undefined;
  readonly readCertificate: ReadCertificate;
}

interface Closing {
  readonly once: (event: 'close', listener: () => void) => unknown;
}

/** What both of Node's response classes tell of a client that went before it had its answer. */
interface ClosingResponse extends Closing {
  /** Was the whole answer written? In HTTP/2 Node finishes a stream that the client reset, but nobody has ended it. */
  readonly writableEnded: boolean;
}

/** Ours: Node drops what comes after the first 2,000 without a word, or ends the stream after 128; Go counts bytes alone. */
export const mostHeaders = 10_000;

/** The request as the pipeline reads it, or the refusal that needs no pipeline. */
export interface Reading {
  readonly request: ApiRequest;
  readonly refused: Status | undefined;
}

/** Follows apiserver pkg/server/config.go DefaultBuildHandlerChain as far as it reads from the connection. */
export function readRequest(raw: RawRequest, arrival: Arrival): Reading {
  beginTurn();
  const { path, query, problem } = readTarget(arrival.url);
  const headers = readHeaders(raw);
  const presented = arrival.readCertificate(raw);
  const request: ApiRequest = {
    unacceptable: (isCustom) => unacceptable(request, isCustom),
    method: raw.method ?? 'GET',
    path,
    query,
    target: arrival.url,
    remoteAddress: raw.socket.remoteAddress,
    headers,
    body: arrival.body,
    certificate: presented.outcome === 'verified' ? presented.certificate : undefined,
    ...(presented.outcome === 'verified' && presented.proxyCertificate
      ? { proxyCertificate: presented.proxyCertificate, sent: sentHeaders(raw) }
      : {}),
    auditId: auditIdOf(headers['audit-id']) ?? arrival.newUid(),
    receivedAt: arrival.now(),
    signal: abortedWith(raw, arrival.response),
    exhaustion: arrival.exhaustion,
  };
  if (raw.rawHeaders.length > 2 * mostHeaders) return { request, refused: headersTooLarge };
  if (problem !== undefined) return { request, refused: badRequest(problem) };
  // Bad credentials make nobody anonymous; others beside them may still be good.
  const isNobody = presented.outcome === 'rejected' && headers['authorization'] === undefined;
  return { request, refused: isNobody ? unauthorized() : undefined };
}

interface RequestTarget {
  readonly path: string;
  readonly query: URLSearchParams;
  readonly problem: string | undefined;
}

/** Nobody writes to the query of a request, so those without one share it. */
const noQuery = new URLSearchParams();

/** Path and query of a request target; the whole URL, as proxies send it, is fine too. */
export function readTarget(url: string): RequestTarget {
  const target = url.startsWith('/') ? url : url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '');
  const mark = target.indexOf('?');
  const rawPath = (mark < 0 ? target : target.slice(0, mark)) || '/';
  const query = mark < 0 ? noQuery : readQuery(target.slice(mark + 1));
  const path = decoded(rawPath);
  if (path === undefined) return { path: rawPath, query, problem: `invalid URL escape in ${JSON.stringify(rawPath)}` };
  return { path, query, problem: path.startsWith('/') ? undefined : `invalid URI for request ${JSON.stringify(path)}` };
}

/** A pair with a semicolon or a broken escape is none. Follows net/url url.go ParseQuery, whose error nobody looks at. */
function readQuery(text: string): URLSearchParams {
  if (!/;|%(?![\da-f]{2})/i.test(text)) return new URLSearchParams(text);
  const pairs = text.split('&').filter((pair) => !/;|%(?![\da-f]{2})/i.test(pair));
  return new URLSearchParams(pairs.join('&'));
}

function decoded(path: string): string | undefined {
  if (!path.includes('%')) return path;
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}

/** Header names in lower case, on an object without a prototype; impersonation's values as lists. */
export function readHeaders({
  headers,
  rawHeaders,
}: Pick<RawRequest, 'headers' | 'rawHeaders'>): ApiRequest['headers'] {
  const read: Record<string, string | readonly string[] | undefined> = Object.create(null);
  const sent = valuesByName(rawHeaders);
  for (const [name, value] of Object.entries(headers)) {
    if (name === ':authority') read['host'] ??= textOf(value);
    else if (name.startsWith('impersonate-')) read[name] = sent(name);
    else if (!name.startsWith(':')) read[name] = textOf(value);
  }
  return read;
}

function textOf(value: string | readonly string[] | undefined): string {
  return asUtf8(Array.isArray(value) ? value.join(', ') : String(value));
}

/** Every header by itself, where Node joins those that are repeated. */
const sentHeaders = ({ headers, rawHeaders }: RawRequest): NonNullable<ApiRequest['sent']> => ({
  names: () => Object.keys(headers),
  values: valuesByName(rawHeaders),
});

/** They are gone through once, when the first is asked for: there may be thousands of each. */
function valuesByName(rawHeaders: readonly string[]): (name: string) => readonly string[] {
  let values: Map<string, string[]> | undefined;
  return (name) => {
    values ??= grouped(rawHeaders);
    return values.get(name) ?? [];
  };
}

function grouped(rawHeaders: readonly string[]): Map<string, string[]> {
  const values = new Map<string, string[]>();
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const name = (rawHeaders[at] ?? '').toLowerCase();
    const known = values.get(name);
    const value = asUtf8(rawHeaders[at + 1] ?? '');
    if (known) known.push(value);
    else values.set(name, [value]);
  }
  return values;
}

/** Node reads header bytes as Latin-1, Go as UTF-8. */
const asUtf8 = (value: string): string =>
  /[^\0-\x7f]/.test(value) ? Buffer.from(value, 'latin1').toString('utf8') : value;

/** The client's own Audit-Id when it can stand in a header and a log. */
function auditIdOf(value: string | readonly string[] | undefined): string | undefined {
  return typeof value === 'string' && /^[\x21-\x7e]{1,256}$/.test(value) ? value : undefined;
}

const signals = new WeakMap<object, AbortSignal>();

/**
 * Aborts when the client has gone. In HTTP/1.1 it goes with its connection, whose requests follow one another: they
 * share a signal, which is dear to make.
 */
function abortedWith({ stream, socket }: RawRequest, response: ClosingResponse): AbortSignal {
  if (stream) return abortedOnce(response, () => !response.writableEnded);
  const known = signals.get(socket);
  if (known) return known;
  const signal = abortedOnce(socket, () => true);
  signals.set(socket, signal);
  return signal;
}

function abortedOnce(closing: Closing, hasLeft: () => boolean): AbortSignal {
  const controller = new AbortController();
  // Every webhook that is called at once listens; Node would warn of more than ten.
  setMaxListeners(0, controller.signal);
  closing.once('close', () => {
    if (hasLeft()) controller.abort(aborted);
  });
  return controller.signal;
}
