import type { Http2SecureServer } from 'node:http2';
import type { TLSSocket } from 'node:tls';

/**
 * Lets Node read HTTP/1.1 through the socket's own stream once it was paused. Its parser otherwise takes what TLS has decrypted
 * straight from the handle, which is a fifth cheaper; but paused, because the client has not read the last answer yet, it is handed
 * the next request all the same, and fails with HPE_PAUSED.
 */
export function readThroughStreams(server: Http2SecureServer): void {
  // Node's own listener was here first: a socket that is not HTTP/2 has its parser by now.
  server.on('secureConnection', (socket) => {
    if (socket.alpnProtocol !== 'h2') socket.once('pause', () => readThroughStream(socket));
  });
}

/** Whoever listens for data makes the server give its own way up (lib/_http_server.js, unconsume). */
function readThroughStream(socket: TLSSocket): void {
  socket.on('data', ignore);
  // The stream waits for what it asked for, which the parser had: nothing has come of it, and it may ask again.
  socket.push('');
}

const ignore = (): void => {};
