import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import https, { type Agent } from 'node:https';
import { trimRight } from '../../../machinery/go/strings.ts';
import { ConfigError } from '../config-error.ts';
import { errorText } from '../../../machinery/errors.ts';
import { type JsonObject, asObject, isJsonObject, append, asList, asString } from '../../../machinery/json/json.ts';
import { plainValue, readJson } from '../../../machinery/json/json-reader.ts';

/** A server and the credentials for it; PEM texts. */
export interface ServerConnection {
  readonly url: string;
  readonly ca: string | undefined;
  readonly certificate: string | undefined;
  readonly key: string | undefined;
  readonly token: string | undefined;
  /** The expected name in the server's certificate, unless it is the URL's host. */
  readonly serverName?: string | undefined;
  /** Skip TLS verification. */
  readonly insecure?: boolean;
  readonly proxy?: Agent;
}

/** The current context of a kubeconfig. */
export interface ServerAccess extends ServerConnection {
  readonly kubeconfig: string;
  /** The context's namespace, or `default`. */
  readonly namespace: string;
}

interface HttpsRequest {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: string | undefined;
}

export interface HttpsAnswer {
  readonly code: number;
  readonly headers: IncomingHttpHeaders;
  /** One per header; Node would join them. */
  readonly warnings: readonly string[];
  readonly text: string;
}

interface SendOptions {
  readonly agent: Agent;
  /** Milliseconds without any byte. */
  readonly idleTimeoutMs?: number;
  readonly signal?: AbortSignal;
  readonly maxBytes: number;
}

/** Rejects with the error of the connection. */
async function sendRequest(
  { url, ca, certificate, key, token, serverName, insecure = false }: ServerConnection,
  { method, path, headers, body }: HttpsRequest,
  { agent, idleTimeoutMs, signal, maxBytes }: SendOptions,
): Promise<HttpsAnswer> {
  const options = {
    method,
    agent,
    headers: {
      ...mutable(headers),
      // Node announces no body for DELETE.
      ...(body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    ...(ca === undefined ? {} : { ca }),
    ...(certificate === undefined ? {} : { cert: certificate }),
    ...(key === undefined ? {} : { key }),
    ...(serverName === undefined ? {} : { servername: serverName }),
    ...(insecure ? { rejectUnauthorized: false } : {}),
    ...(idleTimeoutMs === undefined ? {} : { timeout: idleTimeoutMs }),
    ...(signal === undefined ? {} : { signal }),
  };
  return new Promise((resolve, reject) => {
    const request = https.request(`${trimRight(url, '/')}${path}`, options, (response) => {
      readAnswer(response, maxBytes).then(resolve, reject);
    });
    request.on('timeout', () => request.destroy(new Error(`no answer within ${(idleTimeoutMs ?? 0) / 1000} s`)));
    request.on('error', reject);
    request.end(body);
  });
}

const mutable = (headers: HttpsRequest['headers']): Record<string, string | string[]> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, typeof value === 'string' ? value : [...value]]),
  );

class ResponseTooLarge extends Error {}

/** `cannot be reached: ECONNREFUSED …`, `responded with more than 128 MiB` */
const failureText = (error: unknown): string =>
  error instanceof ResponseTooLarge ? error.message : `cannot be reached: ${errorText(error)}`;

async function readAnswer(response: IncomingMessage, maxBytes: number): Promise<HttpsAnswer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response) {
    chunks.push(chunk as Buffer);
    size += chunks.at(-1)?.length ?? 0;
    if (size > maxBytes) throw new ResponseTooLarge(`responded with more than ${maxBytes / 1024 ** 2} MiB`);
  }
  const text = Buffer.concat(chunks).toString('utf8');
  const { rawHeaders, headers, statusCode: code = 0 } = response;
  const warnings = rawHeaders.flatMap((name, index) =>
    index % 2 === 0 && name.toLowerCase() === 'warning' ? [rawHeaders[index + 1] ?? ''] : [],
  );
  return { code, headers, warnings, text };
}

export interface HttpsClient {
  /** Rejects with one line when the server cannot be reached. */
  readonly send: (request: HttpsRequest) => Promise<HttpsAnswer>;
  readonly close: () => void;
}

/** Milliseconds; longer than any request deadline. */
const clientTimeoutMs = 90_000;
/** More than 50 objects of the largest size that is stored. */
const maxAnswerBytes = 128 * 1024 * 1024;

/** A client with connections of its own, which stay open until `close`. */
export function createHttpsClient(connection: ServerConnection): HttpsClient {
  const agent = connection.proxy ?? new https.Agent({ keepAlive: true });
  const options = { agent, idleTimeoutMs: clientTimeoutMs, maxBytes: maxAnswerBytes };
  return {
    send: (request) =>
      sendRequest(connection, request, options).catch((error: unknown) => {
        throw new Error(`${connection.url} ${failureText(error)}`);
      }),
    close: () => agent.destroy(),
  };
}

