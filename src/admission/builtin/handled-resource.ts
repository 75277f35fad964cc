import type { GroupResource } from '../../apimachinery/gvk.ts';
import { ok } from '../../apimachinery/result.ts';
import type { Result } from '../../apimachinery/result.ts';
import type { KubernetesObject } from '../../apimachinery/object.ts';
import type { ResourceObject } from '../../schema/types/resource-object.ts';
import type { AdmissionAttributes } from '../attributes.ts';
import type { PluginAnswer, PluginPorts } from '../plugin.ts';

/** A request with its object. */
export type ObjectRequest<Stored extends KubernetesObject = KubernetesObject> = Omit<
  AdmissionAttributes,
  'object' | 'oldObject'
> & { readonly object: Stored; readonly oldObject: Stored | null };

/** A plugin function for objects of one resource; subresources and everything else pass. */
export const forResource =
  <Group extends string, Resource extends string, T = Result<PluginAnswer>>(
    { group, resource }: { readonly group: Group; readonly resource: Resource },
    handle: (request: ObjectRequest<ResourceObject<Group, Resource>>, ports: PluginPorts) => T,
  ) =>
  (request: AdmissionAttributes, ports: PluginPorts): T | Result<PluginAnswer> => {
    const isHandled =
      request.resource.resource === resource && request.resource.group === group && request.subresource === '';
    return isHandled && request.object !== null ? handle({ ...request, object: request.object }, ports) : pass(request);
  };

/** The request goes on as it is. */
export const pass = ({ object }: AdmissionAttributes): Result<PluginAnswer> => ok({ object });

export const pods = { group: '', resource: 'pods' } as const satisfies GroupResource;
