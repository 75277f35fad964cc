import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { goQuote } from '../../machinery/meta/field-error.ts';
import { WebhookCallError, type CallDeadline } from './call-failure.ts';
import type { PooledConnection, ConnectionPool } from './pools.ts';
import { brokenText, type SocketAddresses, statusLineError, systemError } from './network-error.ts';

export interface HttpRequest {
  readonly method: 'POST' | 'GET';
  /** Includes the query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

export interface HttpResponse {
  readonly code: number;
  /** The first value of a header, by lower-case name. */
  readonly header: (name: string) => string | undefined;
  readonly body: Uint8Array;
}

interface Exchange {
  readingBody: boolean;
  /** Bytes that the connection had read before. */
  readonly readBefore: number;
}

/** Sends one request and reads its response. Throws WebhookCallError. */
export async function sendRequest(
  pool: ConnectionPool,
  request: HttpRequest,
  { signal, over }: CallDeadline,
): Promise<HttpResponse> {
  signal.throwIfAborted();
  const headers = encodeHeaders(request.headers);
  const connection = await pool.acquire();
  const exchange: Exchange = { readingBody: false, readBefore: connection.dialler.bytesRead() };
  try {
    const received = receive(connection, { ...request, headers }, exchange, signal);
    const response = await Promise.race([received, over]);
    pool.release(connection);
    return response;
  } catch (error) {
    const failure = failureOf(error, exchange, connection);
    pool.discard(connection);
    throw failure;
  }
}

async function receive(
  { client }: PooledConnection,
  request: HttpRequest,
  exchange: Exchange,
  signal: AbortSignal,
): Promise<HttpResponse> {
  // undici shares HTTP/2 connections between POSTs only if they are marked idempotent; it does not retry them.
  const { statusCode, headers, body } = await client.request({ ...request, signal, idempotent: true });
  exchange.readingBody = true;
  const header = (name: string): string | undefined => [headers[name]].flat()[0];
  const bytes = await readBody(body);
  const isGzip = header('content-encoding')?.toLowerCase() === 'gzip';
  return { code: statusCode, header, body: isGzip ? await gunzipBody(bytes) : bytes };
}

function failureOf(
  error: unknown,
  { readingBody, readBefore }: Exchange,
  { dialler }: PooledConnection,
): WebhookCallError {
  if (error instanceof WebhookCallError && (error.phase === 'timeout' || error.phase === 'canceled')) {
    // Name what took the time if it was not the webhook.
    const because = error.phase === 'timeout' ? dialler.lateness() : undefined;
    return new WebhookCallError(error.phase, error.message, because && { cause: { because } }, readingBody);
  }
  const hasBegun = !dialler.isHttp2() && dialler.bytesRead() > readBefore;
  return responseFailure(error, { readingBody, hasBegun, ends: dialler.ends() });
}

// oxlint-disable-next-line no-control-regex -- Go refuses these characters
const control = /[\u0000-\u0008\u000a-\u001f\u007f]/;

/** Headers for undici, one character per UTF-8 byte. Throws for those that Go does not send. */
function encodeHeaders(headers: HttpRequest['headers']): HttpRequest['headers'] {
  const refused = Object.keys(headers).find((name) => control.test(headers[name] ?? ''));
  if (refused !== undefined) {
    const name = refused.replaceAll(/(^|-)[a-z]/g, (start) => start.toUpperCase());
    throw new WebhookCallError('headers', `net/http: invalid header field value for ${goQuote(name)}`);
  }
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Buffer.from(value).toString('latin1')]),
  );
}

/** kube-apiserver has no limit. No storable object needs a longer response. */
export const maxResponseBytes = 8 * 1024 * 1024;

const tooLong = `the answer is longer than ${maxResponseBytes} bytes, the most that kadmit reads`;

/** Destroys the stream when it exceeds the limit. */
async function readBody(stream: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of stream.iterator({ destroyOnReturn: false })) {
    const bytes: Buffer = chunk;
    length += bytes.length;
    if (length > maxResponseBytes) {
      await new Promise(setImmediate); // As `afterReading`.
      stream.destroy();
      throw new WebhookCallError('body', tooLong);
    }
    chunks.push(bytes);
  }
  return Buffer.concat(chunks, length);
}

/** Follows Go's compress/gzip gunzip.go, which treats an empty body as an empty file. */
async function gunzipBody(body: Buffer): Promise<Buffer> {
  if (body.length === 0) return body;
  if (body.length < gzipHeaderBytes) throw new WebhookCallError('body', 'unexpected EOF');
  const gunzip = createGunzip();
  gunzip.end(body);
  try {
    const unpacked = await readBody(gunzip);
    // Node skips zero bytes behind the last member; Go reads them as the header of another one.
    const rest = body.length - gunzip.bytesWritten;
    if (rest === 0) return unpacked;
    throw new WebhookCallError('body', rest < gzipHeaderBytes ? 'unexpected EOF' : 'gzip: invalid header');
  } catch (error) {
    throw error instanceof WebhookCallError
      ? error
      : new WebhookCallError('body', gzipText(systemError(error).message));
  }
}

