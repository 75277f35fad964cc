import type { GroupResource } from '../../machinery/meta/gvk.ts';

/**
 * Resources with another folder than their plural. Follows apiserver pkg/server/storage SpecialDefaultResourcePrefixes
 * and the servers of definitions and of APIServices.
 */
const special: ReadonlyMap<string, string> = new Map([
  ['replicationcontrollers', 'controllers'],
  ['endpoints', 'services/endpoints'],
  ['services', 'services/specs'],
  ['nodes', 'minions'],
  ['ingresses', 'ingress'],
  ['customresourcedefinitions', 'apiextensions.k8s.io/customresourcedefinitions'],
  ['apiservices', 'apiregistration.k8s.io/apiservices'],
]);

/** The etcd folder of a built-in resource. */
export const builtInFolder = (plural: string): string => special.get(plural) ?? plural;

export const customFolder = ({ group, resource }: GroupResource): string => `${group}/${resource}`;
