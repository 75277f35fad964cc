import { once } from 'node:events';
import type { Http2SecureServer, Http2ServerRequest, Http2ServerResponse } from 'node:http2';
import type { AddressInfo, Socket } from 'node:net';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyError, FastifyReply, FastifyRequest, RouteGenericInterface } from 'fastify';
import { errorText } from '../../machinery/errors.ts';
import { badRequest, internalError, requestEntityTooLarge, type Status } from '../../machinery/meta/status.ts';
import type { ApiRequest, ApiResponse } from '../../apiserver/request/api-request.ts';
import { hasTooManyValues, tooManyValuesText } from '../../machinery/json/body-limits.ts';
import { bodyLimit, createApp, type ListenerTls } from './create-app.ts';
import { statusResponse } from './json-body.ts';
import { watchMemory } from './memory-guard.ts';
import { readRequest, createCertificateReader } from './read-request.ts';
import { streamWatch } from './watch-stream.ts';
import { serveUpgrades } from './web-sockets.ts';
import { toWire, type WirePorts } from './write-response.ts';
import { nextIteration } from './yield-if-long.ts';
import type { WireDocument, WireResponse } from './encode.ts';

export interface ListenerOptions extends WirePorts {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  readonly tls: ListenerTls;
  /** Default: true. */
  readonly isHttp2?: boolean;
  /** The request pipeline. An exception becomes a 500 and a line in the log. */
  readonly handle: (request: ApiRequest) => Promise<ApiResponse>;
  readonly newUid: () => string;
  readonly logError: (line: string) => void;
}

export interface Listener {
  readonly port: number;
  /** Ends watches, waits half a second for running requests, then closes all connections. */
  readonly close: () => Promise<void>;
}

type Request = FastifyRequest<RouteGenericInterface, Http2SecureServer, Http2ServerRequest>;
type Reply = FastifyReply<RouteGenericInterface, Http2SecureServer, Http2ServerRequest, Http2ServerResponse>;

const graceOnClose = 500;

/** Bytes. Larger bodies are decoded one per iteration of the event loop. */
const largeBody = 256 * 1024;

/**
 * Serves HTTPS over HTTP/2 and HTTP/1.1. Rejects when the address is in use. Status objects replace fastify's error
 * pages. Follows apiserver pkg/server/secure_serving.go.
 */
