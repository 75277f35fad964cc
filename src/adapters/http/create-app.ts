import type { ServerOptions } from 'node:http';
import type { SecureServerOptions } from 'node:http2';
import fastify from 'fastify';
import { tuned } from './listener-tuning.ts';
import type { ListenerTuning } from './listener-tuning.ts';
import { mostHeaders } from './read-request.ts';
import type { RawRequest } from './read-request.ts';
import { refuseBrokenHttp } from './refuse-broken-http.ts';

/** PEM texts. A client certificate signed by one of `clientCas` names its bearer; any other counts as none. */
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
/** Milliseconds. */
export const idleTimeout = 90_000;

/** Stands for fastify's own schema compilers, which take 40 ms to load. */
const noSchemas = (): never => {
  throw new Error('no route has a JSON schema');
};

/** What Node also reads for connections that speak HTTP/1.1. */
type HttpOneOptions = Pick<ServerOptions, 'noDelay' | 'keepAliveTimeout'>;

export function createApp({ cert, key, clientCas, proxyCas = [] }: ListenerTls, tuning: ListenerTuning) {
  const cas = [...clientCas, ...proxyCas];
  const more = tuned(tuning, cas);
  const https: SecureServerOptions & HttpOneOptions = {
    allowHTTP1: true,
    cert,
    key,
    ca: cas,
    requestCert: true,
    rejectUnauthorized: false,
    ...more,
    settings: { maxHeaderListSize: headerLimit, ...more.settings },
    maxHeaderListPairs: mostHeaders,
    noDelay: true,
    keepAliveTimeout: idleTimeout,
  };
  const app = fastify({
    http2: true,
    https,
    http2SessionTimeout: 0,
    bodyLimit,
    rewriteUrl: toOneRoute,
    return503OnClosing: false,
    clientErrorHandler: refuseBrokenHttp,
    schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
  });
  // Node 20 reads it from the server, where it is put for HTTP/1.1 alone and not for both.
  Object.assign(app.server, { maxHeaderSize: headerLimit, maxHeadersCount: mostHeaders + 1 });
  app.removeAllContentTypeParsers();
  // Those that are named are found at once; for all others fastify reads the type anew each time.
  for (const type of [...usualTypes, '*']) {
    app.addContentTypeParser(type, { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  }
  return app;
}

const usualTypes = [
  'application/json',
  'application/yaml',
  'application/vnd.kubernetes.protobuf',
  'application/json-patch+json',
  'application/merge-patch+json',
  'application/strategic-merge-patch+json',
  'application/apply-patch+yaml',
];

/** The pipeline reads the path, so the router has just one, and none to refuse. */
function toOneRoute({ httpVersionMajor, headers }: RawRequest & { readonly httpVersionMajor?: number }): string {
  // In HTTP/2 neither length nor coding announces a body, and without a type fastify would not look for one.
  if (httpVersionMajor === 2 && headers['content-length'] === undefined) headers['transfer-encoding'] = 'chunked';
  // An empty type is no type, as Go reads it; fastify would refuse it and drop the body.
  if (headers['content-type'] === '') delete headers['content-type'];
  return '/';
}
