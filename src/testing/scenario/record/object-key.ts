import { parseApiVersion, collectionPath } from '../../../machinery/meta/gvk.ts';
import { asString, type JsonObject, valueAt } from '../../../machinery/json/json.ts';
import type { Trace, TracedRequest } from '../../../explain/trace/trace.ts';

/** By group and kind; without the version. */
export function recordedObjectKey(object: JsonObject): string {
  const { group } = parseApiVersion(asString(object['apiVersion']));
  const place = ['namespace', 'name'].map((field) => asString(valueAt(object, 'metadata', field)));
  return [group, asString(object['kind']), ...place].join('/');
}

/** Identifies the object of a request. */
export const requestAddress = ({ group, resource, namespace, name }: TracedRequest): string =>
  [group, resource, resource === 'namespaces' ? '' : namespace, name].join('/');

/** Without the subresource. */
export function requestPath(request: TracedRequest): string {
  const { resource, namespace, name } = request;
  const namespaced = namespace !== '' && resource !== 'namespaces';
  return `${collectionPath({ ...request, namespaced }, namespace)}/${encodeURIComponent(name)}`;
}

export const wasStored = ({ verdict, request }: Trace): boolean => verdict === 'admitted' && !request.dryRun;

/** undefined without one, or when the trace has another kind there, such as a Scale. */
export function objectBeforeWrite({ objectBefore, objectAfter, request }: Trace): JsonObject | undefined {
  // A DELETE responds with the removed object.
  const object = objectBefore ?? (request.verb === 'delete' ? objectAfter : null);
  if (object === null || valueAt(object, 'metadata', 'name') !== request.name) return undefined;
  return ['Scale', 'Eviction', 'Status'].includes(asString(object['kind'])) ? undefined : object;
}

const connections = /^(?:pods\/(?:exec|attach|portforward|proxy)|(?:services|nodes)\/proxy)$/;

/** A CONNECT is authorized and traced with the verb of its method. */
export const tracedVerb = ({ verb, group, resource, subresource }: TracedRequest): string =>
  group === '' && connections.test(`${resource}/${subresource}`) ? 'connect' : verb;
