import type { Http2SecureServer, ServerHttp2Session } from 'node:http2';
import type { TLSSocket } from 'node:tls';

/**
 * Ends HTTP/2 connections that carry no request and on which nothing has happened for so long. Node keeps a connection
 * whose client broke the protocol, even when the client has gone.
 * Follows apiserver pkg/server/secure_serving.go, which gives the HTTP/2 server an IdleTimeout.
 */
export function endIdleSessions(server: Http2SecureServer, milliseconds: number): void {
  let latest: ServerHttp2Session | undefined;
  server.on('session', (session) => (latest = session));
  // Node makes the session while it tells of its connection, and was asked to before us.
  server.on('secureConnection', (socket) => {
    if (latest) endWhenIdle(latest, socket, milliseconds);
    latest = undefined;
  });
}

function endWhenIdle(session: ServerHttp2Session, socket: TLSSocket, milliseconds: number): void {
  let open = 0;
  const waitAnew = (): unknown => session.destroyed || session.setTimeout(milliseconds);
  session.on('stream', (stream) => {
    open += 1;
    stream.once('close', () => {
      open -= 1;
      waitAnew();
    });
  });
  session.on('timeout', () => {
    if (open > 0) return;
    session.destroy();
    // A session that cannot write to its client any more would wait for that.
    setImmediate(() => socket.destroy());
  });
  waitAnew();
}