export interface ServerRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Includes the query. */
  readonly path: string;
  readonly body?: string;
  readonly contentType?: string;
  /** Default: `application/json`. */
  readonly accept?: string;
  /** Milliseconds. */
  readonly timeout?: number;
  readonly impersonate?: { readonly user: string; readonly groups: readonly string[] };
}

export interface ServerAnswer {
  readonly code: number;
  readonly auditId: string;
  readonly text: string;
}

/** One agent per kubeconfig reuses connections; idle ones do not keep the process alive. */
const agents = new WeakMap<ServerAccess, https.Agent>();

function agentFor(access: ServerAccess): https.Agent {
  const agent = agents.get(access) ?? access.proxy ?? new https.Agent({ keepAlive: true, maxSockets: 4 });
  agents.set(access, agent);
  return agent;
}

/** Characters; servers close the connection while they still receive a longer one. */
const maxPathLength = 12_000;

const maxUserLength = 8_000;

/** Sends one request to the server of a kubeconfig. Rejects with ConfigError when it is unreachable, or path or user are too long. */
export async function callServer(
  access: ServerAccess,
  { method, path, body, contentType, accept = 'application/json', timeout, impersonate }: ServerRequest,
): Promise<ServerAnswer> {
  const user = impersonation(impersonate);
  checkLengths(path, user);
  const headers = {
    'user-agent': 'kadmit',
    accept,
    ...(contentType === undefined ? {} : { 'content-type': contentType }),
    ...user,
  };
  const options = {
    agent: agentFor(access),
    maxBytes: maxAnswerBytes,
    ...(timeout === undefined ? {} : { signal: AbortSignal.timeout(timeout) }),
  };
  try {
    const answer = await sendRequest(access, { method, path, headers, body }, options);
    const auditId = answer.headers['audit-id'];
    return { code: answer.code, auditId: typeof auditId === 'string' ? auditId : '', text: answer.text };
  } catch (error) {
    const { url, kubeconfig } = access;
    throw new ConfigError(`${url}, which ${kubeconfig} names, ${failureText(error)}`);
  }
}

/**
 * The text of a response of kadmit's own API; other servers answer 404, and `lack` names what they do not have: `has no map`.
 * Rejects with ConfigError for any status but 200.
 */
export async function callKadmit(access: ServerAccess, request: ServerRequest, lack: string): Promise<string> {
  const { code, text } = await callServer(access, request);
  const message = messageIn(text).trim();
  if (code === 404 && !/^no (?:trace|write)/.test(message))
    throw new ConfigError(`${access.url} ${lack} (${message}): is it kadmit?`);
  if (code !== 200) throw new ConfigError(message);
  return text;
}

/** Throws ConfigError. */
function checkLengths(path: string, headers: object): void {
  if (path.length > maxPathLength)
    throw new ConfigError(`${path.slice(0, 80)}… is longer than ${maxPathLength} characters`);
  if (JSON.stringify(headers).length > maxUserLength)
    throw new ConfigError(`the user and its groups are longer than ${maxUserLength} characters`);
}

const impersonation = (as: ServerRequest['impersonate']): Readonly<Record<string, string | string[]>> =>
  as === undefined ? {} : { 'impersonate-user': as.user, 'impersonate-group': [...as.groups] };

/** The message of a Status, otherwise the text itself. */
export function messageIn(text: string): string {
  try {
    const status: unknown = JSON.parse(text);
    return isJsonObject(status) && typeof status['message'] === 'string' ? status['message'] : text;
  } catch {
    return text;
  }
}

/** {} when the text is not a JSON object. */
export function objectIn(text: string): JsonObject {
  const reading = readJson(text);
  return reading.outcome === 'read' ? asObject(plainValue(reading.json.value)) : {};
}

/**
 * The objects at these paths, also those of lists; missing ones are left out.
 * Rejects with ConfigError for an unreachable server or a refusal.
 */
export async function fetchObjects(access: ServerAccess, paths: readonly string[]): Promise<readonly JsonObject[]> {
  const found: JsonObject[] = [];
  for (const path of paths) {
    const { code, text } = await callServer(access, { method: 'GET', path });
    if (code === 404) continue;
    if (code !== 200) throw new ConfigError(`${path}: ${messageIn(text).trim()}`);
    append(found, objectsIn(JSON.parse(text)));
  }
  return found;
}

/** The items of a list have no kind of their own. */
function objectsIn(value: unknown): readonly JsonObject[] {
  if (!isJsonObject(value)) return [];
  const { apiVersion, kind, items } = value;
  if (items === undefined) return [value];
  const about = { apiVersion, kind: asString(kind).replace(/List$/, '') };
  return asList(items).map((item) => ({ ...about, ...asObject(item) }));
}