const gzipHeaderBytes = 10;

/** Go's texts for zlib's errors. */
const gzipTexts: Readonly<Record<string, string>> = {
  'unexpected end of file': 'unexpected EOF',
  'incorrect header check': 'gzip: invalid header',
  'unknown compression method': 'gzip: invalid header',
  'header crc mismatch': 'gzip: invalid header',
  'incorrect data check': 'gzip: invalid checksum',
  'incorrect length check': 'gzip: invalid checksum',
};

const gzipText = (message: string): string => gzipTexts[message] ?? 'flate: corrupt input';

/** How far an exchange got before the error. */
interface Progress {
  /** The response headers have arrived. */
  readonly readingBody: boolean;
  /** Bytes of an HTTP/1 response have arrived. */
  readonly hasBegun: boolean;
  readonly ends: SocketAddresses | undefined;
}

/** Go's texts for llhttp's errors, where they correspond (rules FAIL-4, RSP-10). */
const parserTexts: readonly (readonly [reason: RegExp, text: (rest: string) => string])[] = [
  [
    /^(?:Expected HTTP\/|Invalid HTTP version|Expected space after version)/,
    (rest) => statusLineError(firstLine(rest)),
  ],
  [/^Invalid (?:status code|response status)/, () => 'malformed HTTP status code'],
  [/^Invalid header token/, () => 'malformed MIME header line'],
  [/^Invalid header value char/, () => 'malformed MIME header line'],
  [/^Unexpected space after start line/, () => 'malformed MIME header initial line'],
  [/^Invalid character in Content-Length/, (rest) => `bad Content-Length "${firstLine(rest).trim()}"`],
  [/^Empty Content-Length/, () => 'invalid empty Content-Length ""'],
  [/^Content-Length overflow/, () => 'bad Content-Length'],
  [/^Invalid character in chunk size/, () => 'invalid byte in chunk length'],
  [/^Chunk size overflow/, () => 'http chunk length too large'],
  [/^Missing expected CR after chunk size/, () => 'chunked line ends with bare LF'],
  [/^Expected LF after chunk size/, () => 'invalid CR in chunked line'],
  [/^Expected LF after chunk data/, () => 'malformed chunked encoding'],
];

/** Go's texts for undici's other error codes, while it reads headers and while it reads the body. */
const codeTexts: Readonly<Record<string, readonly [headers: string, body: string]>> = {
  UND_ERR_SOCKET: ['EOF', 'unexpected EOF'],
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: [
    'http: message cannot contain multiple Content-Length headers',
    'unexpected EOF',
  ],
  UND_ERR_HEADERS_OVERFLOW: ['net/http: server response headers exceeded 262144 bytes; aborted', 'unexpected EOF'],
  UND_ERR_DESTROYED: ['kadmit closed the connection', 'kadmit closed the connection'],
  UND_ERR_CLOSED: ['kadmit closed the connection', 'kadmit closed the connection'],
};

/** Converts an error of undici or its socket into Go's text and phase. */
function responseFailure(error: unknown, progress: Progress): WebhookCallError {
  if (error instanceof WebhookCallError) return error;
  const { readingBody, hasBegun, ends } = progress;
  const fail = (headersText: string, bodyText: string, isHttp = true): WebhookCallError =>
    readingBody
      ? new WebhookCallError('body', bodyText)
      : new WebhookCallError('headers', headersText, isHttp ? {} : { cause: { because: 'no-http' } });
  const system = systemError(error);
  const parserText = parserTextOf(error, system.message);
  if (parserText !== undefined) return fail(`${brokenTransport}${parserText}`, parserText, false);
  if (system.code === 'UND_ERR_SOCKET' && hasBegun) return fail(`${brokenTransport}unexpected EOF`, 'unexpected EOF');
  const [headersText, bodyText] = codeTexts[system.code] ?? [];
  if (headersText !== undefined && bodyText !== undefined) return fail(headersText, bodyText);
  if (readingBody && system.code.startsWith('UND_ERR_')) return fail('', 'unexpected EOF');
  const text = brokenText(system, ends);
  return fail(text, text);
}

const brokenTransport = 'net/http: HTTP/1.x transport connection broken: ';

/** undici quotes llhttp's reason in parentheses; `data` begins with the byte that llhttp refused. */
function parserTextOf(error: unknown, message: string): string | undefined {
  const reason = /^Response does not match the HTTP\/1\.1 protocol \((.*)\)$/.exec(message)?.[1];
  if (reason === undefined) return undefined;
  const rest: unknown = error instanceof Error && 'data' in error ? error.data : '';
  const text = parserTexts.find(([pattern]) => pattern.test(reason))?.[1];
  return text === undefined ? `malformed HTTP response: ${reason}` : text(String(rest));
}

const firstLine = (text: string): string => text.split(/\r?\n/, 1)[0] ?? '';
