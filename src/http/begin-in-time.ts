import type { Http2SecureServer, Http2ServerRequest, Http2ServerResponse } from 'node:http2';
import { isGone, refuseVersion } from './http-version.ts';
import { inTime } from './pause.ts';

type Listen = (request: Http2ServerRequest, response: Http2ServerResponse) => void;

/**
 * Whoever listens for requests is told of them as there is time: one piece of a connection may bring a thousand. One whose
 * client has given it up until then is not begun, nor one of a version that is not served.
 */
export function beginInTime(server: Http2SecureServer): void {
  const listeners = server.listeners('request');
  server.removeAllListeners('request');
  server.on('request', (request, response) => {
    if (refuseVersion(request, response)) return;
    inTime(() => {
      if (isGone(request)) return;
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what listens for requests takes them
      for (const listen of listeners) (listen as Listen)(request, response);
    });
  });
}
