import { asList, asObject } from '../../../machinery/json/json.ts';
import { ok } from '../../../machinery/meta/result.ts';
import type { SyncPlugin } from '../chain/plugin.ts';
import { forResource, pass, podResource } from './handled-resource.ts';
import type { Toleration } from '../../../api/types/generated/core-v1.ts';

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
    const { object } = request;
    const spec = asObject(object.spec);
    const tolerations = asList(spec.tolerations);
    const seconds = { 'node.kubernetes.io/not-ready': notReady, 'node.kubernetes.io/unreachable': unreachable };
    const missing = Object.entries(seconds).filter(([taint]) => !tolerations.some(covers(taint)));
    if (missing.length === 0) return pass(request);
    const added = missing.map(([key, tolerationSeconds]) => lostToleration(key, tolerationSeconds));
    return ok({
      object: { ...object, spec: { ...spec, tolerations: [...tolerations, ...added] } },
    });
  }),
});

const lostToleration = (key: string, tolerationSeconds: number): Toleration => ({
  key,
  operator: 'Exists',
  effect: 'NoExecute',
  tolerationSeconds,
});
