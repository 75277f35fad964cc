import { asObject } from '../../../machinery/json/json.ts';
import { metadataOf } from '../../../machinery/meta/object.ts';
import {
  compareQuantities,
  type Quantity,
  quantityMilliValue,
  quantityValue,
} from '../../../machinery/meta/quantity.ts';
import type { Status } from '../../../machinery/meta/status.ts';
import { podResources } from '../../quota/pod-evaluator.ts';
import { count, readUsage } from '../../quota/usage.ts';
import type { AdmissionAttributes } from '../chain/attributes.ts';
import { newForbidden } from '../chain/forbidden.ts';
import type { SyncPlugin } from '../chain/plugin.ts';
import { byObject, refusedBy } from '../chain/refused-by.ts';
import { boundPodUpdate, withNode } from './bound-pod-update.ts';
import { onlyFor, pass, podResource } from './handled-resource.ts';
import type { Node, Pod } from '../../../api/types/generated/core-v1.ts';

/**
 * Pods are resized on Linux only, within the node's allocatable. Follows kubernetes
 * plugin/pkg/admission/podresize/admission.go.
 */
export const podResizeValidator: SyncPlugin = {
  name: 'PodResizeValidator',
  operations: ['UPDATE'],
  validate: onlyFor([podResource], (request, ports) => {
    const update = boundPodUpdate(request, ['resize']);
    if (!update) return pass(request);
    return withNode(request, ports, update.nodeName, (node) => {
      const system = metadataOf(node).labels?.['kubernetes.io/os'];
      if (system !== undefined && system !== 'linux') {
        const names = [update.nodeName, system].map((text) => JSON.stringify(text));
        const text = `pod resize is only supported on linux nodes, node ${names.join(' is ')}`;
        const limit = { refused: 'a resize', allowed: 'Pods on linux' };
        return refusedBy(request, refusalFor('UnsupportedPlatform', request, text), byObject(node, osLabel, limit));
      }
      const lacking = shortages(update.pod, node);
      if (lacking.length === 0) return pass(request);
      const text = `node didn't have enough allocatable resources: ${lacking.join('; ')}`;
      const limit = { refused: 'the sum of requests', allowed: 'as much as the node has for Pods' };
      return refusedBy(request, refusalFor('NodeCapacity', request, text), byObject(node, 'status.allocatable', limit));
    });
  }),
};

const osLabel = 'label kubernetes.io/os';

function refusalFor(reason: string, request: AdmissionAttributes, message: string): Status {
  const status = newForbidden(request, message);
  return { ...status, details: { ...status.details, causes: [{ reason }] } };
}

const compared: readonly (readonly [name: string, amount: (quantity: Quantity) => bigint])[] = [
  ['cpu', quantityMilliValue],
  ['memory', quantityValue],
];

function shortages(pod: Pod, node: Node): readonly string[] {
  const { requests } = podResources(asObject(pod.spec));
  const allocatable = readUsage(asObject(node.status?.allocatable));
  return compared.flatMap(([name, amount]) => {
    const [wanted = count(0), there = count(0)] = [requests.get(name), allocatable.get(name)];
    if (compareQuantities(wanted, there) <= 0) return [];
    return [`${name}, requested: ${amount(wanted)}, allocatable: ${amount(there)}`];
  });
}
