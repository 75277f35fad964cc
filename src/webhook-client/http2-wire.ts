import type { Socket } from 'node:net';
import type { Client } from 'undici';
import { CallFailure } from './call-failure.ts';
import { collectBytes } from './collect-bytes.ts';
import { endsOf } from './dial.ts';
import type { Dialler } from './dial.ts';
import { openIntake } from './intake.ts';
import type { Intake } from './intake.ts';
import { brokenText, systemError } from './network-error.ts';
import { longestAnswer, tooLong } from './wire.ts';
import type { Exchange, Wire, WireReply, WireRequest } from './wire.ts';

interface Undici {
  readonly Client: typeof Client;
}

let loading: Promise<Undici> | undefined;

/** Loaded when the first webhook speaks HTTP/2: most do not. */
export const loadUndici = (): Promise<Undici> => (loading ??= import('undici'));

const maxStreams = 100;

/** A connection that carries many requests at once; undici opens another when it has ended. */
export function http2Wire(undici: Undici, first: Socket, { dial }: Dialler, idleMs: number): Wire {
  let opened: Socket | undefined = first;
  // The dialler knows where to go, and every request names its host.
  const client = new undici.Client('https://localhost', {
    connect: (_options, callback) => {
      const ready = opened ? Promise.resolve(opened) : dial();
      opened = undefined;
      ready.then(
        (socket) => callback(null, socket),
        (error: unknown) => callback(error instanceof Error ? error : new Error(String(error)), null),
      );
    },
    allowH2: true,
    pipelining: maxStreams,
    keepAliveTimeout: idleMs,
    keepAliveMaxTimeout: idleMs,
    // Every call has a timer of its own.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  return {
    isOpen: () => true,
    rest: (then) => then(),
    destroy: () => void client.destroy(),
    send: (request, heard) => dispatch(client, request, heard),
  };
}

function dispatch(client: Client, request: WireRequest, heard: (reply: WireReply) => void): Exchange {
  const body = collectBytes(longestAnswer);
  let intake: Intake | undefined;
  let code = 0;
  let headers: ReceivedHeaders = {};
  let cancel: ((why: Error) => void) | undefined;
  let over: Error | undefined;
  // undici lets a POST go beside others only if it calls it idempotent; it never sends one twice for that.
  client.dispatch(
    { ...request, idempotent: true },
    {
      onRequestStart: (controller) => {
        cancel = (why) => controller.abort(why);
        intake = openIntake({ stop: () => controller.pause(), goOn: () => controller.resume() });
        if (over) cancel(over);
      },
      onResponseStart: (_controller, statusCode, received) => {
        // 100 to 199 only announce the answer.
        if (statusCode < 200) return;
        code = statusCode;
        headers = received;
      },
      onResponseData: (controller, chunk) => {
        if (body.add(chunk)) intake?.piece(chunk.length);
        else controller.abort(new CallFailure('body', tooLong));
      },
      onResponseEnd: () => {
        intake?.end();
        heard({ outcome: 'answered', code, header: firstOf(headers), body: body.bytes() });
      },
      onResponseError: (_controller, error) => {
        intake?.end();
        heard({ outcome: 'failed', failure: failureIn(error, code !== 0), readingBody: code !== 0 });
      },
    },
  );
  return {
    readingBody: () => code !== 0,
    // A stream that has not begun waits for its turn: it ends then, before anything is sent.
    end: (why) => {
      over = why;
      cancel?.(why);
    },
  };
}

type ReceivedHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

const firstOf =
  (headers: ReceivedHeaders) =>
  (name: string): string | undefined => {
    const value = headers[name];
    return typeof value === 'string' ? value : value?.[0];
  };

/** What undici reports, in Go's words (rules FAIL-4, RSP-10). */
function failureIn(error: Error, readingBody: boolean): CallFailure {
  if (error instanceof CallFailure) return error;
  const system = systemError(error);
  if (readingBody && system.code.startsWith('UND_ERR_')) return new CallFailure('body', 'unexpected EOF');
  if (system.code === 'UND_ERR_SOCKET') return new CallFailure('headers', 'EOF');
  return new CallFailure(readingBody ? 'body' : 'headers', brokenText(system, endsOf(error)));
}
