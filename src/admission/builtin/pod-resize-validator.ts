import { asObject, valueAt } from '../../apimachinery/json.ts';
import { metadataOf } from '../../apimachinery/object.ts';
import type { KubernetesObject } from '../../apimachinery/object.ts';
import { compareQuantities, quantityMilliValue, quantityValue } from '../../apimachinery/quantity.ts';
import type { Quantity } from '../../apimachinery/quantity.ts';
import { refuse } from '../../apimachinery/result.ts';
import type { Result } from '../../apimachinery/result.ts';
import { podResources } from '../../quota/pod-resources.ts';
import { count, readUsage } from '../../quota/usage.ts';
import type { AdmissionAttributes } from '../attributes.ts';
import { newForbidden } from '../forbidden.ts';
import type { BuiltinPlugin, PluginAnswer } from '../plugin.ts';
import { boundPodUpdate, withNode } from './bound-pod-update.ts';
import { pass } from './handled-resource.ts';

/**
 * A Pod is resized on Linux alone, and to no more than its node has for Pods.
 * Follows kubernetes plugin/pkg/admission/podresize/admission.go.
 */
export const podResizeValidator: BuiltinPlugin = {
  name: 'PodResizeValidator',
  operations: ['UPDATE'],
  validate: (request, ports) => {
    const update = boundPodUpdate(request, ['resize']);
    if (!update) return pass(request);
    return withNode(request, ports, update.nodeName, (node) => {
      const system = metadataOf(node).labels?.['kubernetes.io/os'];
      if (system !== undefined && system !== 'linux') {
        const names = [update.nodeName, system].map((text) => JSON.stringify(text));
        const text = `pod resize is only supported on linux nodes, node ${names.join(' is ')}`;
        return refuseFor('UnsupportedPlatform', request, text);
      }
      const lacking = shortages(update.pod, node);
      if (lacking.length === 0) return pass(request);
      const text = `node didn't have enough allocatable resources: ${lacking.join('; ')}`;
      return refuseFor('NodeCapacity', request, text);
    });
  },
};

function refuseFor(reason: string, request: AdmissionAttributes, message: string): Result<PluginAnswer> {
  const status = newForbidden(request, message);
  return refuse({ ...status, details: { ...status.details, causes: [{ reason }] } });
}

const compared: readonly (readonly [name: string, amount: (quantity: Quantity) => bigint])[] = [
  ['cpu', quantityMilliValue],
  ['memory', quantityValue],
];

function shortages(pod: KubernetesObject, node: KubernetesObject): readonly string[] {
  const { requests } = podResources(asObject(pod['spec']));
  const allocatable = readUsage(asObject(valueAt(node, 'status', 'allocatable')));
  return compared.flatMap(([name, amount]) => {
    const [wanted = count(0), there = count(0)] = [requests.get(name), allocatable.get(name)];
    if (compareQuantities(wanted, there) <= 0) return [];
    return [`${name}, requested: ${amount(wanted)}, allocatable: ${amount(there)}`];
  });
}
