import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { goQuote } from '../apimachinery/field-error.ts';
import { afterReceiving } from './after-receiving.ts';
import type { CallEnd } from './call-end.ts';
import { CallFailure } from './call-failure.ts';
import { collectBytes } from './collect-bytes.ts';
import { endsOf } from './dial.ts';
import { loadUndici } from './line.ts';
import type { Connection, Line } from './line.ts';
import { brokenText, systemError } from './network-error.ts';

export interface WireRequest {
  readonly method: 'POST' | 'GET';
  /** With its query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

export type WireReply =
  | {
      readonly outcome: 'answered';
      readonly code: number;
      /** The first value of a header, by its lower-case name. */
      readonly header: (name: string) => string | undefined;
      readonly body: Uint8Array;
    }
  | {
      readonly outcome: 'failed';
      readonly failure: CallFailure;
      /** The headers had come; it broke while the body was read. */
      readonly readingBody: boolean;
    };

/** One request and its whole answer. When the call is over before it, the connection that carries it alone is ended. */
export async function sendRequest(line: Line, request: WireRequest, end: CallEnd): Promise<WireReply> {
  const reply = await exchange(line, request, end);
  if (reply.outcome === 'failed' || reply.header('content-encoding')?.toLowerCase() !== 'gzip') return reply;
  try {
    return { ...reply, body: await promisify(gunzip)(reply.body, { maxOutputLength: longestAnswer }) };
  } catch (error) {
    return { outcome: 'failed', failure: new CallFailure('body', gzipText(error)), readingBody: true };
  }
}

function gzipText(error: unknown): string {
  const { code } = systemError(error);
  if (code === 'ERR_BUFFER_TOO_LARGE') return tooLong;
  return code === 'Z_BUF_ERROR' ? 'unexpected EOF' : 'gzip: invalid header';
}

/** Ours: kube-apiserver reads an answer of any length. No object that could be stored needs a longer one. */
export const longestAnswer = 8 * 1024 * 1024;

const tooLong = `the answer is longer than ${longestAnswer} bytes, the most that kadmit reads`;

async function exchange(line: Line, request: WireRequest, end: CallEnd): Promise<WireReply> {
  const undici = await loadUndici();
  const over = end.failure();
  if (over) return { outcome: 'failed', failure: over, readingBody: false };
  return new Promise((resolve) => {
    const connection = line.take(undici);
    const body = collectBytes(longestAnswer);
    let code = 0;
    let headers: ReceivedHeaders = {};
    let isSettled = false;
    const settle = (reply: WireReply): void => {
      isSettled = true;
      end.tell(undefined);
      resolve(reply);
    };
    let cancelStream: ((reason: Error) => void) | undefined;
    const fail = (failure: CallFailure): void => {
      settle({ outcome: 'failed', failure, readingBody: code !== 0 });
      line.discard(connection);
    };
    const giveUp = (failure: CallFailure): void => {
      settle({ outcome: 'failed', failure, readingBody: code !== 0 });
      afterReceiving(() => abandon(line, connection, cancelStream, failure));
    };
    end.tell((why) => giveUp(endedBy(why, connection)));
    // undici lets a POST go beside others only if it calls it idempotent; it never sends one twice for that.
    connection.client.dispatch(connection.isShared() ? { ...request, idempotent: true } : request, {
      onRequestStart: (controller) => {
        cancelStream = (reason) => controller.abort(reason);
      },
      onResponseStart: (_controller, statusCode, received) => {
        // 100 to 199 only announce the answer.
        if (statusCode < 200) return;
        code = statusCode;
        headers = received;
      },
      onResponseData: (_controller, chunk) => {
        if (!isSettled && !body.add(chunk)) giveUp(new CallFailure('body', tooLong));
      },
      onResponseEnd: () => {
        if (isSettled) return;
        settle({ outcome: 'answered', code, header: firstOf(headers), body: body.bytes() });
        line.giveBack(connection);
      },
      onResponseError: (_controller, error) => {
        if (!isSettled) fail(failureIn(error, code !== 0));
      },
    });
  });
}

/** Time that ran out says what it was waited for, if that was not the answer: `context deadline exceeded` does not. */
function endedBy(failure: CallFailure, { lateness }: Connection): CallFailure {
  const because = failure.phase === 'timeout' ? lateness() : undefined;
  return because === undefined ? failure : new CallFailure(failure.phase, failure.message, { cause: { because } });
}

/** Of a connection that others share only the stream ends. */
function abandon(line: Line, connection: Connection, cancel: ((reason: Error) => void) | undefined, why: Error): void {
  if (!cancel || !connection.isShared()) return line.discard(connection);
  cancel(why);
  return line.giveBack(connection);
}

type ReceivedHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

const firstOf =
  (headers: ReceivedHeaders) =>
  (name: string): string | undefined => {
    const value = headers[name];
    return typeof value === 'string' ? value : value?.[0];
  };

/** What undici reports, in Go's words. Follows Go's net/http transport.go (rules FAIL-4, RSP-10). */
function failureIn(error: Error, readingBody: boolean): CallFailure {
  if (error instanceof CallFailure) return error;
  const system = systemError(error);
  if (readingBody) return new CallFailure('body', brokenBodyText(error));
  if (system.code === 'UND_ERR_SOCKET') return new CallFailure('headers', 'EOF');
  if (isParserError(error)) {
    return new CallFailure('headers', malformedText(error), { cause: { because: 'no-http' } });
  }
  return new CallFailure('headers', brokenText(system, endsOf(error)));
}

const isParserError = ({ name }: Error): boolean => name === 'HTTPParserError';

function brokenBodyText(error: Error): string {
  const system = systemError(error);
  if (system.code.startsWith('UND_ERR_') || isParserError(error)) return 'unexpected EOF';
  return brokenText(system, endsOf(error));
}

/** llhttp keeps what it could not read in `data`. */
function malformedText(error: Error): string {
  const data: unknown = Reflect.get(error, 'data');
  const [line = ''] = textOf(data).split(/\r?\n/);
  return `net/http: HTTP/1.x transport connection broken: malformed HTTP response ${goQuote(line)}`;
}

function textOf(data: unknown): string {
  if (typeof data === 'string') return data;
  return data instanceof Uint8Array ? Buffer.from(data).toString('latin1') : '';
}
