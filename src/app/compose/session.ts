import { kubeconfigUser } from '../../controllers/client.ts';
import type { Catalogue, ResourceInfo } from '../../api/types/catalogue/catalogue.ts';
import type { ApiRequest, ApiResponse, DocumentBody } from '../../apiserver/request/api-request.ts';
import type { Handle } from '../../apiserver/request/handle.ts';
import { requestInfoOf } from '../../apiserver/request/request-info.ts';
import { createAbortSignals } from '../../controllers/abort-signals.ts';
import type { Trace } from '../../explain/trace/trace.ts';
import type { Clock, NewUid } from '../../machinery/clock.ts';
import { once } from '../../machinery/once.ts';
import { unescapeUrl } from '../../machinery/go/go-url.ts';
import { writeJson } from '../../machinery/json/json-writer.ts';
import { isJsonObject, type JsonObject } from '../../machinery/json/json.ts';
import type { GroupVersionKind } from '../../machinery/meta/gvk.ts';
import { sentWarnings } from '../../machinery/meta/sent-warnings.ts';
import type {
  ScenarioWorld,
  WorldAnswer,
  WorldRequest,
  WorldResource,
  WorldUser,
} from '../../testing/scenario/world.ts';
import type { ApiCall } from '../../testing/stubs/api-fault.ts';

export interface SessionPorts {
  readonly answer: (request: ApiRequest) => Promise<Answered>;
  readonly clock: Clock;
  readonly newAuditId: NewUid;
  /** Advances a virtual clock while it waits. */
  readonly drive: <T>(work: Promise<T>) => Promise<T>;
  /** Aborts when the world ends. */
  readonly ending: AbortSignal;
}

/** `traceAt` returns undefined for a request without a trace. */
export interface Answered {
  readonly response: ApiResponse;
  readonly traceAt: (finishedAt: number) => Trace | undefined;
}

export const answerWithTraces =
  (handle: Handle, traceOf: (id: string) => Trace | undefined): SessionPorts['answer'] =>
  async (request) => ({ response: await handle(request), traceAt: () => traceOf(request.auditId) });

export const createSession = (
  catalogue: () => Catalogue,
  ports: SessionPorts,
): Pick<ScenarioWorld, 'send' | 'resourceOf' | 'findResource'> => ({
  send: createSend(ports),
  resourceOf: async (kind) => resourceOf(catalogue(), kind),
  findResource: async (name) => findResource(catalogue(), name),
});

/** Sends requests as kubectl does, without sockets; kubernetes-admin impersonates other users. */
function createSend(ports: SessionPorts): (request: WorldRequest) => Promise<WorldAnswer> {
  const { clock, drive, ending } = ports;
  const signals = createAbortSignals(ending);
  return async (sent) => {
    if (ending.aborted) throw new Error(`${sent.method} ${sent.path}: this world is closed`);
    const receivedAt = clock.now();
    const { response, traceAt } = await drive(
      signals.withSignal((signal) => ports.answer(toApiRequest(sent, receivedAt, ports, signal))),
    );
    const finishedAt = clock.now();
    return new LazyAnswer(await toSentAnswer(response), finishedAt - receivedAt, () => traceAt(finishedAt));
  };
}

/**
 * Most callers do not read the trace: it is made on demand. A class, since V8 makes a hidden class for each literal with a
 * getter, which keeps what the getter sees alive until the next full collection.
 */
class LazyAnswer implements WorldAnswer {
  readonly code: number;
  readonly body: WorldAnswer['body'];
  readonly warnings: readonly string[];
  readonly milliseconds: number;
  readonly #trace: () => Trace | undefined;
  constructor({ code, body, warnings }: SentAnswer, milliseconds: number, makeTrace: () => Trace | undefined) {
    this.code = code;
    this.body = body;
    this.warnings = warnings;
    this.milliseconds = milliseconds;
    this.#trace = once(makeTrace);
  }
  get trace(): Trace | undefined {
    return this.#trace();
  }
}

type SentAnswer = Pick<WorldAnswer, 'code' | 'body' | 'warnings'>;

