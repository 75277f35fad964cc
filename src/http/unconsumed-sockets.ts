import type { Http2SecureServer } from 'node:http2';

/**
 * Lets Node read HTTP/1.1 through the socket's own stream. Its parser otherwise takes what TLS has decrypted straight from
 * the handle: paused, because the client has not read the last answer yet, it is handed the next request all the same, and
 * fails with HPE_PAUSED. Whoever listens for data makes the server give that way up (lib/_http_server.js, unconsume).
 */
export function readThroughStreams(server: Http2SecureServer): void {
  // Node's own listener was here first: a socket that is not HTTP/2 has its parser by now.
  server.on('secureConnection', (socket) => {
    if (socket.alpnProtocol !== 'h2') socket.on('data', ignore);
  });
}

const ignore = (): void => {};
