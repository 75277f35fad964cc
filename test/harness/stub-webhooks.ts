import http from 'node:http';
import type { IncomingHttpHeaders, IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import https from 'node:https';
import net from 'node:net';
import type { AddressInfo } from 'node:net';
import { TLSSocket } from 'node:tls';
import { issueCertificate } from '../../src/adapters/certificates/issue-certificate.ts';
import type { StubAnswer } from './conversation.ts';
import { type StubInput, choose, type Review, stubResponse } from './stub-response.ts';

/** What a stub webhook received. */
export interface StubCall {
  readonly path: string;
  readonly query: string;
  readonly method: string | undefined;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly clientCertificate?: unknown;
  readonly body: unknown;
}

/** The five webhook servers that the recorded conversations talk to, on free ports. */
export interface StubWebhooks {
  /** The recorded port of each, and the one it listens on now. */
  readonly ports: ReadonlyMap<number, number>;
  /** The CA of the good ones, as a caBundle. */
  readonly caBundle: string;
  /** Sets the response of each path and clears the received calls. */
  readonly answerWith: (answers: Readonly<Record<string, StubAnswer>>) => void;
  /** What was received since the last call. */
  readonly takeCalls: () => readonly StubCall[];
  /** All headers of each request since the last call. */
  readonly takeHeaders: () => readonly IncomingHttpHeaders[];
  readonly close: () => Promise<void>;
}

const hour = 3_600_000;

/** 18443 good TLS, 18444 an untrusted CA, 18445 plain HTTP, 18446 accepts and never responds, 18447 a certificate for another name. */
export async function startStubWebhooks(): Promise<StubWebhooks> {
  let answers: Readonly<Record<string, StubAnswer>> = {};
  let calls: StubCall[] = [];
  let counts = new Map<string, number>();
  let allHeaders: IncomingHttpHeaders[] = [];
  const times = { notBefore: new Date(Date.now() - hour), notAfter: new Date(Date.now() + 24 * hour) };
  const authority = await issueCertificate({ commonName: 'good-ca', purpose: 'authority', ...times });
  const stranger = await issueCertificate({ commonName: 'other-ca', purpose: 'authority', ...times });
  const server = async (names: readonly string[], issuer: typeof authority): Promise<https.ServerOptions> => {
    const { certificate, key } = await issueCertificate({
      commonName: 'stub',
      purpose: 'server',
      names,
      issuer,
      ...times,
    });
    return { cert: certificate, key, requestCert: true, rejectUnauthorized: false };
  };
  const local = ['127.0.0.1', 'localhost'];

  const listen: RequestListener = (request, response) => {
    void readAll(request).then((text) => {
      const url = new URL(request.url ?? '/', 'https://stub');
      const review = parse(text);
      const { method, headers } = request;
      allHeaders.push(headers);
      calls.push({
        path: url.pathname,
        query: url.search,
        method,
        headers: shownHeaders(headers),
        ...shownCertificate(request),
        body: review ?? text,
      });
      const round = (counts.get(url.pathname) ?? 0) + 1;
      counts.set(url.pathname, round);
      reply(response, answers[url.pathname] ?? {}, { review, round });
    });
  };
  const servers: readonly (readonly [number, net.Server | http.Server | https.Server])[] = [
    [18443, https.createServer(await server([...local, 'hook.hooks.svc'], authority), listen)],
    [18444, https.createServer(await server(local, stranger), listen)],
    [18445, http.createServer(listen)],
    [18446, net.createServer((socket) => socket.on('error', () => {}))],
    [18447, https.createServer(await server(['elsewhere.example.com'], authority), listen)],
  ];
  const sockets = new Set<net.Socket>();
  const ports = new Map<number, number>();
  for (const [recorded, one] of servers) {
    one.on('tlsClientError', () => {});
    one.on('connection', (socket: net.Socket) => {
      sockets.add(socket);
      socket.on('close', () => sockets.delete(socket));
    });
    await new Promise<void>((resolve) => {
      one.listen(0, '127.0.0.1', resolve);
    });
    ports.set(recorded, portOf(one.address()));
  }

  return {
    ports,
    caBundle: Buffer.from(authority.certificate).toString('base64'),
    answerWith: (next) => {
      answers = next;
      calls = [];
      counts = new Map();
    },
    takeCalls: () => {
      const received = calls;
      calls = [];
      return received;
    },
    takeHeaders: () => {
      const received = allHeaders;
      allHeaders = [];
      return received;
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await Promise.all(servers.map(([, one]) => new Promise((resolve) => one.close(resolve))));
    },
  };
}

const portOf = (address: AddressInfo | string | null): number =>
  typeof address === 'object' && address !== null ? address.port : 0;

async function readAll(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString('utf8');
}

function parse(text: string): Review | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const recorded = ['content-type', 'accept', 'accept-encoding', 'user-agent', 'host', 'authorization'];

/** The subject of the client certificate, if there is one. */
function shownCertificate({ socket }: IncomingMessage): Pick<StubCall, 'clientCertificate'> {
  if (!(socket instanceof TLSSocket)) return {};
  const { subject } = socket.getPeerCertificate();
  return subject === undefined ? {} : { clientCertificate: { ...subject } };
}

const shownHeaders = (headers: IncomingMessage['headers']): Record<string, unknown> =>
  Object.fromEntries(recorded.filter((name) => headers[name] !== undefined).map((name) => [name, headers[name]]));

function reply(response: ServerResponse, answer: StubAnswer, input: StubInput): void {
  const { delayMs, ...chosen } = choose(answer, input);
  if (delayMs !== undefined) {
    setTimeout(() => reply(response, chosen, input), delayMs).unref();
  } else if (chosen.reset) {
    response.socket?.destroy();
  } else if (!chosen.hang) {
    const { status, headers, body } = stubResponse(chosen, input);
    response.writeHead(status, headers);
    response.end(body);
  }
}
