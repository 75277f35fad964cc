import type { Socket } from 'node:net';
import type { WireRequest } from './wire.ts';

// oxlint-disable-next-line no-control-regex -- Go refuses them
const control = /[\u0000-\u0008\u000a-\u001f\u007f]/;

/** The header that cannot be sent, as Go spells it. */
export function refusedHeader({ headers }: WireRequest): string | undefined {
  const refused = Object.keys(headers).find((name) => control.test(headers[name] ?? ''));
  return refused?.replaceAll(/(^|-)[a-z]/g, (start) => start.toUpperCase());
}

/** As one piece, which is encrypted and handed to the system once; tells when the system has taken all of it, or never will. */
export function writeRequest(socket: Socket, { method, path, headers, body }: WireRequest, written: () => void): void {
  const length = body === null ? 0 : Buffer.byteLength(body);
  let head = `${method} ${path} HTTP/1.1\r\n`;
  for (const name of Object.keys(headers)) head += `${name}: ${headers[name]}\r\n`;
  if (body !== null) head += `content-length: ${length}\r\n`;
  const isPlain = length === (body ?? '').length && Buffer.byteLength(head) === head.length;
  socket.ref();
  socket.write(`${head}\r\n${body ?? ''}`, isPlain ? 'latin1' : 'utf8', written);
}
