import { type ClientHttp2Session, type ClientHttp2Stream, connect as connectHttp2, constants } from 'node:http2';
import https from 'node:https';
import { connect as connectSocket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import type { Random } from '../../src/machinery/clock.ts';

export interface Write {
  readonly method: 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly body: string;
}

/** The code of a complete response; 0 when the connection was cut before. */
export type Send = (write: Write) => Promise<number>;

export interface CutServer {
  readonly port: number;
  readonly ca: string;
  readonly token: string;
}

/** Clients that disconnect at random moments: before the body, inside it, or during the response. */
export interface CutClient {
  readonly send: Send;
  readonly close: () => void;
}

const headersOf = ({ token }: CutServer, { method, body }: Write): Readonly<Record<string, string>> => ({
  authorization: `Bearer ${token}`,
  'content-type': method === 'PATCH' ? 'application/merge-patch+json' : 'application/json',
  'content-length': String(Buffer.byteLength(body)),
});

/** When to cut: at a fraction of the body, or milliseconds after it; never for a third of the requests. */
interface Plan {
  readonly bodySent: number;
  readonly milliseconds: number;
}

function planOf(random: Random): Plan {
  const chance = random();
  if (chance < 0.33) return { bodySent: 1, milliseconds: Infinity };
  if (chance < 0.55) return { bodySent: random(), milliseconds: random() * 3 };
  return { bodySent: 1, milliseconds: random() * 12 };
}

/** One connection per request, over HTTP/1.1. */
export const cutHttp1Client = (server: CutServer, random: Random): CutClient => ({
  send: (write) =>
    new Promise((resolve) => {
      const { bodySent, milliseconds } = planOf(random);
      const options = { host: '127.0.0.1', port: server.port, ca: server.ca, agent: false };
      const { method, path } = write;
      const request = https.request({ ...options, method, path, headers: headersOf(server, write) }, (response) => {
        response.resume();
        response.once('error', () => resolve(0));
        response.once('end', () => resolve(response.statusCode ?? 0));
      });
      request.once('error', () => resolve(0));
      request.once('close', () => resolve(0));
      const part = Buffer.from(write.body).subarray(0, Math.ceil(bodySent * write.body.length));
      if (bodySent === 1) request.end(part);
      else request.write(part);
      if (milliseconds < Infinity) void sleep(milliseconds).then(() => request.destroy());
    }),
  close: () => {},
});

/** One session at a time over HTTP/2; a cut resets the stream or destroys the session with all its streams. */
export function cutHttp2Client(server: CutServer, random: Random): CutClient {
  let session: ClientHttp2Session | undefined;
  const openSession = (): ClientHttp2Session => {
    if (session !== undefined && !session.destroyed && !session.closed) return session;
    session = connectHttp2(`https://127.0.0.1:${server.port}`, { ca: server.ca });
    session.on('error', () => {});
    return session;
  };
  return {
    send: (write) =>
      new Promise((resolve) => {
        const { bodySent, milliseconds } = planOf(random);
        const stream = openSession().request({
          ':method': write.method,
          ':path': write.path,
          ...headersOf(server, write),
        });
        let code = 0;
        stream.on('error', () => resolve(0));
        stream.once('response', (headers) => (code = headers[':status'] ?? 0));
        stream.once('end', () => resolve(stream.rstCode === constants.NGHTTP2_NO_ERROR ? code : 0));
        stream.once('close', () => resolve(0));
        stream.resume();
        const part = Buffer.from(write.body).subarray(0, Math.ceil(bodySent * write.body.length));
        if (bodySent === 1) stream.end(part);
        else stream.write(part);
        const destroysSession = random() < 0.3;
        if (milliseconds < Infinity) void sleep(milliseconds).then(() => cut(stream, destroysSession));
      }),
    close: () => session?.destroy(),
  };
}

function cut(stream: ClientHttp2Stream, destroysSession: boolean): void {
  if (destroysSession) stream.session?.destroy();
  else stream.close(constants.NGHTTP2_CANCEL);
}

/** Disconnects during the TLS handshake. */
export function cutHandshake({ port, ca }: CutServer, random: Random): Promise<void> {
  return new Promise((resolve) => {
    const socket = connectSocket({ host: '127.0.0.1', port });
    const secure = connectTls({ socket, ca });
    secure.on('error', () => {});
    socket.on('error', () => {});
    socket.once('close', () => resolve());
    const bytes = Math.floor(random() * 400);
    // Some send half of a ClientHello, some disconnect at any moment.
    if (random() < 0.3) socket.once('connect', () => socket.write(Buffer.alloc(bytes, 0x16)));
    void sleep(random() * 6).then(() => socket.destroy());
  });
}

/** Watches a path and disconnects after some milliseconds. */
export function cutWatch(server: CutServer, path: string, random: Random): Promise<void> {
  return new Promise((resolve) => {
    const headers = { authorization: `Bearer ${server.token}` };
    const options = { host: '127.0.0.1', port: server.port, ca: server.ca, agent: false, headers };
    const request = https.get({ ...options, path }, (response) => {
      response.on('error', () => {});
      response.resume();
    });
    request.on('error', () => {});
    request.once('close', () => resolve());
    void sleep(random() * 60).then(() => request.destroy());
  });
}
