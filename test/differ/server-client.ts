import { Agent, request } from 'node:https';

/** A request that both servers get; `%RV%`, `%UID%` and `%IP%` in its body become those of the live object on each. */
export interface ServerRequest {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface Answer {
  /** 0 without a response. */
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: string;
}

export interface Server {
  readonly ask: (request: ServerRequest) => Promise<Answer>;
  readonly close: () => void;
}

const timeoutMs = 20_000;

/** A client with one token and keep-alive connections. It does not verify the certificate. */
export function connect(url: string, token: string): Server {
  const agent = new Agent({ keepAlive: true, maxSockets: 6, rejectUnauthorized: false });
  const send = ({ method, path, headers, body = '' }: ServerRequest): Promise<Answer> =>
    new Promise((answered) => {
      const length = body === '' ? {} : { 'content-length': String(Buffer.byteLength(body)) };
      const sent = request(
        new URL(url).origin,
        { agent, method, path, headers: { authorization: `Bearer ${token}`, ...headers, ...length } },
        (response) => {
          const parts: Buffer[] = [];
          response.on('data', (part: Buffer) => parts.push(part));
          response.on('close', () => {
            const { statusCode: status = 0, headers: got } = response;
            answered({ status, headers: got, body: Buffer.concat(parts).toString() });
          });
        },
      );
      sent.setTimeout(timeoutMs, () => sent.destroy(new Error('no answer in time')));
      sent.on('error', ({ message }) => answered({ status: 0, headers: {}, body: message }));
      sent.end(body);
    });
  return { ask: send, close: () => agent.destroy() };
}
