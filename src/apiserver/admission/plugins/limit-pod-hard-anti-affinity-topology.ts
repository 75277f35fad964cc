import { asList, asString } from '../../../machinery/json/json.ts';
import { metadataOf } from '../../../machinery/meta/object.ts';
import { forbidden } from '../../../machinery/meta/status.ts';
import type { SyncPlugin } from '../chain/plugin.ts';
import { byRule, refuseBecauseOf } from '../chain/refusal.ts';
import { forResource, pass, podResource } from './handled-resource.ts';

const hostname = 'kubernetes.io/hostname';
const field = 'spec.affinity.podAntiAffinity.requiredDuringSchedulingIgnoredDuringExecution[].topologyKey';

/**
 * Denies required Pod anti-affinity over more than a node. Follows kubernetes
 * plugin/pkg/admission/antiaffinity/admission.go (rule PLG-27).
 */
export const limitPodHardAntiAffinityTopology: SyncPlugin = {
  name: 'LimitPodHardAntiAffinityTopology',
  operations: ['CREATE', 'UPDATE'],
  validate: forResource(podResource, (request) => {
    const { object, resource } = request;
    const keys = asList(object.spec?.affinity?.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution).map(
      ({ topologyKey }) => asString(topologyKey),
    );
    const wrong = keys.find((key) => key !== hostname);
    if (wrong === undefined) return pass(request);
    const message = `affinity.PodAntiAffinity.RequiredDuringScheduling has TopologyKey ${wrong} but only key ${hostname} is allowed`;
    const status = forbidden(resource, metadataOf(object).name ?? '', message);
    return refuseBecauseOf(request, status, byRule(field, hostname));
  }),
};
