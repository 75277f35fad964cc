import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2';
import type { Socket } from 'node:net';

/** A connection on which requests wait for those before them. */
interface Line {
  /** About what those take that wait. */
  bytes: number;
  /** To be called when the connection is gone. */
  readonly waiting: Set<() => void>;
}

/** So much may wait on a connection. */
const mostBytes = 8 * 1024 * 1024;
const bytesOfRequest = 1024;

const lines = new WeakMap<Socket, Line>();

/**
 * When it is the turn of a request that came over HTTP/1.1 before the one in front of it was answered; false: its connection is
 * gone. Node hands out all of them at once, gives an answer its socket when those before it are written, and never says of one
 * that waits that its client has left.
 * Follows go net/http server.go serve: one request of a connection at a time.
 */
export async function itsTurn(
  request: IncomingMessage | Http2ServerRequest,
  response: ServerResponse | Http2ServerResponse,
  bodyBytes: number,
): Promise<boolean> {
  return request.httpVersionMajor === 2 || response.socket !== null || afterOthers(request.socket, response, bodyBytes);
}

async function afterOthers(
  socket: Socket,
  response: ServerResponse | Http2ServerResponse,
  bodyBytes: number,
): Promise<boolean> {
  if (socket.destroyed) return false;
  const line = lineOf(socket);
  const bytes = bytesOfRequest + bodyBytes;
  line.bytes += bytes;
  if (line.bytes > mostBytes) socket.destroy();
  await new Promise<void>((resolve) => {
    const goOn = (): void => {
      line.waiting.delete(goOn);
      resolve();
    };
    line.waiting.add(goOn);
    response.once('socket', goOn);
  });
  line.bytes -= bytes;
  return !socket.destroyed;
}

function lineOf(socket: Socket): Line {
  const known = lines.get(socket);
  if (known) return known;
  const line: Line = { bytes: 0, waiting: new Set() };
  socket.once('close', () => line.waiting.forEach((goOn) => goOn()));
  lines.set(socket, line);
  return line;
}
