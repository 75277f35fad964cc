import type { IncomingMessage } from 'node:http';
import { Agent, request as httpsRequest } from 'node:https';
import type { Trace } from '../../../explain/trace/trace.ts';
import { trimRight } from '../../../machinery/go/strings.ts';
import { writeJson } from '../../../machinery/json/json-writer.ts';
import { isJsonObject, type JsonObject } from '../../../machinery/json/json.ts';
import type { ScenarioWorld, WorldAnswer, WorldRequest, WorldUser } from '../world.ts';

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

interface HttpsRequest {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: string | undefined;
}

interface HttpsAnswer {
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
const defaultTimeoutMs = 90_000;

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
        const options = { method, agent, ...tls, timeout: defaultTimeoutMs, headers: all };
        const request = httpsRequest(`${base}${path}`, options, (response) => {
          readAnswer(response).then(resolve, fail);
        });
        request.on('timeout', () => request.destroy(new Error(`no answer within ${defaultTimeoutMs / 1000} s`)));
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

/** Impersonates other users. `hasTraces`: the server is kadmit and keeps traces. */
export function createTargetSend({ send }: HttpsClient, hasTraces: boolean): ScenarioWorld['send'] {
  return async (sent) => {
    const { method, path, body, as, contentType = 'application/json' } = sent;
    const startedAt = performance.now();
    const answer = await send({
      method,
      path: `${path}${queryText(sent.query)}`,
      headers: {
        'user-agent': 'kadmit',
        accept: 'application/json',
        ...(body === undefined ? {} : { 'content-type': contentType }),
        ...impersonation(as),
      },
      body: body === undefined ? undefined : writeJson(body),
    });
    const milliseconds = performance.now() - startedAt;
    const trace = hasTraces && isTraced(sent) ? await traceOf(answer, send) : undefined;
    return { ...answerOf(answer), milliseconds, trace };
  };
}

function queryText(query: WorldRequest['query'] = {}): string {
  const params = new URLSearchParams();
  for (const [key, values] of Object.entries(query)) for (const value of [values].flat()) params.append(key, value);
  return params.size === 0 ? '' : `?${params.toString()}`;
}

/** As client-go sends them. */
function impersonation(user: WorldUser | undefined): Readonly<Record<string, string | readonly string[]>> {
  if (!user) return {};
  const { username, uid = '', groups = [], extra = {} } = user;
  const extras = Object.entries(extra).map(([key, values]) => [`impersonate-extra-${encodeURIComponent(key)}`, values]);
  return {
    'impersonate-user': username,
    ...(uid === '' ? {} : { 'impersonate-uid': uid }),
    ...(groups.length === 0 ? {} : { 'impersonate-group': groups }),
    ...Object.fromEntries(extras),
  };
}

const answerOf = ({ code, text, warnings }: HttpsAnswer): Pick<WorldAnswer, 'code' | 'body' | 'warnings'> => ({
  code,
  body: parseJsonObject(text),
  warnings: warnings.flatMap(warningTexts),
});

/** Other text is under `text`. */
export function parseJsonObject(text: string): JsonObject {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : { text };
  } catch {
    return { text };
  }
}

/** Writes and CONNECT have traces; a CONNECT to a proxy is a GET. */
const isTraced = ({ method, path }: WorldRequest): boolean => method !== 'GET' || path.endsWith('/proxy');

async function traceOf({ headers }: HttpsAnswer, send: HttpsClient['send']): Promise<Trace | undefined> {
  const id = headers['audit-id'];
  if (typeof id !== 'string') return undefined;
  const path = `/kadmit/v1/traces/${encodeURIComponent(id)}`;
  const { code, text } = await send({ method: 'GET', path, headers: {}, body: undefined });
  const trace: unknown = code === 200 ? parseJsonObject(text) : undefined;
  return isTrace(trace) ? trace : undefined;
}

const isTrace = (value: unknown): value is Trace => isJsonObject(value) && value['traceVersion'] === 1;

/** Texts of a Warning header with one or more `299 - "a text"`. Follows apimachinery pkg/util/net/http.go ParseWarningHeaders. */
export const warningTexts = (header: string): readonly string[] =>
  [...header.matchAll(/\b\d{3} \S+ "((?:[^"\\]|\\.)*)"/g)].map(([, text = '']) => text.replace(/\\(.)/g, '$1'));
