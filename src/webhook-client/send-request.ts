import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { afterReceiving } from './after-receiving.ts';
import type { CallEnd } from './call-end.ts';
import { CallFailure } from './call-failure.ts';
import type { Connection } from './connection.ts';
import type { Line } from './line.ts';
import { systemError } from './network-error.ts';
import { longestAnswer, tooLong } from './wire.ts';
import type { Exchange, WireReply, WireRequest } from './wire.ts';

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

function exchange(line: Line, request: WireRequest, end: CallEnd): Promise<WireReply> {
  const over = end.failure();
  if (over) return Promise.resolve({ outcome: 'failed', failure: over, readingBody: false });
  return new Promise((resolve) => {
    const connection = line.take();
    let isSettled = false;
    let underWay: Exchange | undefined;
    const settle = (reply: WireReply): void => {
      isSettled = true;
      end.tell(undefined);
      resolve(reply);
    };
    end.tell((why) => {
      const failure = endedBy(why, connection);
      settle({ outcome: 'failed', failure, readingBody: underWay?.readingBody() ?? false });
      afterReceiving(() => abandon(line, connection, underWay, failure));
    });
    underWay = connection.send(request, (reply) => {
      if (isSettled) return;
      settle(reply);
      if (reply.outcome === 'answered') connection.rest(() => line.giveBack(connection));
      else if (connection.isShared()) line.giveBack(connection);
      else line.discard(connection);
    });
  });
}

/** Time that ran out says what it was waited for, if that was not the answer: `context deadline exceeded` does not. */
function endedBy(failure: CallFailure, { lateness }: Connection): CallFailure {
  const because = failure.phase === 'timeout' ? lateness() : undefined;
  return because === undefined ? failure : new CallFailure(failure.phase, failure.message, { cause: { because } });
}

/** Of a connection that others share only the stream ends. */
function abandon(line: Line, connection: Connection, underWay: Exchange | undefined, why: Error): void {
  underWay?.end(why);
  if (connection.isShared()) line.giveBack(connection);
  else line.discard(connection);
}
