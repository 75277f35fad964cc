import { setMaxListeners } from 'node:events';
import type { IncomingHttpHeaders } from 'node:http';
import { X509Certificate } from 'node:crypto';
import { TLSSocket } from 'node:tls';
import { abortError } from '../../machinery/errors.ts';
import { badRequest, failure, type Status, unauthorized } from '../../machinery/meta/status.ts';
import type { ApiRequest, ClientCertificate } from '../../apiserver/request/api-request.ts';
import { pemBlocks } from '../../machinery/go/pem.ts';
import { negotiationError } from './accept.ts';
import { beginIteration } from './yield-if-long.ts';

const headersTooLarge = failure({
  code: 431,
  reason: 'RequestHeaderFieldsTooLarge',
  message: 'Request Header Fields Too Large',
});

/** The part that both of Node's request classes share. */
export interface RawRequest extends CertificateBearer {
  readonly socket: Closing & { readonly remoteAddress?: string | undefined };
  readonly method?: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly rawHeaders: readonly string[];
}

interface Arrival {
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

/** The part that both of Node's response classes share. */
interface ClosingResponse extends Closing {
  /**
   * Whether the response is complete. Node also finishes an HTTP/2 stream that the client reset, but does not end it.
   */
  readonly writableEnded: boolean;
}

/** Own limit: Node silently drops headers beyond 2,000 or ends an HTTP/2 stream after 128; Go counts bytes only. */
export const maxHeaders = 5_000;

interface Reading {
  readonly request: ApiRequest;
  readonly refused: Status | undefined;
}

/** The part of apiserver pkg/server/config.go DefaultBuildHandlerChain that reads the connection. */
export function readRequest(raw: RawRequest, arrival: Arrival): Reading {
  beginIteration();
  const { path, query, problem } = readTarget(arrival.url);
  const headers = readHeaders(raw);
  const presented = arrival.readCertificate(raw);
  const signal = abortedWith(raw, arrival.response);
  const request: ApiRequest = {
    negotiationError: (isCustom) => negotiationError(request, isCustom),
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
    signal: () => signal,
    exhaustion: arrival.exhaustion,
  };
  if (raw.rawHeaders.length > 2 * maxHeaders) return { request, refused: headersTooLarge };
  if (problem !== undefined) return { request, refused: badRequest(problem) };
  // An invalid certificate is refused, not anonymous; a token beside it may be valid.
  const isNobody = presented.outcome === 'rejected' && headers['authorization'] === undefined;
  return { request, refused: isNobody ? unauthorized() : undefined };
}

interface RequestTarget {
  readonly path: string;
  readonly query: URLSearchParams;
  readonly problem: string | undefined;
}

/** Shared by requests without a query; it is never changed. */
const noQuery = new URLSearchParams();

/** Path and query of a request target; proxies send the whole URL. */
function readTarget(url: string): RequestTarget {
  const target = url.startsWith('/') ? url : url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '');
  const mark = target.indexOf('?');
  const rawPath = (mark < 0 ? target : target.slice(0, mark)) || '/';
  const query = mark < 0 ? noQuery : readQuery(target.slice(mark + 1));
  const path = decodePath(rawPath);
  if (path === undefined) return { path: rawPath, query, problem: `invalid URL escape in ${JSON.stringify(rawPath)}` };
  return { path, query, problem: path.startsWith('/') ? undefined : `invalid URI for request ${JSON.stringify(path)}` };
}

/** Skips pairs with a semicolon or a broken escape. Follows net/url url.go ParseQuery, whose error is ignored. */
function readQuery(text: string): URLSearchParams {
  if (!/;|%(?![\da-f]{2})/i.test(text)) return new URLSearchParams(text);
  const pairs = text.split('&').filter((pair) => !/;|%(?![\da-f]{2})/i.test(pair));
  return new URLSearchParams(pairs.join('&'));
}

function decodePath(path: string): string | undefined {
  if (!path.includes('%')) return path;
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}

/** Lower-case names, without a prototype; impersonation headers as lists. */
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

/** Header values by name, not joined as by Node. */
const sentHeaders = ({ headers, rawHeaders }: RawRequest): NonNullable<ApiRequest['sent']> => ({
  names: () => Object.keys(headers),
  values: valuesByName(rawHeaders),
});

/** Groups lazily and once: there may be thousands of headers. */
function valuesByName(rawHeaders: readonly string[]): (name: string) => readonly string[] {
  let values: Map<string, string[]> | undefined;
  return (name) => {
    values ??= groupByName(rawHeaders);
    return values.get(name) ?? [];
  };
}

