import { once } from 'node:events';
import { connect, createSecureServer } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { TLSSocket } from 'node:tls';
import { afterAll, expect, test } from 'vitest';
import { createTestCa } from './certificates.ts';
import { endIdleSessions } from '../../../src/adapters/http/idle-sessions.ts';

const ca = await createTestCa();
const server = createSecureServer({ ...(await ca.issue('CN=localhost')) });
endIdleSessions(server, 50);
server.on('stream', (stream, headers) => {
  stream.respond({ ':status': 200 });
  if (headers[':path'] === '/watch') stream.write('first');
  else stream.end();
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');
const address = server.address();
const port = isAddress(address) ? address.port : 0;
afterAll(() => server.close());

function isAddress(value: AddressInfo | string | null): value is AddressInfo {
  return typeof value === 'object' && value !== null;
}

const preface = 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n';
const settings = '\0\0\0\x04\0\0\0\0\0';

const broken: readonly (readonly [what: string, bytes: string])[] = [
  ['nothing but greetings', preface + settings],
  ['half a greeting', preface.slice(0, 10)],
  // RFC 9113, 6.3: a length of 4 is a FRAME_SIZE_ERROR.
  ['a PRIORITY frame of four bytes', `${preface}${settings}\0\0\x04\x02\0\0\0\0\x01abcd`],
  ['half a frame', `${preface}${settings}\0\x31\x04\0\0\0\0\0\x01`],
];

test.each(broken)('after %s a client that goes leaves no connection behind', async (_what, bytes) => {
  const arrived = once(server, 'secureConnection');
  const client = connectTls({ host: '127.0.0.1', port, rejectUnauthorized: false, ALPNProtocols: ['h2'] });
  client.on('error', () => undefined);
  const [socket] = await (arrived as Promise<[TLSSocket]>);
  client.write(Buffer.from(bytes, 'latin1'), () => client.destroy());
  if (!socket.closed) await once(socket, 'close');
  expect(socket.destroyed).toBe(true);
});

test('a watch may be silent for as long as it likes', async () => {
  const session = connect(`https://127.0.0.1:${port}`, { rejectUnauthorized: false });
  const watch = session.request({ ':path': '/watch' });
  await once(watch, 'data');
  // Three times as long as a connection without requests may live.
  await new Promise((resolve) => {
    setTimeout(resolve, 150);
  });
  expect(session.destroyed).toBe(false);
  watch.close();
  await once(session, 'close');
  expect(session.destroyed).toBe(true);
});
