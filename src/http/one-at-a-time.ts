import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2';
import type { Socket } from 'node:net';

/** A connection on which requests wait for those before them. */
interface Line {
  /** Resolves when the last of them is answered, or its client is gone. */
  last: Promise<void>;
  /** About what those take that wait. */
  bytes: number;
}

/** So much may wait on a connection. */
const mostBytes = 8 * 1024 * 1024;
const bytesOfRequest = 1024;

const lines = new WeakMap<Socket, Line>();

/**
 * When it is the turn of a request that came over HTTP/1.1 before the one in front of it was answered; false: its connection is
 * gone. Node hands out all of them at once, and never says of an answer that waits that its client has left.
 * Follows go net/http server.go serve: one request of a connection at a time.
 */
export async function itsTurn(
  request: IncomingMessage | Http2ServerRequest,
  response: ServerResponse | Http2ServerResponse,
  bodyBytes: number,
): Promise<boolean> {
  if (request.httpVersionMajor === 2) return true;
  const { socket } = request;
  let done = (): void => {};
  const answered = new Promise<void>((resolve) => {
    done = resolve;
    response.once('close', resolve);
  });
  const line = lines.get(socket);
  if (line === undefined) {
    lines.set(socket, { last: answered, bytes: 0 });
    return true;
  }
  const before = line.last;
  const bytes = bytesOfRequest + bodyBytes;
  line.last = answered;
  line.bytes += bytes;
  if (line.bytes > mostBytes) socket.destroy();
  await before;
  line.bytes -= bytes;
  // Of an answer that never had its turn Node says nothing.
  if (socket.destroyed) done();
  return !socket.destroyed;
}
