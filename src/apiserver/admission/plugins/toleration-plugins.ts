import { asList, asObject } from '../../../machinery/json/json.ts';
import type { SyncPlugin } from '../chain/plugin.ts';
import { forResource, pass, podResource, withSpec } from './handled-resource.ts';
import type { Toleration, PodSpec } from '../../../api/types/generated/core-v1.ts';
import { sameJson } from '../../../machinery/json/json-equal.ts';

/** Seconds by taint, from the flags. */
export interface TolerationSeconds {
  readonly notReady: number;
  readonly unreachable: number;
}

/** A toleration without key or effect covers all of them. */
const covers =
  (taint: string) =>
  ({ key, effect }: Toleration) =>
    [taint, undefined, ''].includes(key) && ['NoExecute', undefined, ''].includes(effect);

/**
 * Adds tolerations for not-ready and unreachable nodes, five minutes by default. Follows kubernetes
 * plugin/pkg/admission/defaulttolerationseconds/admission.go (rule PLG-16).
 */
export const createDefaultTolerationSeconds = ({ notReady, unreachable }: TolerationSeconds): SyncPlugin => ({
  name: 'DefaultTolerationSeconds',
  operations: ['CREATE', 'UPDATE'],
  mutate: forResource(podResource, (request) => {
    const tolerations = asList(request.object.spec?.tolerations);
    const seconds = { 'node.kubernetes.io/not-ready': notReady, 'node.kubernetes.io/unreachable': unreachable };
    const missing = Object.entries(seconds).filter(([taint]) => !tolerations.some(covers(taint)));
    if (missing.length === 0) return pass(request);
    const added = missing.map(([key, tolerationSeconds]) => noExecuteToleration(key, tolerationSeconds));
    return withSpec(request, { tolerations: [...tolerations, ...added] });
  }),
});

const noExecuteToleration = (key: string, tolerationSeconds: number): Toleration => ({
  key,
  operator: 'Exists',
  effect: 'NoExecute',
  tolerationSeconds,
});

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
    const after = extendedResources(spec).reduce(addOrUpdateToleration, before);
    if (after === before) return pass(request);
    return withSpec(request, { tolerations: after });
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
function addOrUpdateToleration(tolerations: readonly Toleration[], key: string): readonly Toleration[] {
  const wanted: Toleration = { key, operator: 'Exists', effect: 'NoSchedule' };
  const isSame = ({ key: own = '', operator = '', value = '', effect = '' }: Toleration): boolean =>
    sameJson({ key: own, operator, effect }, wanted) && value === '';
  if (tolerations.some((one) => sameJson(one, wanted))) return tolerations;
  return tolerations.some(isSame) ? tolerations.map((one) => (isSame(one) ? wanted : one)) : [...tolerations, wanted];
}
