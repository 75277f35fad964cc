import { X509Certificate } from 'node:crypto';
import { connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';

/** A free port of the loopback address. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}

const pollMs = 50;

/** A server that listens at `localhost` may have either address. */
const hosts = ['127.0.0.1', '::1'];

/** The address that accepts connections; undefined when the signal aborts first. */
export async function waitForListener(port: number, signal: AbortSignal): Promise<string | undefined> {
  while (!signal.aborted) {
    const host = await listeningHost(port);
    if (host !== undefined) return host;
    await sleep(pollMs, undefined, { signal }).catch(() => {});
  }
  return undefined;
}

export async function listeningHost(port: number): Promise<string | undefined> {
  for (const host of hosts) if (await accepts(host, port)) return host;
  return undefined;
}

const accepts = (host: string, port: number): Promise<boolean> =>
  settled(connect({ host, port }), 'connect').then((socket) => socket !== undefined);

/** What a port speaks: TLS with this certificate, TLS with another one, or plain HTTP. */
export type BackendProtocol = 'given certificate' | 'own certificate' | 'plain HTTP';

export async function protocolOf(host: string, port: number, certificate: string): Promise<BackendProtocol> {
  // It may serve another certificate, which is compared and not verified.
  const socket = connectTls({ host, port, servername: 'localhost', rejectUnauthorized: false });
  let shown: Buffer | undefined;
  socket.once('secureConnect', () => (shown = socket.getPeerCertificate().raw));
  await settled(socket, 'secureConnect');
  if (shown === undefined) return 'plain HTTP';
  return shown.equals(new X509Certificate(certificate).raw) ? 'given certificate' : 'own certificate';
}

const connectMs = 3_000;

/** Closes the socket after this event; undefined when the event does not come. */
function settled<Any extends Socket>(socket: Any, event: 'connect' | 'secureConnect'): Promise<Any | undefined> {
  return new Promise((resolve) => {
    const end = (result: Any | undefined): void => {
      socket.destroy();
      resolve(result);
    };
    socket.once(event, () => end(socket));
    socket.once('error', () => end(undefined));
    socket.once('close', () => end(undefined));
    socket.setTimeout(connectMs, () => end(undefined));
  });
}
