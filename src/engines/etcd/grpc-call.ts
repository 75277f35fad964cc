import { unescaped } from '../../apimachinery/unescaped.ts';
import { constants } from 'node:http2';
import type { ClientHttp2Session, ClientHttp2Stream, IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http2';
import { errorText } from '../../apimachinery/error-text.ts';
import { brokenError, CallError, grpcCode } from './call-error.ts';
import { createFrameReader, frameOf } from './grpc-frames.ts';

/** What is heard of a call. */
interface Heard {
  readonly message: (bytes: Buffer) => void;
  /** Once, and nothing after it; undefined: the server ended it and is content. */
  readonly ended: (error: CallError | undefined) => void;
}

/** A call that goes on: messages are sent and heard until either side ends it. */
export interface Call {
  readonly send: (message: Uint8Array) => void;
  /** Has the server wait with what is too much to keep here; what is on its way is still heard. */
  readonly hold: (isHeld: boolean) => void;
  readonly cancel: (error?: CallError) => void;
}

/** Sends one message and gives the answer. Rejects with CallError, also when there is none at the deadline. */
export const askUnary = (
  session: ClientHttp2Session,
  path: string,
  message: Uint8Array,
  deadline: number,
): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    let answer: Buffer | undefined;
    const call = openCall(session, path, {
      message: (bytes) => (answer = bytes),
      ended: (error) => {
        clearTimeout(timer);
        if (answer && !error) resolve(answer);
        else reject(error ?? new CallError(grpcCode.internal, 'the answer is empty'));
      },
    });
    const timer = setTimeout(() => call.cancel(lateError()), deadline - Date.now());
    call.end(frameOf(message));
  });

export const lateError = (): CallError => new CallError(grpcCode.deadlineExceeded, 'context deadline exceeded');

/** Opens a call that goes on. */
export function openStream(
  session: ClientHttp2Session,
  path: string,
  heard: Heard,
  metadata: OutgoingHttpHeaders = {},
): Call {
  const { stream, cancel } = openCall(session, path, heard, metadata);
  return {
    send: (message) => {
      if (stream?.writable) stream.write(frameOf(message));
    },
    hold: (isHeld) => void (isHeld ? stream?.pause() : stream?.resume()),
    cancel,
  };
}

interface OpenCall {
  /** Missing where the connection was gone. */
  readonly stream?: ClientHttp2Stream;
  readonly end: (frame: Buffer) => void;
  readonly cancel: (error?: CallError) => void;
}

function openCall(session: ClientHttp2Session, path: string, heard: Heard, metadata?: OutgoingHttpHeaders): OpenCall {
  let isOver = false;
  const over = (error: CallError | undefined): void => {
    if (isOver) return;
    isOver = true;
    heard.ended(error);
  };
  let stream: ClientHttp2Stream;
  try {
    stream = session.request({ ':method': 'POST', ':path': path, ...headers, ...metadata });
  } catch (error) {
    // It ended since somebody looked.
    queueMicrotask(() => over(brokenError(error, false)));
    return { end: () => {}, cancel: over };
  }
  const cancel = (error?: CallError): void => {
    over(error ?? new CallError(grpcCode.canceled, 'context canceled'));
    stream.close(constants.NGHTTP2_CANCEL);
  };
  hear(stream, { ...heard, ended: over }, cancel);
  return { stream, cancel, end: (frame) => stream.end(frame) };
}

const headers = { 'content-type': 'application/grpc', te: 'trailers' };

function hear(stream: ClientHttp2Stream, { message, ended }: Heard, cancel: (error: CallError) => void): void {
  let said: IncomingHttpHeaders | undefined;
  let broken: Error | undefined;
  const read = createFrameReader(message);
  stream.on('response', (answer) => {
    // An error without a message stands here already.
    if (answer[':status'] !== 200 || answer['grpc-status'] !== undefined) said = answer;
  });
  stream.on('trailers', (trailers) => (said ??= trailers));
  stream.on('data', (chunk: Buffer) => {
    try {
      read(chunk);
    } catch (error) {
      cancel(new CallError(grpcCode.internal, errorText(error)));
    }
  });
  stream.on('end', () => (said ? ended(endOf(said)) : undefined));
  stream.on('error', (error: Error) => (broken = error));
  stream.on('close', () => {
    // What a server that goes away has not looked at, it says so.
    const wasSent = stream.rstCode !== constants.NGHTTP2_REFUSED_STREAM;
    ended(said ? endOf(said) : brokenError(broken, wasSent));
  });
}

/** What the server said at the end. Follows grpc internal/transport/http_util.go for those that are no gRPC servers. */
function endOf(said: IncomingHttpHeaders): CallError | undefined {
  const status = said['grpc-status'];
  if (status === undefined) {
    const code = httpCodes.get(Number(said[':status'])) ?? grpcCode.unknown;
    return new CallError(code, `unexpected HTTP status code received from server: ${String(said[':status'])}`);
  }
  if (Number(status) === grpcCode.ok) return undefined;
  return new CallError(Number(status), unescaped(String(said['grpc-message'] ?? '')));
}

const httpCodes: ReadonlyMap<number, number> = new Map([
  [400, grpcCode.internal],
  [401, 16],
  [403, 7],
  [404, 12],
  [429, grpcCode.unavailable],
  [502, grpcCode.unavailable],
  [503, grpcCode.unavailable],
  [504, grpcCode.unavailable],
]);
