import type { IncomingHttpHeaders, ServerOptions } from 'node:http';
import type { Http2SecureServer, Http2ServerRequest, Http2ServerResponse, SecureServerOptions } from 'node:http2';
import { createSecureContext, type SecureContext, type SecureVersion } from 'node:tls';
import fastify from 'fastify';
import { maxHeaders, type RawRequest } from './read-request.ts';

/** PEM texts. A client certificate that none of `clientCas` signed counts as none. */
export interface ListenerTls {
  readonly cert: string;
  readonly key: string;
  readonly clientCas: readonly string[];
  /** CAs of proxies that name the user in headers. */
  readonly proxyCas?: readonly string[];
}

interface ResponseHeaderOptions {
  /** Directives of Strict-Transport-Security. */
  readonly transportSecurity: readonly string[];
  /** CORS. */
  readonly isOriginAllowed: (origin: string) => boolean;
}

/** PEM texts. */
export interface ServingPair {
  readonly cert: string;
  readonly key: string;
}

export interface ListenerTuning {
  readonly minVersion: SecureVersion;
  /** OpenSSL's names; undefined: Node's default. */
  readonly ciphers: string | undefined;
  /** Certificates by SNI name; a leading `*.` stands for one label. */
  readonly named: ReadonlyMap<string, ServingPair>;
  readonly isHttp2: boolean;
  /** Concurrent streams of an HTTP/2 connection; 0: as many as kube-apiserver allows. */
  readonly maxStreams: number;
  /** Whether to send GOAWAY with the response; called for each HTTP/2 request. */
  readonly isLastOfItsConnection: () => boolean;
  readonly responses: ResponseHeaderOptions;
}

export const defaultTuning: ListenerTuning = {
  minVersion: 'TLSv1.2',
  ciphers: undefined,
  named: new Map(),
  isHttp2: true,
  maxStreams: 0,
  isLastOfItsConnection: () => false,
  responses: { transportSecurity: [], isOriginAllowed: () => false },
};

/** Bytes. */
export const bodyLimit = 3 * 1024 * 1024;
const headerLimit = 1024 * 1024;

/** Milliseconds. Follows apiserver pkg/server/secure_serving.go, like the number of streams. */
const idleTimeout = 90_000;
const defaultStreams = 100;

/** Replaces fastify's schema compilers, which take 40 ms to load. */
const noSchemas = (): never => {
  throw new Error('no route has a JSON schema');
};

/** Node also reads these for connections that speak HTTP/1.1. */
type HttpOneOptions = Pick<ServerOptions, 'noDelay' | 'keepAliveTimeout'>;

export function createApp({ cert, key, clientCas, proxyCas = [] }: ListenerTls, tuning: ListenerTuning) {
  const https: SecureServerOptions & HttpOneOptions = {
    allowHTTP1: true,
    cert,
    key,
    requestCert: true,
    rejectUnauthorized: false,
    ...tlsOptions(tuning, [...clientCas, ...proxyCas]),
    settings: { maxHeaderListSize: headerLimit, maxConcurrentStreams: tuning.maxStreams || defaultStreams },
    maxHeaderListPairs: maxHeaders,
    noDelay: true,
    keepAliveTimeout: idleTimeout,
  };
  const app = fastify({
    http2: true,
    https,
    http2SessionTimeout: idleTimeout,
    bodyLimit,
    rewriteUrl: toOneRoute,
    return503OnClosing: false,
    schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
  });
  // Node 20 applies these options to HTTP/1.1 connections only when the server has them as properties.
  Object.assign(app.server, { maxHeaderSize: headerLimit, maxHeadersCount: 2 * maxHeaders });
  refuseVersions(app.server);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  return app;
}

