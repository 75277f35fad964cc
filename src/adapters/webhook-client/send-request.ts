import { goQuote } from '../../machinery/meta/field-error.ts';
import { CallFailure } from './call-failure.ts';
import type { Connection, ConnectionPool } from './connection-pool.ts';
import type { Deadline } from './deadline.ts';
import { gunzipBody, readBody } from './response-body.ts';
import { responseFailure } from './response-failure.ts';

/** One HTTP request. */
export interface HttpRequest {
  readonly method: 'POST' | 'GET';
  /** With its query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

export interface HttpResponse {
  readonly code: number;
  /** The first value of a header, by its lower-case name. */
  readonly header: (name: string) => string | undefined;
  readonly body: Uint8Array;
}

/** How far an exchange is. */
interface Exchange {
  readingBody: boolean;
  /** Bytes that the connection had read before. */
  readonly readBefore: number;
}

/** One request and its whole response. Throws CallFailure. */
export async function sendRequest(
  pool: ConnectionPool,
  request: HttpRequest,
  { signal, over }: Deadline,
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
  { client }: Connection,
  request: HttpRequest,
  exchange: Exchange,
  signal: AbortSignal,
): Promise<HttpResponse> {
  // undici lets a POST share an HTTP/2 connection only if it is called idempotent; it never sends one twice for that.
  const { statusCode, headers, body } = await client.request({ ...request, signal, idempotent: true });
  exchange.readingBody = true;
  const header = (name: string): string | undefined => [headers[name]].flat()[0];
  const bytes = await readBody(body);
  const isGzip = header('content-encoding')?.toLowerCase() === 'gzip';
  return { code: statusCode, header, body: isGzip ? await gunzipBody(bytes) : bytes };
}

function failureOf(error: unknown, { readingBody, readBefore }: Exchange, { dialler }: Connection): CallFailure {
  if (error instanceof CallFailure && (error.phase === 'timeout' || error.phase === 'canceled')) {
    // `context deadline exceeded` does not say what took the time when it was not the webhook.
    const because = error.phase === 'timeout' ? dialler.lateness() : undefined;
    return new CallFailure(error.phase, error.message, because && { cause: { because } }, readingBody);
  }
  const hasBegun = !dialler.isHttp2() && dialler.bytesRead() > readBefore;
  return responseFailure(error, { readingBody, hasBegun, ends: dialler.ends() });
}

// oxlint-disable-next-line no-control-regex -- Go refuses them
const control = /[\u0000-\u0008\u000a-\u001f\u007f]/;

/** Headers as undici takes them, a character for each byte of UTF-8. Throws for those that Go does not send. */
function encodeHeaders(headers: HttpRequest['headers']): HttpRequest['headers'] {
  const refused = Object.keys(headers).find((name) => control.test(headers[name] ?? ''));
  if (refused !== undefined) {
    const name = refused.replaceAll(/(^|-)[a-z]/g, (start) => start.toUpperCase());
    throw new CallFailure('headers', `net/http: invalid header field value for ${goQuote(name)}`);
  }
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Buffer.from(value).toString('latin1')]),
  );
}
