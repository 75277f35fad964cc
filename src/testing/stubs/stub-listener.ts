import { createServer as createHttpsServer } from 'node:https';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { createSecureContext, type SecureContextOptions } from 'node:tls';
import { type KeyedCertificate, protocolsOf, type StubCertificates, type TlsFlaw } from './stub-certificates.ts';

export interface StubListener {
  readonly port: number;
  /** Takes over a connection accepted by another server. */
  readonly adopt: (socket: Socket) => void;
  readonly close: () => Promise<void>;
}

export interface StubListenerOptions {
  readonly host: string;
  readonly flaw: TlsFlaw;
  /** Certificate name for clients without SNI. */
  readonly serverName: string;
  readonly certificates: StubCertificates;
  readonly answer: RequestListener;
}

/** HTTPS with a certificate for the client's SNI name. */
export async function openListener(options: StubListenerOptions): Promise<StubListener> {
  const { host, flaw, serverName, certificates, answer } = options;
  const secure = ({ certificate, key }: KeyedCertificate): SecureContextOptions => ({
    cert: certificate,
    key,
    ...protocolsOf(flaw),
  });
  const server = createHttpsServer(
    {
      ...secure(await certificates.certificateFor(flaw, serverName)),
      SNICallback: (name, done) => {
        certificates.certificateFor(flaw, name).then(
          (pair) => done(null, createSecureContext(secure(pair))),
          (error: unknown) => done(error instanceof Error ? error : new Error(String(error))),
        );
      },
    },
    answer,
  );
  return { ...(await listen(server, host)), adopt: (socket) => void server.emit('connection', socket) };
}

export async function openFront(host: string, accept: (socket: Socket) => void): Promise<Omit<StubListener, 'adopt'>> {
  return listen(createTcpServer(accept), host);
}

async function listen(server: Server, host: string): Promise<Omit<StubListener, 'adopt'>> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    rememberSocket(socket);
    socket.on('error', () => undefined).on('close', () => void sockets.delete(socket));
  });
  // A client that rejects the certificate hangs up, as intended.
  server.on('tlsClientError', () => undefined).on('clientError', (_error, socket: Socket) => void socket.destroy());
  await new Promise<void>((resolve, reject) => {
    // Also after listening: an accept error must not end the process.
    server.on('error', reject).listen(0, host, resolve);
  });
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      for (const socket of sockets) socket.destroy();
    });
  return { port: (server.address() as AddressInfo).port, close };
}

/** A port without a listener. */
export async function closedPort(host: string): Promise<number> {
  const { port, close } = await listen(createTcpServer(), host);
  await close();
  return port;
}

/** TCP sockets by both ends: TLS does not expose its socket. */
const socketsByPort = new Map<string, Socket>();

function rememberSocket(socket: Socket): void {
  const key = connectionKey(socket);
  socketsByPort.set(key, socket);
  socket.on('close', () => void socketsByPort.delete(key));
}

const connectionKey = ({ localPort = 0, remoteAddress = '', remotePort = 0 }: Socket): string =>
  `${localPort} ${remoteAddress} ${remotePort}`;

/** Sends a TCP reset. */
export const resetConnection = ({ socket }: IncomingMessage): void =>
  void (socketsByPort.get(connectionKey(socket))?.resetAndDestroy() ?? socket.destroy());

/** Aborts when the client disconnects before the response. */
export function untilClosed(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  response.on('close', () => controller.abort());
  return controller.signal;
}
