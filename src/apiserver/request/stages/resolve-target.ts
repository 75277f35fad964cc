import { ok, refuse } from '../../../machinery/meta/result.ts';
import type { Result } from '../../../machinery/meta/result.ts';
import {
  badRequest,
  failure,
  internalError,
  methodNotAllowed,
  noSuchResource,
  notFound,
} from '../../../machinery/meta/status.ts';
import type { Status } from '../../../machinery/meta/status.ts';
import { goQuote } from '../../../machinery/meta/field-error.ts';
import { groupResourceText } from '../../../machinery/meta/gvk.ts';
import type { GroupResource } from '../../../machinery/meta/gvk.ts';
import type { ResourceInfo } from '../../../api/types/catalogue/catalogue.ts';
import { customDeprecation, isCustomRow } from '../../custom-resources/custom-codec.ts';
import { hasBrokenConverter } from '../../custom-resources/definition.ts';
import { changed } from '../exchange.ts';
import type { Exchange } from '../exchange.ts';
import { isLongRunning } from '../in-flight.ts';
import { pageNotFound } from '../page-not-found.ts';
import type { Rooms } from '../rooms.ts';
import type { ResourceRequest } from '../request-info.ts';
import type { Stage } from '../stage.ts';
import { withDeadline } from './read-options.ts';

/** The row of the catalogue that a resource URL names, with its strategy; 404 for none, 405 for a verb it does not have. */
export const resolveTarget = (rooms: Rooms): Stage => ({
  name: 'resolve-target',
  run: async (exchange) => {
    const { info } = exchange;
    if (info.type === 'path') return ok(exchange);
    if (rooms.catalogue.isCustom(info.group, info.version)) return resolveCustom(rooms, exchange, info);
    const resource = rooms.catalogue.find(info, info.subresource);
    if (!resource || hasEmptyPart(exchange.request.path, info)) return refuse(noSuchResource());
    if (isMisplaced(info, resource)) {
      return refuse(isListedHere(info, resource) ? methodNotAllowed() : noSuchResource());
    }
    if (!hasVerb(info, resource, exchange.request.method)) return refuse(methodNotAllowed());
    const deprecation = rooms.release.deprecationOf(resource);
    if (deprecation !== undefined) exchange.journal.warn(deprecation);
    const { codec, fields } = rooms;
    const strategy = rooms.strategyFor(ruledAs(resource));
    return ok(changed(exchange, { target: { info, resource, strategy, codec, fields, hub: resource.storage } }));
  },
});

/** A path with an empty part is no route, whatever it is authorized as; behind `proxy` every part is the backend's. */
const hasEmptyPart = (path: string, { name, subpath }: ResourceRequest): boolean =>
  path.includes('//') && (name === '' || subpath === '' || path.startsWith('//'));

/** Follows apiextensions-apiserver pkg/apiserver/customresource_handler.go ServeHTTP. */
function resolveCustom(rooms: Rooms, exchange: Exchange, info: ResourceRequest): Result<Exchange> {
  const main = rooms.catalogue.find(info, '');
  if (!main || isMisplaced(info, main)) return ok(changed(exchange, { response: pageNotFound }));
  if (cannotBeServed(main)) return refuse(internalError('error resolving resource'));
  // Also who asks for a subresource that there is none of is warned.
  const deprecation = isCustomRow(main) ? customDeprecation(main.custom) : undefined;
  if (deprecation !== undefined) exchange.journal.warn(deprecation);
  const resource = rooms.catalogue.find(info, info.subresource);
  if (!resource || !isCustomRow(resource)) return refuse(notFound(main, info.name));
  if (!customVerbs(resource).includes(info.verb)) return refuse(unsupportedVerb(resource, info.verb));
  if (info.name === '' && needName.includes(info.verb)) return refuse(badRequest('name must be provided'));
  const timed = isLongRunning(info) ? exchange : withDeadline(rooms, exchange, oneWrite.includes(info.verb));
  return ok({ ...timed, target: { info, resource, ...rooms.serveCustom(resource, timed) } });
}

const cannotBeServed = (main: ResourceInfo): boolean => isCustomRow(main) && hasBrokenConverter(main.custom.definition);

const oneWrite = ['create', 'update', 'patch', 'delete'];

const needName = ['get', 'update', 'patch', 'delete'];

/** Discovery leaves verbs out while a definition is terminating; they are answered all the same. */
const customVerbs = ({ subresource, verbs }: ResourceInfo): readonly string[] =>
  subresource === '' ? [...verbs, 'create', 'update', 'patch'] : verbs;

const unsupportedVerb = ({ group, resource }: ResourceInfo, verb: string): Status =>
  failure({
    code: 405,
    reason: 'MethodNotAllowed',
    message: `${verb} is not supported on resources of kind ${goQuote(groupResourceText({ group, resource }))}`,
    details: { group, kind: resource },
  });

/** A namespaced resource is listed across namespaces, but its objects are only found inside one. */
function isMisplaced(info: ResourceRequest, resource: ResourceInfo): boolean {
  if (!resource.namespaced) return info.namespace !== '' && resource.resource !== 'namespaces';
  const readsAll = info.verb === 'list' || info.verb === 'watch';
  return info.namespace === '' && !readsAll && resource.verbs.includes('get');
}

/** Events are stored as those of core/v1, but what is written over their own group is held to its rules. */
const ruledAs = ({ group, resource, storage }: ResourceInfo): GroupResource =>
  group === 'events.k8s.io' ? { group, resource } : storage;

/** The URL across namespaces exists, if only for reads. */
const isListedHere = (info: ResourceRequest, { namespaced }: ResourceInfo): boolean => namespaced && info.name === '';

const streams = ['GET', 'POST'];
/** A connection is made with any of its methods. */
const connections: ReadonlyMap<string, readonly string[]> = new Map([
  ['exec', streams],
  ['attach', streams],
  ['portforward', streams],
  ['proxy', ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS']],
]);

const reads = ['get', 'list', 'watch'];

/** Follows apiserver pkg/endpoints/installer.go, which has no route for HEAD. */
function hasVerb(info: ResourceRequest, resource: ResourceInfo, method: string): boolean {
  const methods = connections.get(resource.subresource);
  if (methods) return methods.includes(method);
  if (reads.includes(info.verb) && method !== 'GET') return false;
  const atCollection = info.name === '' || info.verb === 'list' || info.verb === 'watch';
  if (info.verb === 'create' && info.name !== '' && resource.subresource === '') return false;
  if ((info.verb === 'update' || info.verb === 'patch') && atCollection) return false;
  return resource.verbs.includes(info.verb);
}