function toApiRequest(
  { method, path, query = {}, body, contentType = 'application/json', as }: WorldRequest,
  receivedAt: number,
  { newAuditId }: SessionPorts,
  signal: () => AbortSignal,
): ApiRequest {
  return {
    method,
    path: unescapeUrl(path),
    query: queryOf(query),
    headers: {
      'user-agent': 'kadmit',
      ...(body === undefined ? {} : { 'content-type': contentType }),
      ...impersonation(as),
    },
    body: body === undefined ? noBytes : encoder.encode(writeJson(body)),
    as: kubeconfigUser,
    certificate: undefined,
    auditId: newAuditId(),
    receivedAt,
    signal,
  };
}

function queryOf(query: NonNullable<WorldRequest['query']>): URLSearchParams {
  const params = new URLSearchParams();
  for (const [key, values] of Object.entries(query)) for (const value of [values].flat()) params.append(key, value);
  return params;
}

const encoder = new TextEncoder();
const noBytes = new Uint8Array();

/** As client-go sends it. */
function impersonation(user: WorldUser | undefined): ApiRequest['headers'] {
  if (!user) return {};
  const { username, uid = '', groups = [], extra = {} } = user;
  return {
    'impersonate-user': username,
    ...(uid === '' ? {} : { 'impersonate-uid': uid }),
    ...(groups.length === 0 ? {} : { 'impersonate-group': groups }),
    ...Object.fromEntries(
      Object.entries(extra).map(([key, values]) => [
        `impersonate-extra-${encodeURIComponent(key)}`.toLowerCase(),
        values,
      ]),
    ),
  };
}

async function toSentAnswer(response: ApiResponse): Promise<SentAnswer> {
  switch (response.type) {
    case 'object':
      return { code: response.code, body: response.body, warnings: sentWarnings(response.warnings) };
    case 'status':
      return { code: response.status.code, body: response.status, warnings: sentWarnings(response.warnings) };
    case 'document':
      return { code: response.code, body: await readDocument(response.body), warnings: [] };
    case 'watch':
      throw new Error('a watch has no single answer; send a GET without `watch`');
  }
}

async function readText(body: DocumentBody): Promise<string> {
  if (typeof body === 'string') return body;
  if (body instanceof Uint8Array) return new TextDecoder().decode(body);
  let text = '';
  for await (const part of body) text += part;
  return text;
}

/** The JSON of a document, or its text under `text`. */
async function readDocument(body: DocumentBody): Promise<JsonObject> {
  const text = await readText(body);
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : { text };
  } catch {
    return { text };
  }
}

function resourceOf(catalogue: Catalogue, kind: GroupVersionKind): WorldResource | undefined {
  const row = catalogue.forKind(kind);
  return row && toWorldResource(row);
}

/**
 * As kubectl resolves a word: a plural, else a singular or a kind, else a short name, the first in discovery order;
 * `deployments.apps` and `deployments.v1.apps` include the group.
 */
function findResource(catalogue: Catalogue, word: string): WorldResource | undefined {
  const wanted = word.toLowerCase();
  const main = catalogue.all().filter(({ subresource }) => subresource === '');
  const row = namings
    .map((namesOf) => main.find((one) => namesOf(one).some((name) => isNamed(one, name, wanted))))
    .find((found) => found !== undefined);
  return row && toWorldResource(row);
}

const namings: readonly ((row: ResourceInfo) => readonly string[])[] = [
  ({ resource }) => [resource],
  ({ singular, kind }) => [singular, kind.kind.toLowerCase()],
  ({ shortNames }) => shortNames,
];

const isNamed = ({ group, version }: ResourceInfo, name: string, wanted: string): boolean =>
  [name, `${name}.${group}`, `${name}.${version}.${group}`].includes(wanted);

const toWorldResource = ({ group, version, kind, resource, namespaced }: ResourceInfo): WorldResource => ({
  group,
  version,
  kind: kind.kind,
  resource,
  namespaced,
});

/** The fields that API faults match; undefined for a path without a resource, such as discovery. */
export function apiCallOf({ method, path, query }: ApiRequest): ApiCall | undefined {
  const info = requestInfoOf(method, path, query);
  if (info.type !== 'resource') return undefined;
  return info.verb === 'watch' ? { ...info, resumesFrom: resumedResourceVersion(query) } : info;
}

/** Only a watch without initial events needs the changes since its resourceVersion. */
function resumedResourceVersion(query: URLSearchParams): string {
  const version = query.get('resourceVersion') ?? '';
  return version === '0' || query.get('sendInitialEvents') === 'true' ? '' : version;
}
