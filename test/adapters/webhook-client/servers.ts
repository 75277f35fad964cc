import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { createSecureServer } from 'node:http2';
import { createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import {
  type CertificateOrder,
  issueCertificate,
  type KeyedCertificate,
} from '../../../src/adapters/certificates/issue-certificate.ts';

const day = 24 * 60 * 60 * 1000;

export const validFor = (from: number, to: number): Pick<CertificateOrder, 'notBefore' | 'notAfter'> => ({
  notBefore: new Date(Date.now() + from * day),
  notAfter: new Date(Date.now() + to * day),
});

export const issueAuthority = (commonName: string, dates = validFor(-1, 10)): Promise<KeyedCertificate> =>
  issueCertificate({ commonName, purpose: 'authority', ...dates });

export const issueServing = (
  issuer: KeyedCertificate,
  names: readonly string[],
  order: Partial<CertificateOrder> = {},
): Promise<KeyedCertificate> =>
  issueCertificate({ commonName: 'hook', purpose: 'server', names, issuer, ...validFor(-1, 10), ...order });

export const base64 = (text: string): string => Buffer.from(text).toString('base64');

/** What one server saw, as the recorded conversations note it. */
export interface Seen {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly version: string;
}

export interface RunningServer {
  readonly port: number;
  readonly seen: Seen[];
  /** Connections accepted so far, and those still open. */
  readonly accepted: () => number;
  readonly open: () => number;
}

const noted = ['content-type', 'accept', 'accept-encoding', 'user-agent', 'host', 'referer', 'content-length'];

/** Servers on free ports that all end together. */
export function serverPark(): {
  readonly https: (pair: KeyedCertificate, answer: RequestListener) => Promise<RunningServer>;
  readonly http2: (pair: KeyedCertificate, answer: RequestListener) => Promise<RunningServer>;
  readonly http: (answer: RequestListener) => Promise<RunningServer>;
  readonly tls: (pair: KeyedCertificate, greet: (socket: Socket) => void) => Promise<RunningServer>;
  readonly tcp: (greet: (socket: Socket) => void) => Promise<RunningServer>;
  readonly close: () => Promise<void>;
} {
  const closers: (() => Promise<void>)[] = [];

  async function start(server: Server, seen: Seen[]): Promise<RunningServer> {
    const sockets = new Set<Socket>();
    let accepted = 0;
    server.on('connection', (socket: Socket) => {
      accepted += 1;
      sockets.add(socket);
      socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    });
    server.on('tlsClientError', () => undefined);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    closers.push(
      () =>
        new Promise((resolve) => {
          server.close(() => resolve());
          for (const socket of sockets) socket.destroy();
        }),
    );
    const address = server.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    return { port, seen, accepted: () => accepted, open: () => sockets.size };
  }

  const recording =
    (seen: Seen[], answer: RequestListener): RequestListener =>
    (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const headers = Object.fromEntries(
          noted.flatMap((name) => (request.headers[name] === undefined ? [] : [[name, String(request.headers[name])]])),
        );
        const body = Buffer.concat(chunks).toString();
        seen.push({
          method: request.method ?? '',
          url: request.url ?? '',
          headers,
          body,
          version: request.httpVersion,
        });
        answer(request, response);
      });
    };

  return {
    https: ({ certificate, key }, answer) => {
      const seen: Seen[] = [];
      return start(createHttpsServer({ cert: certificate, key }, recording(seen, answer)), seen);
    },
    http2: ({ certificate, key }, answer) => {
      const seen: Seen[] = [];
      // The compatibility API has the same shape for what is used here.
      const listener = recording(seen, answer) as unknown as Parameters<typeof createSecureServer>[1];
      return start(createSecureServer({ cert: certificate, key, allowHTTP1: true }, listener), seen);
    },
    http: (answer) => {
      const seen: Seen[] = [];
      return start(createHttpServer(recording(seen, answer)), seen);
    },
    tls: ({ certificate, key }, greet) => start(createTlsServer({ cert: certificate, key }, greet), []),
    tcp: (greet) => start(createTcpServer(greet), []),
    close: async () => {
      await Promise.all(closers.splice(0).map((close) => close()));
    },
  };
}
