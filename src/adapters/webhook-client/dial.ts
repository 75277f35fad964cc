import { bareHost } from '../../machinery/url-address.ts';
import { X509Certificate } from 'node:crypto';
import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls, type DetailedPeerCertificate, type SecureContext, TLSSocket } from 'node:tls';
import { WebhookCallError } from './call-failure.ts';
import {
  brokenText,
  dialFailure,
  type SocketAddresses,
  handshakeCause,
  hostPort,
  lookupFailure,
  systemError,
} from './network-error.ts';
import { tunnel, trackWhilePending } from './proxy.ts';
import { verifyCertificate, type VerificationError, certificateInfo, unknownAuthority } from './verify-certificate.ts';

/** An address, and the name expected in the server's certificate. */
export interface Endpoint {
  readonly host: string;
  readonly port: number;
  /** Tunnels through this proxy. */
  readonly proxy: URL | undefined;
  /** undefined for a connection without TLS. */
  readonly tls: TlsSettings | undefined;
}

interface TlsSettings {
  readonly serverName: string;
  readonly protocols: readonly string[];
  readonly context: SecureContext;
  readonly roots: () => readonly X509Certificate[];
  /** Skip verification. */
  readonly insecure: boolean;
}

/** Opens one connection at a time to an endpoint. */
export interface Dialler {
  /** Resolves with a connection that is ready. Throws WebhookCallError. */
  readonly dial: () => Promise<Socket>;
  /** Whether the server selected HTTP/2. */
  readonly isHttp2: () => boolean;
  readonly ends: () => SocketAddresses | undefined;
  /** Of the last connection; 0 without one. */
  readonly bytesRead: () => number;
  /** Whether sent bytes wait to be written. */
  readonly isWriting: () => boolean;
  /** What the attempt in progress waits for, as the cause of a timeout. */
  readonly lateness: () => 'late-connection' | 'late-handshake' | undefined;
  /** Ends the attempt in progress. */
  readonly abandon: () => void;
}

// The timeouts of client-go's net.Dialer and http.Transport.
const dialTimeoutMs = 30_000;
const handshakeTimeoutMs = 10_000;

/** Throws WebhookCallError with the texts of Go's dialer and TLS client. */
export function createDialler(endpoint: Endpoint): Dialler {
  const pending = new Set<Socket>();
  let dialled: Dialled | undefined;
  return {
    dial: async () => {
      dialled = undefined;
      dialled = await open(endpoint, pending);
      return dialled.socket;
    },
    isHttp2: () => dialled?.socket instanceof TLSSocket && dialled.socket.alpnProtocol === 'h2',
    ends: () => dialled?.ends,
    bytesRead: () => dialled?.socket.bytesRead ?? 0,
    isWriting: () => (dialled?.socket.writableLength ?? 0) > 0,
    lateness: () => {
      if (pending.size === 0) return undefined;
      return [...pending].some((socket) => socket instanceof TLSSocket) ? 'late-handshake' : 'late-connection';
    },
    abandon: () => {
      for (const socket of pending) socket.destroy();
    },
  };
}

/** The addresses are for error texts: Node forgets them when the socket closes. */
interface Dialled {
  readonly socket: Socket;
  readonly ends: SocketAddresses;
}

/** Opens a connection; `pending` contains its socket until it is ready. Throws WebhookCallError. */
export async function open(endpoint: Endpoint, pending: Set<Socket>): Promise<Dialled> {
  const { proxy } = endpoint;
  const tcp = await (proxy ? openTunnel(endpoint, proxy, pending) : openTcp(endpoint, pending));
  const ends: SocketAddresses = {
    local: hostPort(tcp.localAddress ?? '', tcp.localPort ?? 0),
    remote: hostPort(tcp.remoteAddress ?? endpoint.host, tcp.remotePort ?? endpoint.port),
  };
  const socket = endpoint.tls ? await openTls({ tcp, tls: endpoint.tls, ends, pending }) : tcp;
  return { socket, ends };
}

async function openTunnel(endpoint: Endpoint, proxy: URL, pending: Set<Socket>): Promise<Socket> {
  const address = { host: bareHost(proxy.hostname), port: Number(proxy.port) || 80 };
  const socket = await openTcp(address, pending).catch((error: unknown) => {
    const cause = error instanceof WebhookCallError ? error.message : String(error);
    throw new WebhookCallError('connect', `proxyconnect tcp: ${cause}`, { cause: { because: 'proxy' } });
  });
  return trackWhilePending(socket, pending, () => tunnel(socket, proxy, endpoint));
}

type Address = Pick<Endpoint, 'host' | 'port'>;

