import { asList, asObject } from '../../../machinery/json/json.ts';
import { sameJson } from '../../../machinery/json/json-equal.ts';
import { ok } from '../../../machinery/meta/result.ts';
import type { SyncPlugin } from '../chain/plugin.ts';
import type { PodSpec, Toleration } from '../../../api/types/generated/core-v1.ts';
import { forResource, pass, podResource } from './handled-resource.ts';

/**
 * Adds a toleration for each extended resource that a Pod requests. Follows kubernetes
 * plugin/pkg/admission/extendedresourcetoleration/admission.go (rule PLG-27).
 */
export const extendedResourceToleration: SyncPlugin = {
  name: 'ExtendedResourceToleration',
  operations: ['CREATE', 'UPDATE'],
  mutate: forResource(podResource, (request) => {
    const spec = asObject(request.object.spec);
    const before = asList(spec.tolerations);
    const after = extendedResources(spec).reduce(tolerating, before);
    if (after === before) return pass(request);
    return ok({ object: { ...request.object, spec: { ...spec, tolerations: after } } });
  }),
};

const isExtended = (name: string): boolean =>
  name.includes('/') && !name.includes('kubernetes.io/') && !name.startsWith('requests.');

const extendedResources = (spec: PodSpec): readonly string[] => {
  const containers = [...asList(spec.containers), ...asList(spec.initContainers)];
  const names = containers.flatMap(({ resources }) => Object.keys(asObject(asObject(resources).requests)));
  return [...new Set(names.filter(isExtended))].toSorted();
};

/** Follows kubernetes pkg/apis/core/v1/helper AddOrUpdateTolerationInPod. */
function tolerating(tolerations: readonly Toleration[], key: string): readonly Toleration[] {
  const wanted: Toleration = { key, operator: 'Exists', effect: 'NoSchedule' };
  const isSame = ({ key: own = '', operator = '', value = '', effect = '' }: Toleration): boolean =>
    sameJson({ key: own, operator, effect }, wanted) && value === '';
  if (tolerations.some((one) => sameJson(one, wanted))) return tolerations;
  return tolerations.some(isSame) ? tolerations.map((one) => (isSame(one) ? wanted : one)) : [...tolerations, wanted];
}
