import { apiVersionOf, parseApiVersion, groupVersionPath } from '../../../machinery/meta/gvk.ts';
import { asObject, asString, type JsonObject } from '../../../machinery/json/json.ts';
import type { ObjectRef } from '../format.ts';
import type { ScenarioWorld, WorldResource } from '../world.ts';
import { ownValue } from '../../../machinery/meta/object.ts';

export type StepLocation =
  | {
      readonly outcome: 'found';
      readonly resource: WorldResource;
      /** `/apis/apps/v1/namespaces/shop/deployments` */
      readonly collection: string;
      /** The object, with its subresource; the collection for an object without a name. */
      readonly path: string;
    }
  | { readonly outcome: 'unknown'; readonly problem: string };

/** Kinds that belong to a subresource of a single resource. */
const parents: Readonly<Record<string, string>> = {
  eviction: 'pods',
  binding: 'pods',
  ephemeralcontainers: 'pods',
  token: 'serviceaccounts',
  approval: 'certificatesigningrequests',
  finalize: 'namespaces',
};

/** `subresource` is `status` or, with its resource, `deployments/scale`. */
export async function locateManifest(
  world: ScenarioWorld,
  object: JsonObject,
  subresource = '',
): Promise<StepLocation> {
  const { name, namespace } = asObject(object['metadata']);
  const place = { name: asString(name), namespace: asString(namespace) };
  const [before = '', after] = subresource.split('/');
  const parent = after === undefined ? ownValue(parents, before) : before;
  if (parent !== undefined) return locate(world, { resource: parent, subresource: after ?? before, ...place });
  const kind = asString(object['kind']);
  if (subresource === 'scale' && kind === 'Scale') {
    return unknownLocation('the resource of a Scale is unknown; write subresource: deployments/scale');
  }
  const gvk = { ...parseApiVersion(asString(object['apiVersion'])), kind };
  const resource = await world.resourceOf(gvk);
  if (!resource) return unknownLocation(`no matches for kind "${kind}" in version "${apiVersionOf(gvk)}"`);
  return foundLocation(resource, { ...place, subresource });
}

/** By kubectl's name of the resource. */
export async function locate(world: ScenarioWorld, ref: ObjectRef): Promise<StepLocation> {
  const resource = await world.findResource(ref.resource);
  return resource
    ? foundLocation(resource, ref)
    : unknownLocation(`the server doesn't have a resource type "${ref.resource}"`);
}

function foundLocation(
  resource: WorldResource,
  { namespace, name, subresource }: Pick<ObjectRef, 'namespace' | 'name' | 'subresource'>,
): StepLocation {
  const place = resource.namespaced ? `/namespaces/${encodeSegment(namespace || 'default')}` : '';
  const collection = `${groupVersionPath(resource)}${place}/${resource.resource}`;
  const parts = [name, subresource].filter((part) => part !== '').map(encodeSegment);
  return { outcome: 'found', resource, collection, path: [collection, ...parts].join('/') };
}

const unknownLocation = (problem: string): StepLocation => ({ outcome: 'unknown', problem });

/** Names of roles contain colons, which need no escape. */
const encodeSegment = (text: string): string => encodeURIComponent(text).replaceAll('%3A', ':');
