import type { Socket } from 'node:net';
import { writeJson } from '../../machinery/json/json-writer.ts';
import { failure } from '../../machinery/meta/status.ts';
import type { Status } from '../../machinery/meta/status.ts';

/** Answers what Node could not read as HTTP/1.1 with a Status, and hangs up. Failed TLS handshakes are just cut. */
export function refuseBrokenHttp(error: Error & { readonly code?: string }, socket: Socket): void {
  if (!error.code?.startsWith('HPE_') && error.code !== 'ERR_HTTP_REQUEST_TIMEOUT') {
    socket.destroy();
    return;
  }
  const status = statusOf(error.code);
  const body = `${writeJson(status)}\n`;
  const head = [
    `HTTP/1.1 ${status.code} ${String(status.reason)}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ];
  if (socket.writable) socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}

export const headersTooLarge: Status = failure({
  code: 431,
  reason: 'RequestHeaderFieldsTooLarge',
  message: 'Request Header Fields Too Large',
});

function statusOf(code: string): Status {
  if (code === 'HPE_HEADER_OVERFLOW') return headersTooLarge;
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return failure({ code: 408, reason: 'Timeout', message: 'the request did not arrive in time' });
  }
  return failure({ code: 400, reason: 'BadRequest', message: 'malformed HTTP request' });
}