export async function startListener(options: ListenerOptions): Promise<Listener> {
  const { now, newUid, tls, isHttp2 = true } = options;
  const app = createApp(tls, isHttp2);
  const sockets = trackSockets(app.server);
  const running = new Set<Promise<unknown>>();
  const webSockets = serveUpgrades(app.server);
  const watches = new Set<() => void>();
  const memory = watchMemory();
  const { exhaustion } = memory;
  const readCertificate = createCertificateReader(tls);

  async function answer(request: Request, reply: Reply, failed?: Status): Promise<void> {
    const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
    if (body.length > largeBody) await nextIteration();
    const closed = once(reply.raw, 'close').finally(() => running.delete(closed));
    running.add(closed);
    const arrival = { url: request.originalUrl, body, response: reply.raw, now, newUid, exhaustion, readCertificate };
    const { request: read, refused } = readRequest(request.raw, arrival);
    const problem = failed ?? refused ?? memory.refusal(read.method) ?? tooManyValues(read.body);
    const wire = await wireFor(options, read, problem);
    memory.track(wire, reply.raw);
    if (wire.type === 'buffered') return send(reply, { ...wire, code: sendable(wire.code, request.raw) });
    if (wire.type === 'parts') return sendParts(reply, wire);
    reply.hijack();
    await webSockets.sinkFor(request.raw, reply.raw, (sink, pace) => {
      const finish = streamWatch(sink, wire, (error) => reportBug(options, read, error), pace);
      watches.add(finish);
      sink.once('close', () => watches.delete(finish));
    });
  }

  const begin = beginning(answer);
  app.all('/', (request, reply) => begin(request, reply));
  app.setNotFoundHandler((request, reply) => begin(request, reply));
  app.setErrorHandler<FastifyError>((error, request, reply) => answerError(error, request, reply, begin));
  await app.listen({ host: options.host, port: options.port });
  return {
    port: portOf(app.server.address()),
    async close() {
      memory.close();
      const closed = app.close();
      for (const finish of watches) finish();
      await Promise.race([Promise.all(running), sleep(graceOnClose, undefined, { ref: false })]);
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

function trackSockets(server: Http2SecureServer): ReadonlySet<Socket> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  return sockets;
}

const tooManyValues = (body: Uint8Array): Status | undefined =>
  hasTooManyValues(body) ? requestEntityTooLarge(tooManyValuesText) : undefined;

/** An exception becomes a 500. */
async function wireFor(options: ListenerOptions, request: ApiRequest, refused?: Status): Promise<WireResponse> {
  try {
    const response = refused ? statusResponse(refused) : await options.handle(request);
    return await toWire(request, response, options);
  } catch (error) {
    if (!request.signal().aborted) reportBug(options, request, error);
    return toWire(request, statusResponse(internalError(errorText(error))), options);
  }
}

function reportBug({ logError }: ListenerOptions, { method, path }: ApiRequest, error: unknown): void {
  logError(`${method} ${path}: ${error instanceof Error ? String(error.stack) : String(error)}`);
}

type AnswerRequest = (request: Request, reply: Reply, refused?: Status) => void;

/** Returns nothing: fastify would await the result. */
const beginning =
  (answer: (...exchange: Parameters<AnswerRequest>) => Promise<void>): AnswerRequest =>
  (request, reply, refused) => {
    answer(request, reply, refused).catch((error: unknown) => reply.send(error));
  };

function answerError(error: FastifyError, request: Request, reply: Reply, answer: AnswerRequest): void {
  // The pipeline refuses an invalid Content-Type, after authentication.
  if (error.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return answer(request, reply);
  // Node discards the rest of the body. Closing the connection could lose the response of a client that still sends.
  reply.removeHeader('connection');
  answer(request, reply, statusOf(error));
}

function statusOf(error: FastifyError): Status {
  if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE') return requestEntityTooLarge(`limit is ${bodyLimit}`);
  if (error.statusCode !== undefined && error.statusCode < 500) return badRequest(error.message);
  return internalError(error.message);
}

/** Node sends codes from 600 to 999 over HTTP/1.1 only; the Status in the body keeps the code. */
const sendable = (code: number, { httpVersionMajor }: { readonly httpVersionMajor: number }): number =>
  code > 599 && httpVersionMajor === 2 ? 500 : code;

/** Bypasses fastify, which adds a charset to text and refuses codes above 599. */
function send(reply: Reply, { code, headers, body }: WireDocument): void {
  if (code === 304) {
    void reply
      .code(code)
      .headers({ ...headers })
      .removeHeader('content-type')
      .send();
    return;
  }
  reply.hijack();
  const large = body.length > maxWriteBytes ? Buffer.from(body) : undefined;
  const stream = reply.raw.writeHead(code, { ...headers, 'content-length': Buffer.byteLength(large ?? body) });
  if (large) Readable.from(slicesOf(large)).pipe(stream);
  else stream.end(body);
}

function sendParts(reply: Reply, { code, headers, parts }: WireParts): void {
  void reply
    .code(code)
    .headers({ ...headers })
    .send(parts);
}

type WireParts = Extract<WireResponse, { readonly type: 'parts' }>;

/** Bytes. TLS copies and encrypts each write as a whole. */
const maxWriteBytes = 1024 * 1024;

function* slicesOf(body: Buffer): Iterable<Buffer> {
  for (let at = 0; at < body.length; at += maxWriteBytes) yield body.subarray(at, at + maxWriteBytes);
}

const portOf = (address: AddressInfo | string | null): number =>
  typeof address === 'object' && address !== null ? address.port : 0;
