import type { IncomingHttpHeaders } from 'node:http';
import type { Http2ServerRequest, Http2ServerResponse, SecureServerOptions } from 'node:http2';
import { createSecureContext } from 'node:tls';
import type { SecureContext, SecureVersion } from 'node:tls';

/** What every answer says besides its own headers. */
interface ResponseHeaderOptions {
  /** Of Strict-Transport-Security; [] says nothing. */
  readonly transportSecurity: readonly string[];
  /** May pages of this origin read answers? */
  readonly isOriginAllowed: (origin: string) => boolean;
}

const noResponseHeaders: ResponseHeaderOptions = { transportSecurity: [], isOriginAllowed: () => false };

type Headers = readonly (readonly [name: string, value: string])[];

const crossOrigin: Headers = [
  ['access-control-allow-methods', 'POST, GET, OPTIONS, PUT, DELETE, PATCH'],
  [
    'access-control-allow-headers',
    'Content-Type, Content-Length, Accept-Encoding, X-CSRF-Token, Authorization, X-Requested-With, If-Modified-Since',
  ],
  ['access-control-expose-headers', 'Date'],
  ['access-control-allow-credentials', 'true'],
];

/** Headers of any answer to this request, and whether they are all of it: a page may be asking whether it may ask. */
export function responseHeaders(
  { method, headers }: { readonly method?: string | undefined; readonly headers: IncomingHttpHeaders },
  { transportSecurity, isOriginAllowed }: ResponseHeaderOptions,
): { readonly headers: Headers; readonly isWhole: boolean } {
  const { origin = '' } = headers;
  const isAllowed = origin !== '' && isOriginAllowed(origin);
  return {
    isWhole: isAllowed && method === 'OPTIONS',
    headers: [
      // Follows apiserver pkg/server/filters/hsts.go.
      ...(transportSecurity.length === 0
        ? []
        : ([['strict-transport-security', transportSecurity.join('; ')]] as const)),
      // Follows apiserver pkg/server/filters/cors.go.
      ...(isAllowed ? [['access-control-allow-origin', origin] as const, ...crossOrigin] : []),
    ],
  };
}

/** PEM texts. */
export interface ServingPair {
  readonly cert: string;
  readonly key: string;
}

/** How connections and answers are, besides what is answered. */
export interface ListenerTuning {
  readonly minVersion: SecureVersion;
  /** OpenSSL's names; undefined: Node's own. */
  readonly ciphers: string | undefined;
  /** Other certificates, by the names that clients ask for; `*.` at the beginning stands for one label. */
  readonly named: ReadonlyMap<string, ServingPair>;
  readonly isHttp2: boolean;
  /** Streams of an HTTP/2 connection at the same time; 0: as many as kube-apiserver allows. */
  readonly maxStreams: number;
  /** Does the connection end when this request is answered? Asked for every request over HTTP/2. */
  readonly isLastOfItsConnection: () => boolean;
  readonly responses: ResponseHeaderOptions;
}

export const usualTuning: ListenerTuning = {
  minVersion: 'TLSv1.2',
  ciphers: undefined,
  named: new Map(),
  isHttp2: true,
  maxStreams: 0,
  isLastOfItsConnection: () => false,
  responses: noResponseHeaders,
};

/** Follows apiserver pkg/server/secure_serving.go: what clients take for granted before they are told. */
const usualStreams = 100;

/** What Node is told of it. `ca` are the CAs of clients. */
export function tuned(
  { minVersion, ciphers, named, isHttp2, maxStreams }: ListenerTuning,
  ca: readonly string[],
): SecureServerOptions {
  const versions = { minVersion, ...(ciphers === undefined ? {} : { ciphers }) };
  const contexts = new Map<string, SecureContext>();
  for (const [name, pair] of named) contexts.set(name, createSecureContext({ ...pair, ...versions, ca: [...ca] }));
  const contextOf = (name: string): SecureContext | undefined =>
    contexts.get(name) ?? contexts.get(name.replace(/^[^.]*/, '*'));
  return {
    ...versions,
    ...(contexts.size === 0 ? {} : { SNICallback: (name, done) => done(null, contextOf(name)) }),
    ...(isHttp2 ? {} : { ALPNCallback: ({ protocols }) => (protocols.includes('http/1.1') ? 'http/1.1' : undefined) }),
    settings: { maxConcurrentStreams: maxStreams === 0 ? usualStreams : maxStreams },
  };
}

/** Before a request is looked at; true: the answer is given. Follows apiserver pkg/server/filters/{cors,hsts,goaway}.go. */
export function beginAnswer(
  request: Http2ServerRequest,
  response: Http2ServerResponse,
  { responses, isLastOfItsConnection }: ListenerTuning,
): boolean {
  if (request.httpVersionMajor === 2 && isLastOfItsConnection()) request.stream.session?.close();
  const { headers, isWhole } = responseHeaders(request, responses);
  for (const [name, value] of headers) response.setHeader(name, value);
  if (isWhole) response.writeHead(204).end();
  return isWhole;
}
