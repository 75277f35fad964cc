import https, { type Agent } from 'node:https';
import { ConfigError } from '../config-error.ts';
import { type JsonObject, asObject, isJsonObject, append, asList, asString } from '../../../machinery/json/json.ts';
import { plainValue, readJson } from '../../../machinery/json/json-reader.ts';

export interface ServerAccess {
  readonly kubeconfig: string;
  readonly url: string;
  readonly ca: string | undefined;
  readonly certificate: string | undefined;
  readonly key: string | undefined;
  readonly token: string | undefined;
  /** The expected name in the server's certificate, unless it is the URL's host. */
  readonly serverName: string | undefined;
  /** Skip TLS verification. */
  readonly insecure: boolean;
  readonly proxy?: Agent;
  /** The context's namespace, or `default`. */
  readonly namespace: string;
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
  const headers = impersonation(impersonate);
  checkLengths(path, headers);
  const { url, ca, certificate, key, token, kubeconfig, serverName, insecure } = access;
  const options = {
    method,
    headers: {
      'user-agent': 'kadmit',
      accept,
      ...(contentType === undefined ? {} : { 'content-type': contentType }),
      // Node announces no body for DELETE.
      ...(body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }),
      ...headers,
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    ...(ca === undefined ? {} : { ca }),
    ...(certificate === undefined ? {} : { cert: certificate }),
    ...(key === undefined ? {} : { key }),
    ...(serverName === undefined ? {} : { servername: serverName }),
    ...(insecure ? { rejectUnauthorized: false } : {}),
    ...(timeout === undefined ? {} : { signal: AbortSignal.timeout(timeout) }),
    agent: agentFor(access),
  };
  return new Promise((resolve, reject) => {
    const fail = (error: Error): void =>
      reject(new ConfigError(`${url}, which ${kubeconfig} names, cannot be reached: ${error.message}`));
    const request = https.request(`${url}${path}`, options, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', fail);
      response.on('end', () => {
        const { statusCode: code = 0, headers } = response;
        const auditId = headers['audit-id'];
        const text = Buffer.concat(chunks).toString('utf8');
        resolve({ code, auditId: typeof auditId === 'string' ? auditId : '', text });
      });
    });
    request.on('error', fail);
    request.end(body);
  });
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
