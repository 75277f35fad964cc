import type { Status } from '../../machinery/meta/status.ts';
import type { ApiRequest, Printed } from '../../apiserver/request/api-request.ts';
import { requestInfoOf } from '../../apiserver/request/request-info.ts';
import { bodyTypes, isPlainJson, negotiate, producedBy } from './accept.ts';
import type { Offer } from './accept.ts';

/**
 * 406 before anything is read or written. A watch is negotiated when it begins; a log is always text. Follows
 * apiserver pkg/endpoints/handlers/get.go and create.go.
 */
export function unacceptable(request: ApiRequest, isCustom: boolean): Status | undefined {
  if (isPlainJson(accept(request))) return undefined;
  const info = requestInfoOf(request.method, request.path, request.query);
  if (info.type === 'path' || info.verb === 'watch' || notNegotiated.has(info.subresource)) return undefined;
  const offer = isCustom ? { mediaTypes: texts } : { ...formsOf(request), route: routeOf(request) };
  const accepted = negotiate(accept(request), { ...objects, ...offer });
  return accepted.outcome === 'refused' ? accepted.status : undefined;
}

const connections = ['exec', 'attach', 'portforward', 'proxy'];
const notNegotiated = new Set(['log', ...connections]);

const texts = ['application/json', 'application/yaml'] as const;

/** Custom resources have neither a protobuf form nor a route that declares types. */
export const offerOf = (
  request: ApiRequest,
  { printed }: { readonly printed?: Printed },
): Partial<Pick<Offer, 'mediaTypes' | 'route' | 'transforms'>> => {
  if (printed) return { mediaTypes: texts };
  if (isPlainJson(accept(request))) return {};
  const isDiscovery =
    /^\/apis?(?:\/|$)/.test(request.path) && requestInfoOf(request.method, request.path, request.query).type === 'path';
  // The aggregator writes the list of all groups and has no routes.
  const routed = /^\/apis\/?$/.test(request.path) ? {} : { route: routeOf(request) };
  return { ...routed, ...(isDiscovery ? { transforms: false } : formsOf(request)) };
};

/**
 * Reviews and subresources without columns have no Table. Follows kubernetes pkg/registry (which storages implement
 * ConvertToTable) and apiserver pkg/endpoints/handlers/rest.go AllowsMediaTypeTransform.
 */
function formsOf({ method, path, query }: ApiRequest): Pick<Offer, 'transforms'> {
  const info = requestInfoOf(method, path, query);
  if (info.type === 'path') return { transforms: true };
  const { group, resource, subresource } = info;
  const isTold =
    subresource === ''
      ? !isReview(group) && `${group}/${resource}` !== '/bindings'
      : subresource === 'scale' || (subresource === 'status' && !statusWithoutColumns.has(`${group}/${resource}`));
  return { transforms: isTold ? true : 'metadata' };
}

const isReview = (group: string): boolean => group === 'authentication.k8s.io' || group === 'authorization.k8s.io';

const statusWithoutColumns: ReadonlySet<string> = new Set([
  'apiextensions.k8s.io/customresourcedefinitions',
  'apiregistration.k8s.io/apiservices',
  'resource.k8s.io/devicetaintrules',
  'resource.k8s.io/resourceclaims',
  'resource.k8s.io/resourcepoolstatusrequests',
  'scheduling.k8s.io/podgroups',
]);

export const objects = { mediaTypes: bodyTypes, transforms: true } as const;
export const errors = { mediaTypes: bodyTypes, transforms: false } as const;
export const watches = { mediaTypes: bodyTypes, transforms: true, streams: true } as const;

/** The types that the request's route produces. */
function routeOf({ method, path, query }: ApiRequest): readonly string[] {
  const info = requestInfoOf(method, path, query);
  if (info.type === 'path') return producedBy.object;
  if (connections.includes(info.subresource)) return producedBy.connection;
  if (info.subresource === 'log') return producedBy.log;
  return info.verb === 'list' || info.verb === 'watch' ? producedBy.collection : producedBy.object;
}

export function accept(request: ApiRequest): string | undefined {
  const header = request.headers['accept'];
  return typeof header === 'string' ? header : undefined;
}
