import { ok, refuse } from '../../apimachinery/result.ts';
import { methodNotAllowed, noSuchResource } from '../../apimachinery/status.ts';
import type { ResourceInfo } from '../../schema/catalogue/catalogue.ts';
import { deprecationOf } from '../../schema/catalogue/deprecations.ts';
import type { Rooms } from '../rooms.ts';
import type { ResourceRequest } from '../request-info.ts';
import type { Stage } from '../stage.ts';

/** The row of the catalogue that a resource URL names, with its strategy; 404 for none, 405 for a verb it does not have. */
export const resolveTarget = (rooms: Rooms): Stage => ({
  name: 'resolve-target',
  run: (exchange) => {
    const { info } = exchange;
    if (info.type === 'path') return ok(exchange);
    const resource = rooms.catalogue.find(info, info.subresource);
    if (!resource || isMisplaced(info, resource)) return refuse(noSuchResource());
    if (!hasVerb(info, resource, exchange.request.method)) return refuse(methodNotAllowed());
    const { codec, fields } = rooms;
    const strategy = rooms.strategyFor(resource.storage);
    const deprecation = deprecationOf(resource);
    if (deprecation !== undefined) exchange.journal.warn(deprecation);
    return ok({ ...exchange, target: { info, resource, strategy, codec, fields } });
  },
});

/** A namespaced resource is listed across namespaces, but its objects are only found inside one. */
function isMisplaced(info: ResourceRequest, resource: ResourceInfo): boolean {
  if (!resource.namespaced) return info.namespace !== '' && resource.resource !== 'namespaces';
  const readsAll = info.verb === 'list' || info.verb === 'watch';
  return info.namespace === '' && !readsAll && resource.verbs.includes('get');
}

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
