import { parseApiVersion } from '../../machinery/meta/gvk.ts';
import type { World, WorldResource } from '../../testing/scenario/world.ts';
import type { KindReference, ObjectLike } from './objects.ts';

/** Finds out how kinds are served. */
export type Resources = Pick<World, 'resourceOf' | 'findResource'>;

/** Where an object is, or where objects of its kind are. */
export interface ObjectAddress {
  readonly namespace?: string | undefined;
  readonly name?: string | undefined;
  readonly subresource?: string | undefined;
}

/** How a kind is served. Rejects when it is not. */
export async function resourceFor(kind: KindReference, resources: Resources): Promise<WorldResource> {
  const found =
    typeof kind === 'string'
      ? await resources.findResource(kind)
      : await resources.resourceOf({ ...parseApiVersion(kind.apiVersion), kind: kind.kind });
  if (found) return found;
  const name =
    typeof kind === 'string' ? `resource ${JSON.stringify(kind)}` : `kind ${kind.kind} in ${kind.apiVersion}`;
  throw new Error(`the server has no ${name}`);
}

/** The path of an object's collection, and of the object in it. Rejects when its kind is not served. */
export function kindOf({ apiVersion, kind }: ObjectLike): KindReference {
  if (apiVersion !== undefined && kind !== undefined) return { apiVersion, kind };
  throw new Error('an object needs apiVersion and kind');
}

/** `namespace` '' is all namespaces; undefined is `default`. Without a name it is the path of the collection. */
export function pathTo(resource: WorldResource, { namespace = 'default', name, subresource }: ObjectAddress): string {
  const { group, version, namespaced } = resource;
  const parts = [
    ...(group === '' ? ['api', version] : ['apis', group, version]),
    ...(namespaced && namespace !== '' ? ['namespaces', namespace] : []),
    resource.resource,
    ...(name === undefined ? [] : [name]),
    ...(subresource === undefined ? [] : [subresource]),
  ];
  return `/${parts.map(encodeURIComponent).join('/')}`;
}
