import { asString, asList, asObject } from '../../../machinery/json/json.ts';
import { metadataOf } from '../../../machinery/meta/object.ts';
import type { Result } from '../../../machinery/meta/result.ts';
import type { AdmissionAttributes } from '../chain/attributes.ts';
import type { PluginAnswer, PluginPorts, SyncPlugin } from '../chain/plugin.ts';
import { deny, byRule, byObject, refuseBecauseOf, newForbidden } from '../chain/refusal.ts';
import type { Node, Pod } from '../../../api/types/generated/core-v1.ts';
import { sameJson } from '../../../machinery/json/json-equal.ts';
import { onlyFor, pass, podResource } from './handled-resource.ts';
import {
  compareQuantities,
  type Quantity,
  quantityMilliValue,
  quantityValue,
} from '../../../machinery/meta/quantity.ts';
import type { Status } from '../../../machinery/meta/status.ts';
import { podResources } from '../../quota/pod-evaluator.ts';
import { count, readUsage } from '../../quota/usage.ts';

/**
 * The node of a Pod must declare the features that an update needs. Follows kubernetes
 * plugin/pkg/admission/nodedeclaredfeatures/admission.go and component-helpers nodedeclaredfeatures.
 */
export const nodeDeclaredFeatureValidator: SyncPlugin = {
  name: 'NodeDeclaredFeatureValidator',
  operations: ['UPDATE'],
  validate: onlyFor([podResource], (request, ports) => {
    const update = findBoundPodUpdate(request, ['', 'resize']);
    const needed = update ? features.filter(([, isNeeded]) => isNeeded(update)).map(([name]) => name) : [];
    if (!update || needed.length === 0) return pass(request);
    return checkNode(request, ports, update.nodeName, (node) => {
      const declared = asList(node.status?.declaredFeatures).map(asString);
      const missing = needed.filter((name) => !declared.includes(name));
      if (missing.length === 0) return pass(request);
      const where = `which are not available on node ${JSON.stringify(update.nodeName)}`;
      const status = newForbidden(request, `pod update requires features ${missing.join(', ')} ${where}`);
      const limit = { refused: 'the resources of spec', allowed: 'changes that the node has the features for' };
      return refuseBecauseOf(request, status, byObject(node, 'status.declaredFeatures', limit));
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

/**
 * Pods are resized on Linux only, within the node's allocatable. Follows kubernetes
 * plugin/pkg/admission/podresize/admission.go.
 */
export const podResizeValidator: SyncPlugin = {
  name: 'PodResizeValidator',
  operations: ['UPDATE'],
  validate: onlyFor([podResource], (request, ports) => {
    const update = findBoundPodUpdate(request, ['resize']);
    if (!update) return pass(request);
    return checkNode(request, ports, update.nodeName, (node) => {
      const system = metadataOf(node).labels?.['kubernetes.io/os'];
      if (system !== undefined && system !== 'linux') {
        const names = [update.nodeName, system].map((text) => JSON.stringify(text));
        const text = `pod resize is only supported on linux nodes, node ${names.join(' is ')}`;
        const limit = { refused: 'a resize', allowed: 'Pods on linux' };
        return refuseBecauseOf(
          request,
          refusalFor('UnsupportedPlatform', request, text),
          byObject(node, osLabel, limit),
        );
      }
      const lacking = findShortages(update.pod, node);
      if (lacking.length === 0) return pass(request);
      const text = `node didn't have enough allocatable resources: ${lacking.join('; ')}`;
      const limit = { refused: 'the sum of requests', allowed: 'as much as the node has for Pods' };
      return refuseBecauseOf(
        request,
        refusalFor('NodeCapacity', request, text),
        byObject(node, 'status.allocatable', limit),
      );
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

function findShortages(pod: Pod, node: Node): readonly string[] {
  const { requests } = podResources(asObject(pod.spec));
  const allocatable = readUsage(asObject(node.status?.allocatable));
  return compared.flatMap(([name, amount]) => {
    const [wanted = count(0), there = count(0)] = [requests.get(name), allocatable.get(name)];
    if (compareQuantities(wanted, there) <= 0) return [];
    return [`${name}, requested: ${amount(wanted)}, allocatable: ${amount(there)}`];
  });
}

interface BoundPodUpdate {
  readonly pod: Pod;
  readonly oldPod: Pod;
  readonly nodeName: string;
}

const nodeNameOf = (pod: Pod): string => asString(pod.spec?.nodeName);

/** The update of a bound Pod's spec through one of these subresources; undefined for any other request. */
function findBoundPodUpdate(
  { resource, subresource, object, oldObject }: AdmissionAttributes,
  subresources: readonly string[],
): BoundPodUpdate | undefined {
  if (resource.group !== '' || resource.resource !== 'pods' || !subresources.includes(subresource)) return undefined;
  if (object === null || oldObject === null) return undefined;
  const nodeName = nodeNameOf(object);
  const isSame = metadataOf(object).generation === metadataOf(oldObject).generation;
  return nodeName === '' || isSame ? undefined : { pod: object, oldPod: oldObject, nodeName };
}

function checkNode(
  request: AdmissionAttributes,
  { cluster }: PluginPorts,
  nodeName: string,
  check: (node: Node) => Result<PluginAnswer>,
): Result<PluginAnswer> {
  const node: Node | undefined = cluster.get({ group: '', resource: 'nodes' }, '', nodeName);
  if (node) return check(node);
  return deny(request, `node ${JSON.stringify(nodeName)} not found`, byRule('spec.nodeName', 'a Node that exists'));
}
