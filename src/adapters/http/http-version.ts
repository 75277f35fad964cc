import type { Duplex } from 'node:stream';
import type { Http2SecureServer, Http2ServerRequest, Http2ServerResponse } from 'node:http2';

/** What came over HTTP/1.1 has no stream. */
interface Carried {
  readonly stream?: Duplex;
  readonly socket: Duplex;
}

/** Has its client given it up? */
export const isGone = (request: Carried): boolean => (request.stream ?? request.socket).destroyed;

type Listen = (request: Http2ServerRequest, response: Http2ServerResponse) => void;

/** Keeps requests of a version that is not served, and those whose client has gone, from the listeners of the server. */
export function refuseVersions(server: Http2SecureServer): void {
  const listeners = server.listeners('request');
  server.removeAllListeners('request');
  server.on('request', (request, response) => {
    if (refuseVersion(request, response) || isGone(request)) return;
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what listens for requests takes them
    for (const listen of listeners) (listen as Listen)(request, response);
  });
}

/**
 * Refuses a request that came over HTTP/1.1 and says that it is of another version; true: the answer is given. Everybody
 * behind this may take an HTTP/2 request at its word. Follows go net/http server.go http1ServerSupportsRequest.
 */
export function refuseVersion(request: Http2ServerRequest, response: Http2ServerResponse): boolean {
  const { httpVersionMajor, stream }: Carried & { readonly httpVersionMajor: number } = request;
  if (stream !== undefined || httpVersionMajor === 1) return false;
  const reason = 'HTTP Version Not Supported: unsupported protocol version';
  response.writeHead(505, reason, { 'Content-Type': 'text/plain; charset=utf-8', Connection: 'close' });
  response.end(`505 ${reason}`);
  return true;
}
