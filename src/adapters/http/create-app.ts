import type { ServerOptions } from 'node:http';
import type { Http2SecureServer, Http2ServerRequest, Http2ServerResponse, SecureServerOptions } from 'node:http2';
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

/** Bytes. */
export const bodyLimit = 3 * 1024 * 1024;
const headerLimit = 1024 * 1024;

/** Milliseconds. Follows apiserver pkg/server/secure_serving.go, like the number of streams. */
const idleTimeout = 90_000;
const maxStreams = 100;

/** Replaces fastify's schema compilers, which take 40 ms to load. */
const noSchemas = (): never => {
  throw new Error('no route has a JSON schema');
};

/** Node also reads these for connections that speak HTTP/1.1. */
type HttpOneOptions = Pick<ServerOptions, 'noDelay' | 'keepAliveTimeout'>;

export function createApp({ cert, key, clientCas, proxyCas = [] }: ListenerTls, isHttp2: boolean) {
  const https: SecureServerOptions & HttpOneOptions = {
    allowHTTP1: true,
    cert,
    key,
    requestCert: true,
    rejectUnauthorized: false,
    minVersion: 'TLSv1.2',
    ca: [...clientCas, ...proxyCas],
    ...(isHttp2 ? {} : { ALPNCallback: ({ protocols }) => (protocols.includes('http/1.1') ? 'http/1.1' : undefined) }),
    settings: { maxHeaderListSize: headerLimit, maxConcurrentStreams: maxStreams },
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