function openTcp({ host, port }: Address, pending: Set<Socket>): Promise<Socket> {
  // RFC 6761: no resolver has these; an unreachable one would give another error.
  if (/(^|\.)invalid\.?$/i.test(host)) return Promise.reject(lookupFailure(host, 'ENOTFOUND'));
  const address = hostPort(host, port);
  const unreachable = (text: string): WebhookCallError =>
    new WebhookCallError('connect', text, { cause: { because: 'unreachable', address } });
  if (port > 65_535) return Promise.reject(unreachable(`dial tcp: address ${port}: invalid port`));
  const socket = connectTcp({ host, port, autoSelectFamily: true, noDelay: true, keepAlive: true });
  return settled({
    socket,
    pending,
    event: 'connect',
    timeoutMs: dialTimeoutMs,
    timeout: () => unreachable(`dial tcp ${address}: i/o timeout`),
    failure: (error) => dialFailure(error, host, port),
  });
}

interface Handshake {
  readonly tcp: Socket;
  readonly tls: TlsSettings;
  readonly ends: SocketAddresses;
  readonly pending: Set<Socket>;
}

async function openTls({ tcp, tls, ends, pending }: Handshake): Promise<Socket> {
  const socket = connectTls({
    socket: tcp,
    secureContext: tls.context,
    ALPNProtocols: [...tls.protocols],
    minVersion: 'TLSv1.2',
    // Verified below, in Go's order and words.
    rejectUnauthorized: false,
    checkServerIdentity: () => undefined,
    ...(isIP(tls.serverName) === 0 ? { servername: tls.serverName } : {}),
  });
  await settled({
    socket,
    pending,
    event: 'secureConnect',
    timeoutMs: handshakeTimeoutMs,
    timeout: () => handshakeEnded('net/http: TLS handshake timeout'),
    failure: (error) => handshakeFailure(error, ends),
  });
  if (tls.insecure) return socket;
  const [leaf, ...intermediates] = chainOf(socket.getPeerCertificate(true));
  const verification = leaf ? verifyPeer(leaf, intermediates, socket, tls) : unknownAuthority();
  if (verification === undefined) return socket;
  socket.destroy();
  const certificate = leaf && certificateInfo(leaf, tls.serverName);
  const { because, text } = verification;
  throw new WebhookCallError('tls', `tls: failed to verify certificate: ${text}`, { cause: { because }, certificate });
}

function handshakeFailure(error: unknown, ends: SocketAddresses): WebhookCallError {
  const system = systemError(error);
  // Node's own error, without a system call: the server closed the connection.
  if (system.code === 'ECONNRESET' && system.syscall === '') return handshakeEnded('EOF');
  const cause = handshakeCause(system);
  return new WebhookCallError('tls', brokenText(system, ends), cause && { cause });
}

const handshakeEnded = (text: string): WebhookCallError =>
  new WebhookCallError('tls', text, { cause: { because: 'handshake-ended' } });

function verifyPeer(
  leaf: X509Certificate,
  intermediates: readonly X509Certificate[],
  { authorized: trusted }: TLSSocket,
  { serverName, roots }: TlsSettings,
): VerificationError | undefined {
  return verifyCertificate({ leaf, intermediates, serverName, now: Date.now(), trusted, roots });
}

/** Node links each certificate to its issuer, the root to itself. */
function chainOf(first: DetailedPeerCertificate): readonly X509Certificate[] {
  const chain: X509Certificate[] = [];
  const seen = new Set<DetailedPeerCertificate>();
  let next: DetailedPeerCertificate | undefined = first;
  while (next?.raw && !seen.has(next)) {
    seen.add(next);
    chain.push(new X509Certificate(next.raw));
    next = next.issuerCertificate;
  }
  return chain;
}

interface Wait<S extends Socket> {
  readonly socket: S;
  readonly pending: Set<Socket>;
  readonly event: 'connect' | 'secureConnect';
  readonly timeoutMs: number;
  readonly timeout: () => WebhookCallError;
  readonly failure: (error: unknown) => WebhookCallError;
}

/** Resolves on `event`; any other outcome destroys the socket. */
function settled<S extends Socket>({ socket, pending, event, timeoutMs, timeout, failure }: Wait<S>): Promise<S> {
  return new Promise((resolve, reject) => {
    const done = (): void => {
      clearTimeout(timer);
      pending.delete(socket);
      socket.off(event, onReady).off('error', onError).off('close', onClose);
    };
    const fail = (reason: WebhookCallError): void => {
      done();
      socket.on('error', () => undefined);
      socket.destroy();
      reject(reason);
    };
    const onReady = (): void => {
      done();
      resolve(socket);
    };
    const onError = (error: unknown): void => fail(failure(error));
    const onClose = (): void => fail(new WebhookCallError('connect', 'EOF'));
    const timer = setTimeout(() => fail(timeout()), timeoutMs);
    pending.add(socket);
    socket.once(event, onReady).once('error', onError).once('close', onClose);
  });
}
