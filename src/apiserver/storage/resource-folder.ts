import type { GroupResource } from '../../machinery/meta/gvk.ts';

/**
 * Resources that lie elsewhere than under their plural. Follows apiserver pkg/server/storage SpecialDefaultResourcePrefixes and
 * the servers of definitions and of APIServices, which keep theirs under their group.
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

/** Where kube-apiserver keeps a built-in resource in etcd, below its prefix. */
export const builtInFolder = (plural: string): string => special.get(plural) ?? plural;

export const customFolder = ({ group, resource }: GroupResource): string => `${group}/${resource}`;
