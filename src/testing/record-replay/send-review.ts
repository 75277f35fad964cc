import http from 'node:http';
import type { ClientRequest, IncomingMessage } from 'node:http';
import https from 'node:https';
import { errorText } from '../../machinery/errors.ts';
import type { CallPhase, CallReply } from '../../apiserver/admission/webhooks/call.ts';

export interface Destination {
  readonly url: URL;
  /** PEM; '' for Node's own authorities. */
  readonly ca: string;
  /** Accepts any certificate. */
  readonly insecure: boolean;
  /** 0 waits without a limit. */
  readonly timeoutMs: number;
}

/** Posts a review as kube-apiserver does. Never rejects; a failure has the phase it reached and Node's text. */
export function sendReview({ url, ca, insecure, timeoutMs }: Destination, body: string): Promise<CallReply> {
  return new Promise((resolve) => {
    const isSecure = url.protocol === 'https:';
    const options = { method: 'POST', headers: headersFor(body), agent: false as const };
    const tls = { rejectUnauthorized: !insecure, ...(ca === '' ? {} : { ca }) };
    const request = isSecure ? https.request(url, { ...options, ...tls }) : http.request(url, options);
    const phase = followPhases(request, isSecure);
    const fail = (error: string, at: CallPhase = phase()): void => resolve({ outcome: 'failed', phase: at, error });
    const timer = timeoutMs === 0 ? undefined : setTimeout(giveUp, timeoutMs);
    function giveUp(): void {
      fail(`no answer within ${timeoutMs / 1000} s`, 'timeout');
      request.destroy();
    }
    request.on('error', (error) => fail(errorLine(error), syscallPhase(error) ?? phase()));
    request.on('close', () => clearTimeout(timer));
    request.on('response', (response) => {
      readAll(response).then(resolve, (error: unknown) => fail(errorLine(error), 'body'));
    });
    request.end(body);
  });
}

const headersFor = (body: string): http.OutgoingHttpHeaders => ({
  accept: 'application/json, */*',
  'content-type': 'application/json',
  'content-length': Buffer.byteLength(body),
  'user-agent': 'kube-apiserver-admission',
});

/** The phase reached so far. */
function followPhases(request: ClientRequest, isSecure: boolean): () => CallPhase {
  let phase: CallPhase = 'resolve';
  request.on('socket', (socket) => {
    socket.on('lookup', (error: Error | null) => {
      if (!error) phase = 'connect';
    });
    socket.on('connectionAttempt', () => {
      phase = 'connect';
    });
    socket.on('connect', () => {
      phase = isSecure ? 'tls' : 'headers';
    });
    socket.on('secureConnect', () => {
      phase = 'headers';
    });
  });
  return () => phase;
}

async function readAll(response: IncomingMessage): Promise<CallReply> {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(Buffer.from(chunk));
  const { statusCode = 0, headers } = response;
  return { outcome: 'answered', code: statusCode, contentType: headers['content-type'], body: Buffer.concat(chunks) };
}

/** A refused connection may fail before the socket's events. */
function syscallPhase(error: Error): CallPhase | undefined {
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error;
  const syscall = first instanceof Error && 'syscall' in first ? first.syscall : '';
  if (syscall === 'getaddrinfo') return 'resolve';
  return syscall === 'connect' ? 'connect' : undefined;
}

/** One line. When all addresses of a host failed, the AggregateError has no text of its own. */
function errorLine(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(errorLine).join('; ');
  const text = errorText(error);
  // OpenSSL 3.0 and 3.5 name the same fault differently.
  if (/wrong version number|packet length too long/.test(text)) return 'it speaks plain HTTP there; --to http://…';
  return text.replaceAll(/\s+/g, ' ').trim();
}
