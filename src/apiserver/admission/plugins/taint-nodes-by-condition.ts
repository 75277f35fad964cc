import { asList } from '../../../machinery/json/json.ts';
import type { SyncPlugin } from '../chain/plugin.ts';
import { forResource, pass, withSpec } from './handled-resource.ts';

const notReady = { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' } as const;

/**
 * Adds the not-ready taint to new nodes. Follows kubernetes plugin/pkg/admission/nodetaint/admission.go (rule PLG-13).
 */
export const taintNodesByCondition: SyncPlugin = {
  name: 'TaintNodesByCondition',
  operations: ['CREATE'],
  mutate: forResource({ group: '', resource: 'nodes' }, (request) => {
    const taints = asList(request.object.spec?.taints);
    const isTainted = taints.some(({ key, effect }) => key === notReady.key && effect === notReady.effect);
    if (isTainted) return pass(request);
    return withSpec(request, { taints: [...taints, notReady] });
  }),
};
