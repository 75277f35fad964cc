import { X509Certificate } from 'node:crypto';
import { connect, createServer } from 'node:net';
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

/** A server that listens on `localhost` may have either address. */
const hosts = ['127.0.0.1', '::1'];

/** Whether connections to this port of the loopback address are accepted. */
export async function isPortTaken(port: number): Promise<boolean> {
  for (const host of hosts) if (await accepts(host, port)) return true;
  return false;
}

function accepts(host: string, port: number): Promise<boolean> {
  const socket = connect({ host, port });
  return new Promise((resolve) => {
    socket.once('connect', () => resolve(true));
    socket.once('error', () => resolve(false));
  }).then((accepted) => {
    socket.destroy();
    return accepted === true;
  });
}

export interface Backend {
  readonly host: string;
  readonly port: number;
  /** What the port speaks: TLS with the given certificate, TLS with another one, or plain HTTP. */
  readonly protocol: 'given certificate' | 'own certificate' | 'plain HTTP';
}

const pollMs = 50;

/** The backend that listens on this port of the loopback address; undefined when the signal aborts first. */
export async function waitForBackend(
  port: number,
  certificate: string,
  signal: AbortSignal,
): Promise<Backend | undefined> {
  while (!signal.aborted) {
    for (const host of hosts) {
      const protocol = await protocolOf(host, port, certificate);
      if (protocol !== undefined) return { host, port, protocol };
    }
    await sleep(pollMs, undefined, { signal }).catch(() => {});
  }
  return undefined;
}

const handshakeMs = 3_000;

/** undefined when nothing listens. */
function protocolOf(host: string, port: number, certificate: string): Promise<Backend['protocol'] | undefined> {
  // It may serve another certificate, which is compared and not verified.
  const socket = connectTls({ host, port, servername: 'localhost', rejectUnauthorized: false });
  let protocol: Backend['protocol'] | undefined;
  return new Promise((resolve) => {
    socket.once('connect', () => (protocol = 'plain HTTP'));
    socket.once('secureConnect', () => {
      const shown = socket.getPeerCertificate().raw;
      protocol = shown.equals(new X509Certificate(certificate).raw) ? 'given certificate' : 'own certificate';
      // Servers log a connection that ends in the middle of a handshake.
      socket.end();
    });
    socket.on('error', () => {});
    socket.once('close', () => resolve(protocol));
    socket.setTimeout(handshakeMs, () => socket.destroy());
  });
}
