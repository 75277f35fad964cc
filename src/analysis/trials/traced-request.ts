import { asList, asObject, asString, isJsonObject } from '../../machinery/json/json.ts';
import type { JsonObject } from '../../machinery/json/json.ts';
import { withoutServerMetadata } from '../../machinery/meta/printed-object.ts';
import type { WorldRequest } from '../../testing/scenario/world.ts';
import type { Trace } from '../../explain/trace/trace.ts';
import type { LeftOut, LoggedRequest } from './logged-request.ts';

const methods = { create: 'POST', update: 'PUT', patch: 'PATCH', apply: 'PATCH', delete: 'DELETE' } as const;

/** The write of a trace as a dry run, or why it cannot be repeated. */
export function tracedRequest(trace: Trace): LoggedRequest | LeftOut {
  const { request } = trace;
  const user = asObject(request.user ?? undefined);
  const { verb } = request;
  if (!isWrite(verb) || request.resource === '') return 'a read';
  if (request.dryRun) return 'a dry run';
  if (isServers(asString(user['username']))) return 'a write of the server itself';
  const body = verb === 'delete' ? {} : bodyOf(trace);
  if (body === undefined) return 'what was sent is not in the trace';
  const query = [...new URLSearchParams(request.query)].filter(([name]) => name !== 'timeout' && name !== 'dryRun');
  return {
    title: titleOf(trace, asString(user['username'])),
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

const titleOf = ({ request: { verb, resource, namespace, name } }: Trace, user: string): string =>
  `${verb} ${resource} ${namespace === '' ? '' : `${namespace}/`}${name} by ${user}`;

const asUser = ({ username, groups }: JsonObject): Pick<WorldRequest, 'as'> =>
  username === undefined ? {} : { as: { username: asString(username), groups: asList(groups).map(asString) } };

/** The world's controllers do the same. */
const isServers = (user: string): boolean =>
  user === 'system:apiserver' ||
  user.startsWith('system:serviceaccount:kube-system:') ||
  user.startsWith('system:node:');

/** The request body; without JSON, the object that admission received. */
function bodyOf({ request, objectReceived }: Trace): Pick<WorldRequest, 'body' | 'contentType'> | undefined {
  const { body, contentType = '' } = request;
  const isPatch = request.method === 'PATCH';
  const kind = isPatch ? { contentType } : {};
  if (Array.isArray(body)) return { body: asList(body).map(asObject), ...kind };
  if (isJsonObject(body)) return { body: fresh(body), ...kind };
  return isPatch || !objectReceived ? undefined : { body: fresh(objectReceived) };
}

/** The stored object may have changed. */
function fresh(object: JsonObject): JsonObject {
  const { resourceVersion: _old, ...metadata } = asObject(object['metadata']);
  return object['metadata'] === undefined ? object : withoutServerMetadata({ ...object, metadata });
}