function tlsOptions({ minVersion, ciphers, named, isHttp2 }: ListenerTuning, ca: string[]): SecureServerOptions {
  const versions = { minVersion, ...(ciphers === undefined ? {} : { ciphers }) };
  const contexts = new Map<string, SecureContext>();
  for (const [name, pair] of named) contexts.set(name, createSecureContext({ ...pair, ...versions, ca }));
  const contextOf = (name: string): SecureContext | undefined =>
    contexts.get(name) ?? contexts.get(name.replace(/^[^.]*/, '*'));
  return {
    ca,
    ...versions,
    ...(contexts.size === 0 ? {} : { SNICallback: (name, done) => done(null, contextOf(name)) }),
    ...(isHttp2 ? {} : { ALPNCallback: ({ protocols }) => (protocols.includes('http/1.1') ? 'http/1.1' : undefined) }),
  };
}

/** The request pipeline reads the path, so fastify gets a single route. */
function toOneRoute({ httpVersionMajor, headers }: RawRequest & { readonly httpVersionMajor?: number }): string {
  // An HTTP/2 request announces its body with neither length nor coding, and fastify looks for one of them.
  if (httpVersionMajor === 2 && headers['content-length'] === undefined) headers['transfer-encoding'] = 'chunked';
  // Go treats an empty type as absent; fastify would refuse it and drop the body.
  if (headers['content-type'] === '') delete headers['content-type'];
  return '/';
}

type OnRequest = (request: Http2ServerRequest, response: Http2ServerResponse) => void;

/**
 * Answers 505 to an HTTP/1.1 request that claims another version: fastify and the code behind it take it for HTTP/2 and crash.
 * Follows go net/http server.go http1ServerSupportsRequest.
 */
function refuseVersions(server: Http2SecureServer): void {
  const listeners = server.listeners('request');
  server.removeAllListeners('request');
  server.on('request', (request, response) => {
    const { httpVersionMajor, stream }: { httpVersionMajor: number; stream?: unknown } = request;
    if (stream === undefined && httpVersionMajor !== 1) {
      const reason = 'HTTP Version Not Supported: unsupported protocol version';
      response.writeHead(505, reason, { 'Content-Type': 'text/plain; charset=utf-8', Connection: 'close' });
      response.end(`505 ${reason}`);
      return;
    }
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- listeners of "request" have this type
    for (const listener of listeners) (listener as OnRequest)(request, response);
  });
}

type HeaderPairs = readonly (readonly [name: string, value: string])[];

const crossOrigin: HeaderPairs = [
  ['access-control-allow-methods', 'POST, GET, OPTIONS, PUT, DELETE, PATCH'],
  [
    'access-control-allow-headers',
    'Content-Type, Content-Length, Accept-Encoding, X-CSRF-Token, Authorization, X-Requested-With, If-Modified-Since',
  ],
  ['access-control-expose-headers', 'Date'],
  ['access-control-allow-credentials', 'true'],
];

/** Headers of every response to this request; a CORS preflight has no other content. Follows apiserver pkg/server/filters/{cors,hsts}.go. */
export function responseHeaders(
  { method, headers }: { readonly method?: string | undefined; readonly headers: IncomingHttpHeaders },
  { transportSecurity, isOriginAllowed }: ResponseHeaderOptions,
): { readonly headers: HeaderPairs; readonly isPreflight: boolean } {
  const { origin = '' } = headers;
  const isAllowed = origin !== '' && isOriginAllowed(origin);
  const security = transportSecurity.join('; ');
  return {
    isPreflight: isAllowed && method === 'OPTIONS',
    headers: [
      ...(security === '' ? [] : ([['strict-transport-security', security]] as const)),
      ...(isAllowed ? [['access-control-allow-origin', origin] as const, ...crossOrigin] : []),
    ],
  };
}

/** Sets headers before the request is read; true: it was a preflight and has its response. Follows apiserver pkg/server/filters/goaway.go. */
export function beginResponse(
  request: Http2ServerRequest,
  response: Http2ServerResponse,
  { responses, isLastOfItsConnection }: ListenerTuning,
): boolean {
  if (request.httpVersionMajor === 2 && isLastOfItsConnection()) request.stream.session?.close();
  const { headers, isPreflight } = responseHeaders(request, responses);
  for (const [name, value] of headers) response.setHeader(name, value);
  if (isPreflight) response.writeHead(204).end();
  return isPreflight;
}
