import { readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { asList, asObject, asString, isJsonObject, type JsonObject } from '../../machinery/json/json.ts';
import { withoutServerMetadata } from '../../machinery/meta/object.ts';
import type { WorldRequest } from '../../testing/scenario/world.ts';
import type { Trace } from '../../explain/trace/trace.ts';
import { readBoundedFile } from '../../adapters/files/bounded-file.ts';
import { ConfigError } from '../../adapters/config/config-error.ts';
import { maxTraceFileBytes, readTraceFile } from '../../adapters/traces/trace-file.ts';
import { isWriteOrConnection, resourceText } from '../../explain/trace/trace-summary.ts';
import { traceFileName } from '../../adapters/traces/trace-files.ts';
import type { LeftOut, LoggedRequest } from './logged-request.ts';
import { tryRead } from '../../adapters/config/read-files.ts';

const methods = { create: 'POST', update: 'PUT', patch: 'PATCH', apply: 'PATCH', delete: 'DELETE' } as const;

/** The write of a trace as a dry run, or why it cannot be repeated. */
export function tracedRequest(trace: Trace): LoggedRequest | LeftOut {
  const { request } = trace;
  const user = asObject(request.user ?? undefined);
  const { verb } = request;
  if (!isWrite(verb) || request.resource === '') return 'a read';
  if (request.dryRun) return 'a dry run';
  if (isServerUser(asString(user['username']))) return 'a write of the server itself';
  const body = verb === 'delete' ? {} : toBody(trace);
  if (body === undefined) return 'what was sent is not in the trace';
  const query = [...new URLSearchParams(request.query)].filter(([name]) => name !== 'timeout' && name !== 'dryRun');
  return {
    title: requestTitle(trace, asString(user['username'])),
    namespace: request.resource === 'namespaces' ? '' : request.namespace,
    needsObject: request.verb !== 'create' || request.subresource !== '',
    before: { milliseconds: trace.milliseconds },
    request: {
      method: methods[verb],
      path: request.path,
      query: { ...Object.fromEntries(query), dryRun: 'All' },
      ...body,
      ...asUser(user),
    },
  };
}

const isWrite = (verb: string): verb is keyof typeof methods => Object.hasOwn(methods, verb);

const requestTitle = ({ request: { verb, resource, namespace, name } }: Trace, user: string): string =>
  `${verb} ${resource} ${namespace === '' ? '' : `${namespace}/`}${name} by ${user}`;

const asUser = ({ username, groups }: JsonObject): Pick<WorldRequest, 'as'> =>
  username === undefined ? {} : { as: { username: asString(username), groups: asList(groups).map(asString) } };

/** The world's controllers do the same. */
const isServerUser = (user: string): boolean =>
  user === 'system:apiserver' ||
  user.startsWith('system:serviceaccount:kube-system:') ||
  user.startsWith('system:node:');

/** The request body; without JSON, the object that admission received. */
function toBody({ request, objectReceived }: Trace): Pick<WorldRequest, 'body' | 'contentType'> | undefined {
  const { body, contentType = '' } = request;
  const isPatch = request.method === 'PATCH';
  const kind = isPatch ? { contentType } : {};
  if (Array.isArray(body)) return { body: asList(body).map(asObject), ...kind };
  if (isJsonObject(body)) return { body: withoutServerState(body), ...kind };
  return isPatch || !objectReceived ? undefined : { body: withoutServerState(objectReceived) };
}

/** The stored object may have changed. */
function withoutServerState(object: JsonObject): JsonObject {
  const { resourceVersion: _old, ...metadata } = asObject(object['metadata']);
  return object['metadata'] === undefined ? object : withoutServerMetadata({ ...object, metadata });
}

/**
 * A trace in a folder that `--trace-dir` of `kadmit serve` or `kadmit test` wrote: by Audit-Id, `last`, or with `undefined` the
 * last denied one. Throws ConfigError when there is none.
 */
export function traceInFolder(folder: string, id: string | undefined): Trace {
  if (id !== undefined && id !== 'last') return readTrace(traceFileInFolder(folder, id));
  const paths = listTraceFiles(folder);
  if (paths.length === 0) throw new ConfigError(`${folder} holds no trace`);
  let last: Trace | undefined;
  for (const path of paths) {
    const trace = readTrace(path);
    const { verb } = trace.request;
    if (!isWriteOrConnection({ verb, resource: resourceText(trace.request) })) continue;
    if (id === 'last' || trace.verdict === 'refused') return trace;
    last ??= trace;
  }
  if (last === undefined) throw new ConfigError(`${folder} holds no trace of a write; name one by its ID`);
  return last;
}

/** `kadmit serve` names files by id, `kadmit test` by step. Throws ConfigError when there is none. */
export function traceFileInFolder(folder: string, id: string): string {
  const paths = listTraceFiles(folder);
  const named = paths.find((path) => basename(path) === traceFileName(id));
  const found = named ?? paths.find((path) => readTrace(path).id === id);
  if (found === undefined) throw new ConfigError(`${folder} holds no trace ${JSON.stringify(id)}`);
  return found;
}

/** Newest first. Throws ConfigError when a trace is unreadable. */
export const tracesInFolder = (folder: string): readonly Trace[] => listTraceFiles(folder).map(readTrace);

/** Also in the folders below it. */
function listTraceFiles(folder: string): readonly string[] {
  const written = tryRead(folder, () => readdirSync(folder, { recursive: true, encoding: 'utf8' }))
    .filter((name) => name.endsWith('.json'))
    .map((name) => join(folder, name))
    .map((path) => ({ path, at: statSync(path).mtimeMs }));
  return written.toSorted((one, other) => other.at - one.at).map(({ path }) => path);
}

function readTrace(path: string): Trace {
  const reading = readTraceFile(tryRead(path, () => readBoundedFile(path, maxTraceFileBytes)));
  if (reading.outcome === 'unreadable') throw new ConfigError(`${path} ${reading.problem}`);
  const [trace] = reading.traces;
  if (!trace) throw new ConfigError(`${path} holds no trace`);
  return trace;
}
