import { trimRight } from '../../../machinery/go/strings.ts';
import { Agent, request as httpsRequest } from 'node:https';
import type { IncomingMessage } from 'node:http';

/** From the current context of a kubeconfig. PEM texts. */
export interface TargetAccess {
  readonly url: string;
  readonly ca: string | undefined;
  readonly certificate: string | undefined;
  readonly key: string | undefined;
  readonly token: string | undefined;
  /** Name in the server's certificate if it differs from the url. */
  readonly serverName?: string | undefined;
  /** Skips certificate verification. */
  readonly insecure?: boolean;
  readonly proxy?: Agent;
}

export interface HttpsRequest {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: string | undefined;
}

export interface HttpsAnswer {
  readonly code: number;
  readonly headers: IncomingMessage['headers'];
  /** One per header; Node would join them. */
  readonly warnings: readonly string[];
  readonly text: string;
}

export interface HttpsClient {
  /** Rejects with one line when the server cannot be reached. */
  readonly send: (request: HttpsRequest) => Promise<HttpsAnswer>;
  readonly close: () => void;
}

/** Milliseconds; longer than any request deadline. */
const patience = 90_000;

/** Keeps connections alive. */
export function createHttpsClient(access: TargetAccess): HttpsClient {
  const { url, ca, certificate, key, token, serverName, insecure = false } = access;
  const agent = access.proxy ?? new Agent({ keepAlive: true });
  const tls = {
    ...(ca === undefined ? {} : { ca }),
    ...(certificate === undefined ? {} : { cert: certificate }),
    ...(key === undefined ? {} : { key }),
    ...(serverName === undefined ? {} : { servername: serverName }),
    rejectUnauthorized: !insecure,
  };
  const credentials = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const base = trimRight(url, '/');
  return {
    send: ({ method, path, headers, body }) =>
      new Promise((resolve, reject) => {
        const fail = (error: Error): void => reject(new Error(`${url} cannot be reached: ${error.message}`));
        // Node sends a DELETE body without a length by default.
        const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
        const all = { ...credentials, ...length, ...mutable(headers) };
        const options = { method, agent, ...tls, timeout: patience, headers: all };
        const request = httpsRequest(`${base}${path}`, options, (response) => {
          readAnswer(response).then(resolve, fail);
        });
        request.on('timeout', () => request.destroy(new Error(`no answer within ${patience / 1000} s`)));
        request.on('error', fail);
        request.end(body);
      }),
    close: () => agent.destroy(),
  };
}

const mutable = (headers: HttpsRequest['headers']): Record<string, string | string[]> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, typeof value === 'string' ? value : [...value]]),
  );

const largestAnswer = 64 * 1024 * 1024;

async function readAnswer(response: IncomingMessage): Promise<HttpsAnswer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response) {
    chunks.push(chunk as Buffer);
    size += chunks.at(-1)?.length ?? 0;
    if (size > largestAnswer) throw new Error('an answer of more than 64 MiB');
  }
  const text = Buffer.concat(chunks).toString('utf8');
  const { rawHeaders, headers, statusCode: code = 0 } = response;
  const warnings = rawHeaders.flatMap((name, index) =>
    index % 2 === 0 && name.toLowerCase() === 'warning' ? [rawHeaders[index + 1] ?? ''] : [],
  );
  return { code, headers, warnings, text };
}
