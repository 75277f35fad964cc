import type { JsonObject } from '../../../machinery/json/json.ts';
import type { Trace, TracedRequest } from '../../../explain/trace/trace.ts';
import { verbOf } from './object-key.ts';

/** `deployments.apps`; one of the core reads better as kubectl takes it: `pod`. */
export function wordOf({ group, resource, verb }: TracedRequest): string {
  if (group !== '') return `${resource}.${group}`;
  return verb === 'deletecollection' || resource === 'endpoints' ? resource : resource.replace(/s$/, '');
}

export function targetOf(trace: Trace): JsonObject {
  const { request } = trace;
  const { name, subresource, path } = request;
  const verb = verbOf(request);
  // What follows a proxy is a part of its path.
  const [, tail = ''] = subresource === 'proxy' ? path.split('/proxy/') : [];
  const parts = [wordOf(request), name, subresource, tail].filter((part) => part !== '');
  return { [verb]: parts.join('/'), ...namespaceOf(request) };
}

export const namespaceOf = ({ namespace, resource }: TracedRequest): JsonObject =>
  namespace === '' || namespace === 'default' || resource === 'namespaces' ? {} : { namespace };
