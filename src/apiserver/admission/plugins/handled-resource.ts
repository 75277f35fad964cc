import { asObject, type JsonObject } from '../../../machinery/json/json.ts';
import type { GroupResource } from '../../../machinery/meta/gvk.ts';
import { ok, type Result } from '../../../machinery/meta/result.ts';
import type { KubernetesObject } from '../../../machinery/meta/object.ts';
import type { ResourceObject } from '../../../api/types/type-info.ts';
import type { AdmissionAttributes } from '../chain/attributes.ts';
import type { PluginAnswer, PluginPorts } from '../chain/plugin.ts';

export type ObjectRequest<Stored extends KubernetesObject = KubernetesObject> = Omit<
  AdmissionAttributes,
  'object' | 'oldObject'
> & { readonly object: Stored; readonly oldObject: Stored | null };

/** Limits a plugin function to these resources; the chain skips it for others. */
export const onlyFor = <Decide extends (...request: never) => unknown>(
  only: readonly GroupResource[],
  decide: Decide,
): Decide & { readonly only: readonly GroupResource[] } => Object.assign(decide, { only });

/** A plugin function for objects of one resource; subresources and everything else pass. */
export const forResource = <Group extends string, Resource extends string>(
  one: { readonly group: Group; readonly resource: Resource },
  handle: (request: ObjectRequest<ResourceObject<Group, Resource>>, ports: PluginPorts) => Result<PluginAnswer>,
): Handled =>
  onlyFor([one], (request: AdmissionAttributes, ports: PluginPorts) => {
    const { group, resource } = request.resource;
    const isHandled = resource === one.resource && group === one.group && request.subresource === '';
    return isHandled && request.object !== null ? handle({ ...request, object: request.object }, ports) : pass(request);
  });

interface Handled {
  (request: AdmissionAttributes, ports: PluginPorts): Result<PluginAnswer>;
  readonly only: readonly GroupResource[];
}

export const pass = ({ object }: AdmissionAttributes): Result<PluginAnswer> => ok({ object });

/** The object with these fields of its spec set. */
export const withSpec = ({ object }: { readonly object: KubernetesObject }, fields: JsonObject): Result<PluginAnswer> =>
  ok({ object: { ...object, spec: { ...asObject(object['spec']), ...fields } } });

export const podResource = { group: '', resource: 'pods' } as const satisfies GroupResource;
