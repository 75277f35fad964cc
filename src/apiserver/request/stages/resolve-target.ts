import { ok, refuse, type Result } from '../../../machinery/meta/result.ts';
import {
  badRequest,
  failure,
  internalError,
  methodNotAllowed,
  noSuchResource,
  notFound,
  type Status,
} from '../../../machinery/meta/status.ts';
import { goQuote } from '../../../machinery/meta/field-error.ts';
import { type GroupResource, groupResourceText } from '../../../machinery/meta/gvk.ts';
import type { ResourceInfo } from '../../../api/types/catalogue/catalogue.ts';
import { customDeprecation, isCustomRow } from '../../custom-resources/custom-codec.ts';
import { hasBrokenConverter } from '../../custom-resources/definition.ts';
import { withParts, type Exchange } from '../exchange.ts';
import { isLongRunning } from '../long-running.ts';
import { pageNotFound, type ResourceRequest } from '../request-info.ts';
import type { HandlerDeps } from '../handler-deps.ts';
import type { Stage } from '../stage.ts';
import { withDeadline } from './read-options.ts';

/** Finds catalogue row and strategy; 404 or 405. */
export const resolveTarget = (deps: HandlerDeps): Stage => ({
  name: 'resolve-target',
  run: async (exchange) => {
    const { info } = exchange;
    if (info.type === 'path') return ok(exchange);
    if (deps.catalogue.isCustom(info.group, info.version)) return resolveCustom(deps, exchange, info);
    const resource = deps.catalogue.find(info, info.subresource);
    if (!resource || hasEmptyPart(exchange.request.path, info)) return refuse(noSuchResource());
    if (isMisplaced(info, resource)) {
      return refuse(isListedHere(info, resource) ? methodNotAllowed() : noSuchResource());
    }
    if (!hasVerb(info, resource, exchange.request.method)) return refuse(methodNotAllowed());
    const deprecation = deps.release.deprecationOf(resource);
    if (deprecation !== undefined) exchange.journal.warn(deprecation);
    const { codec, fields } = deps;
    const strategy = deps.strategyFor(strategyResource(resource));
    return ok(withParts(exchange, { target: { info, resource, strategy, codec, fields, hub: resource.storage } }));
  },
});

/** Paths with an empty part have no route; behind `proxy` they belong to the backend. */
const hasEmptyPart = (path: string, { name, subpath }: ResourceRequest): boolean =>
  path.includes('//') && (name === '' || subpath === '' || path.startsWith('//'));

/** Follows apiextensions-apiserver pkg/apiserver/customresource_handler.go ServeHTTP. */
function resolveCustom(deps: HandlerDeps, exchange: Exchange, info: ResourceRequest): Result<Exchange> {
  const main = deps.catalogue.find(info, '');
  if (!main || isMisplaced(info, main)) return ok(withParts(exchange, { response: pageNotFound }));
  if (cannotBeServed(main)) return refuse(internalError('error resolving resource'));
  // Unknown subresources get the deprecation warning too.
  const deprecation = isCustomRow(main) ? customDeprecation(main.custom) : undefined;
  if (deprecation !== undefined) exchange.journal.warn(deprecation);
  const resource = deps.catalogue.find(info, info.subresource);
  if (!resource || !isCustomRow(resource)) return refuse(notFound(main, info.name));
  if (!customVerbs(resource).includes(info.verb)) return refuse(unsupportedVerb(resource, info.verb));
  if (info.name === '' && needName.includes(info.verb)) return refuse(badRequest('name must be provided'));
  const timed = isLongRunning(info) ? exchange : withDeadline(deps, exchange, oneWrite.includes(info.verb));
  return ok({ ...timed, target: { info, resource, ...deps.serveCustom(resource, timed) } });
}

const cannotBeServed = (main: ResourceInfo): boolean => isCustomRow(main) && hasBrokenConverter(main.custom.definition);

const oneWrite = ['create', 'update', 'patch', 'delete'];

const needName = ['get', 'update', 'patch', 'delete'];

/** Discovery omits verbs of a terminating definition, but they are served. */
const customVerbs = ({ subresource, verbs }: ResourceInfo): readonly string[] =>
  subresource === '' ? [...verbs, 'create', 'update', 'patch'] : verbs;

const unsupportedVerb = ({ group, resource }: ResourceInfo, verb: string): Status =>
  failure({
    code: 405,
    reason: 'MethodNotAllowed',
    message: `${verb} is not supported on resources of kind ${goQuote(groupResourceText({ group, resource }))}`,
    details: { group, kind: resource },
  });

/** Namespaced objects need a namespace in the URL. */
function isMisplaced(info: ResourceRequest, resource: ResourceInfo): boolean {
  if (!resource.namespaced) return info.namespace !== '' && resource.resource !== 'namespaces';
  const readsAll = info.verb === 'list' || info.verb === 'watch';
  return info.namespace === '' && !readsAll && resource.verbs.includes('get');
}

/** events.k8s.io Events are stored as core/v1, and validated by their own group's rules. */
const strategyResource = ({ group, resource, storage }: ResourceInfo): GroupResource =>
  group === 'events.k8s.io' ? { group, resource } : storage;

/** A route across namespaces, for reads only. */
const isListedHere = (info: ResourceRequest, { namespaced }: ResourceInfo): boolean => namespaced && info.name === '';

const streams = ['GET', 'POST'];
/** Methods of CONNECT. */
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
