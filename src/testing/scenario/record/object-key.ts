import { parseApiVersion } from '../../../machinery/meta/gvk.ts';
import { asString, valueAt } from '../../../machinery/json/json.ts';
import type { JsonObject } from '../../../machinery/json/json.ts';
import type { Trace, TracedRequest } from '../../../explain/trace/trace.ts';

/** Tells objects apart by kind; the version does not count. */
export function keyOf(object: JsonObject): string {
  const { group } = parseApiVersion(asString(object['apiVersion']));
  const place = ['namespace', 'name'].map((field) => asString(valueAt(object, 'metadata', field)));
  return [group, asString(object['kind']), ...place].join('/');
}

/** Tells the objects that requests are about apart. */
export const addressOf = ({ group, resource, namespace, name }: TracedRequest): string =>
  [group, resource, resource === 'namespaces' ? '' : namespace, name].join('/');

/** The path of the object that a request is about, without a subresource. */
export function pathOf({ group, version, resource, namespace, name }: TracedRequest): string {
  const root = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
  const place = namespace === '' || resource === 'namespaces' ? '' : `/namespaces/${encodeURIComponent(namespace)}`;
  return `${root}${place}/${resource}/${encodeURIComponent(name)}`;
}

/** Did the write change what is stored? */
export const isStored = ({ verdict, request }: Trace): boolean => verdict === 'admitted' && !request.dryRun;

/** The object before a write; undefined when there was none, or when the trace shows something else there, such as a Scale. */
export function before({ objectBefore, objectAfter, request }: Trace): JsonObject | undefined {
  // A DELETE answers with what it removed.
  const object = objectBefore ?? (request.verb === 'delete' ? objectAfter : null);
  if (object === null || valueAt(object, 'metadata', 'name') !== request.name) return undefined;
  return ['Scale', 'Eviction', 'Status'].includes(asString(object['kind'])) ? undefined : object;
}

const connections = /^(?:pods\/(?:exec|attach|portforward|proxy)|(?:services|nodes)\/proxy)$/;

/** What the request does. A CONNECT is authorised as the verb of its method, and traced so. */
export const verbOf = ({ verb, group, resource, subresource }: TracedRequest): string =>
  group === '' && connections.test(`${resource}/${subresource}`) ? 'connect' : verb;
