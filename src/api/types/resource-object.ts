import type { KubernetesObject } from '../../machinery/meta/object.ts';
import type { BuiltinResources } from './generated/kinds.ts';

/** The type of the objects of a resource; of one that is not built in, any object. */
export type ResourceObject<
  Group extends string,
  Resource extends string,
> = `${Group}/${Resource}` extends keyof BuiltinResources ? BuiltinResources[`${Group}/${Resource}`] : KubernetesObject;
