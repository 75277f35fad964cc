import { sameJson } from '../../../machinery/json/json-equal.ts';
import { asList, asObject, asString } from '../../../machinery/json/json.ts';
import { newForbidden } from '../chain/forbidden.ts';
import type { SyncPlugin } from '../chain/plugin.ts';
import { byObject, refusedBy } from '../chain/refused-by.ts';
import { boundPodUpdate, type BoundPodUpdate, withNode } from './bound-pod-update.ts';
import { onlyFor, pass, podResource } from './handled-resource.ts';
import type { Pod } from '../../../api/types/generated/core-v1.ts';

/**
 * The node of a Pod must declare the features that an update needs. Follows kubernetes
 * plugin/pkg/admission/nodedeclaredfeatures/admission.go and component-helpers nodedeclaredfeatures.
 */
export const nodeDeclaredFeatureValidator: SyncPlugin = {
  name: 'NodeDeclaredFeatureValidator',
  operations: ['UPDATE'],
  validate: onlyFor([podResource], (request, ports) => {
    const update = boundPodUpdate(request, ['', 'resize']);
    const needed = update ? features.filter(([, isNeeded]) => isNeeded(update)).map(([name]) => name) : [];
    if (!update || needed.length === 0) return pass(request);
    return withNode(request, ports, update.nodeName, (node) => {
      const declared = asList(node.status?.declaredFeatures).map(asString);
      const missing = needed.filter((name) => !declared.includes(name));
      if (missing.length === 0) return pass(request);
      const where = `which are not available on node ${JSON.stringify(update.nodeName)}`;
      const status = newForbidden(request, `pod update requires features ${missing.join(', ')} ${where}`);
      const limit = { refused: 'the resources of spec', allowed: 'changes that the node has the features for' };
      return refusedBy(request, status, byObject(node, 'status.declaredFeatures', limit));
    });
  }),
};

/** In order of names. */
const features: readonly (readonly [name: string, isNeeded: (update: BoundPodUpdate) => boolean])[] = [
  [
    'InPlacePodLevelResourcesVerticalScaling',
    ({ pod, oldPod }) => !sameJson(asObject(pod.spec).resources, asObject(oldPod.spec).resources),
  ],
  ['InPlacePodVerticalScalingInitContainers', ({ pod, oldPod }) => isInitContainerResized(pod, oldPod)],
];

function isInitContainerResized(pod: Pod, oldPod: Pod): boolean {
  const containers = asList(asObject(pod.spec).initContainers);
  const old = asList(asObject(oldPod.spec).initContainers);
  return old.some(
    (container, at) =>
      container.restartPolicy !== 'Always' && !sameJson(container.resources, containers[at]?.resources),
  );
}
