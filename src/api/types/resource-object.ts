import type { KubernetesObject } from '../../machinery/meta/object.ts';
import type { BuiltinResources } from './generated/kinds.ts';

/** KubernetesObject for a resource that is not built in. */
export type ResourceObject<
  Group extends string,
  Resource extends string,
> = `${Group}/${Resource}` extends keyof BuiltinResources ? BuiltinResources[`${Group}/${Resource}`] : KubernetesObject;