function groupByName(rawHeaders: readonly string[]): Map<string, string[]> {
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

/** The client's Audit-Id if it is safe in headers and logs. */
function auditIdOf(value: string | readonly string[] | undefined): string | undefined {
  return typeof value === 'string' && /^[\x21-\x7e]{1,256}$/.test(value) ? value : undefined;
}

/** Of a connection, whose requests share its signal. */
const signals = new WeakMap<object, AbortSignal>();

/**
 * Aborts when the client disconnects. Requests of an HTTP/1.1 connection run one after the other and share a signal,
 * which is expensive to create.
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
  // Webhooks that are called in parallel each add a listener; Node warns of more than ten.
  setMaxListeners(0, controller.signal);
  closing.once('close', () => {
    if (hasLeft()) controller.abort(abortError);
  });
  return controller.signal;
}

/** HTTP/1.1 requests have no stream. */
interface CertificateBearer {
  readonly stream?: { readonly session?: { readonly socket: object } | undefined };
  readonly socket: object;
}

type PresentedCertificate =
  | { readonly outcome: 'none' }
  /** Signed by a client CA, a proxy CA, or both. */
  | {
      readonly outcome: 'verified';
      readonly certificate: ClientCertificate | undefined;
      readonly proxyCertificate: ClientCertificate | undefined;
    }
  /** Signed by an unknown CA, or expired. */
  | { readonly outcome: 'rejected' };

/** Reads the client certificate of a request's connection, once per connection. */
type ReadCertificate = (bearer: CertificateBearer) => PresentedCertificate;

/** PEM. Without proxy CAs every verified certificate is a client's. */
interface TrustedCas {
  readonly clientCas: readonly string[];
  readonly proxyCas?: readonly string[];
}

/** Follows apiserver pkg/authentication/request/x509/x509.go. */
export function createCertificateReader({ clientCas, proxyCas = [] }: TrustedCas): ReadCertificate {
  // Of a connection: reading the certificate takes a tenth of the time of a create.
  const known = new WeakMap<object, PresentedCertificate>();
  const isClients = proxyCas.length === 0 ? () => true : signedByOneOf(clientCas);
  const isProxies = proxyCas.length === 0 ? () => false : signedByOneOf(proxyCas);
  return ({ stream, socket }) => {
    const connection = stream?.session ?? socket;
    const cached = known.get(connection);
    if (cached) return cached;
    const presented = readCertificate(stream?.session?.socket ?? socket, { isClients, isProxies });
    known.set(connection, presented);
    return presented;
  };
}

type IsSigned = (certificate: X509Certificate) => boolean;

/** Whether one of these CAs signed the certificate or one of its issuers. OpenSSL has verified the chain. */
function signedByOneOf(pems: readonly string[]): IsSigned {
  const cas = pems.flatMap((pem) =>
    [...pemBlocks(pem)]
      .filter(({ type }) => type === 'CERTIFICATE')
      .map(({ base64 }) => new X509Certificate(Buffer.from(base64, 'base64'))),
  );
  const isSigned = (certificate: X509Certificate): boolean =>
    cas.some((ca) => certificate.checkIssued(ca) && certificate.verify(ca.publicKey));
  return (leaf) => {
    for (let one: X509Certificate | undefined = leaf, depth = 0; one && depth < deepestChain; depth += 1) {
      if (isSigned(one)) return true;
      one = one.issuerCertificate;
    }
    return false;
  };
}

const deepestChain = 10;

function readCertificate(
  socket: object,
  { isClients, isProxies }: { readonly isClients: IsSigned; readonly isProxies: IsSigned },
): PresentedCertificate {
  const presented = socket instanceof TLSSocket ? socket.getPeerX509Certificate() : undefined;
  if (!(socket instanceof TLSSocket) || !presented) return { outcome: 'none' };
  if (!socket.authorized) return { outcome: 'rejected' };
  const { subject } = socket.getPeerCertificate();
  const certificate = {
    commonName: namesIn(subject.CN)[0] ?? '',
    organizations: namesIn(subject.O),
    uids: namesIn(Reflect.get(subject, uidAttribute)),
    fingerprint: presented.fingerprint256.replaceAll(':', '').toLowerCase(),
  };
  return {
    outcome: 'verified',
    certificate: isClients(presented) ? certificate : undefined,
    proxyCertificate: isProxies(presented) ? certificate : undefined,
  };
}

/** Of Kubernetes. Follows apiserver pkg/authentication/request/x509/x509.go and apimachinery pkg/apis/asn1/oid.go. */
const uidAttribute = '1.3.6.1.4.1.57683.2';

/** Node returns repeated names as a list, contrary to its types. */
function namesIn(names: unknown): readonly string[] {
  if (typeof names === 'string') return [names];
  return Array.isArray(names) ? names.filter((name) => typeof name === 'string') : [];
}
