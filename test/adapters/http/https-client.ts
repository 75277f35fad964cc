import { connect as connectHttp2 } from 'node:http2';
import type { IncomingHttpHeaders } from 'node:http';
import https from 'node:https';
import { connect as connectTls } from 'node:tls';
import type { Issued } from './certificates.ts';

/** A server on loopback and the CA that vouches for it. */
export interface Server {
  readonly port: number;
  readonly ca: string;
}

export interface Answer {
  readonly status: number | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: unknown;
}

export interface Call {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string | string[]>>;
  readonly body?: string | Buffer;
  readonly client?: Issued;
}

/** One request over HTTP/1.1, on a connection of its own. */
export function callHttp1(
  { port, ca }: Server,
  { method = 'GET', path = '/echo', headers = {}, body, client }: Call,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
    const request = https.request(
      {
        host: '127.0.0.1',
        port,
        method,
        path,
        headers: { ...headers, ...length },
        ca,
        agent: false,
        ...client,
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () =>
          resolve({
            status: response.statusCode,
            headers: response.headers,
            body: parsed(Buffer.concat(chunks).toString()),
          }),
        );
      },
    );
    request.on('error', reject);
    request.end(body);
  });
}

/** One request over HTTP/2, in a session of its own. */
export function callHttp2(
  { port, ca }: Server,
  { method = 'GET', path = '/echo', headers = {}, body, client }: Call,
): Promise<Answer> {
  const session = connectHttp2(`https://127.0.0.1:${port}`, { ca, ...client, maxSendHeaderBlockLength: 2 ** 20 });
  return new Promise<Answer>((resolve, reject) => {
    session.on('error', reject);
    const stream = session.request({ ':method': method, ':path': path, ...headers }, { endStream: body === undefined });
    let text = '';
    let answer: IncomingHttpHeaders & { ':status'?: number | undefined } = {};
    stream.on('response', (received) => {
      answer = received;
    });
    stream.setEncoding('utf8');
    stream.on('data', (chunk: string) => (text += chunk));
    stream.on('end', () => resolve({ status: answer[':status'], headers: answer, body: parsed(text) }));
    stream.on('error', reject);
    if (body !== undefined) stream.end(body);
  }).finally(() => session.close());
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Writes bytes after the TLS handshake, `then` more when the first have been answered, and reads until the server hangs up. */
export function callRaw({ port, ca }: Server, bytes: string, then?: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connectTls({ host: '127.0.0.1', port, ca }, () => socket.write(bytes));
    let text = '';
    socket.setEncoding('utf8');
    socket.on('data', (chunk: string) => (text += chunk));
    if (then !== undefined) socket.once('data', () => socket.write(then));
    socket.on('end', () => resolve(text));
    // A server that closes while the client still sends resets the connection after its answer.
    socket.on('error', (error) => (text === '' ? reject(error) : resolve(text)));
  });
}
