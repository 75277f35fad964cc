import { asList, asObject } from '../../../machinery/json/json.ts';
import { ok } from '../../../machinery/meta/result.ts';
import type { SyncPlugin } from '../chain/plugin.ts';
import { forResource, pass } from './handled-resource.ts';

const notReady = { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' } as const;

/**
 * Adds the not-ready taint to new nodes. Follows kubernetes plugin/pkg/admission/nodetaint/admission.go (rule PLG-13).
 */
export const taintNodesByCondition: SyncPlugin = {
  name: 'TaintNodesByCondition',
  operations: ['CREATE'],
  mutate: forResource({ group: '', resource: 'nodes' }, (request) => {
    const { object } = request;
    const spec = asObject(object.spec);
    const taints = asList(spec.taints);
    const isTainted = taints.some(({ key, effect }) => key === notReady.key && effect === notReady.effect);
    if (isTainted) return pass(request);
    return ok({
      object: { ...object, spec: { ...spec, taints: [...taints, notReady] } },
    });
  }),
};
