import { asString } from '../../../machinery/json/json.ts';
import { metadataOf } from '../../../machinery/meta/object.ts';
import type { Result } from '../../../machinery/meta/result.ts';
import type { AdmissionAttributes } from '../chain/attributes.ts';
import type { PluginAnswer, PluginPorts } from '../chain/plugin.ts';
import { deny, byRule } from '../chain/refused-by.ts';
import type { Node, Pod } from '../../../api/types/generated/core-v1.ts';

export interface BoundPodUpdate {
  readonly pod: Pod;
  readonly oldPod: Pod;
  readonly nodeName: string;
}

const nodeNameOf = (pod: Pod): string => asString(pod.spec?.nodeName);

/** The update of a bound Pod's spec through one of these subresources; undefined for any other request. */
export function boundPodUpdate(
  { resource, subresource, object, oldObject }: AdmissionAttributes,
  subresources: readonly string[],
): BoundPodUpdate | undefined {
  if (resource.group !== '' || resource.resource !== 'pods' || !subresources.includes(subresource)) return undefined;
  if (object === null || oldObject === null) return undefined;
  const nodeName = nodeNameOf(object);
  const isSame = metadataOf(object).generation === metadataOf(oldObject).generation;
  return nodeName === '' || isSame ? undefined : { pod: object, oldPod: oldObject, nodeName };
}

export function withNode(
  request: AdmissionAttributes,
  { cluster }: PluginPorts,
  nodeName: string,
  check: (node: Node) => Result<PluginAnswer>,
): Result<PluginAnswer> {
  const node: Node | undefined = cluster.get({ group: '', resource: 'nodes' }, '', nodeName);
  if (node) return check(node);
  return deny(request, `node ${JSON.stringify(nodeName)} not found`, byRule('spec.nodeName', 'a Node that exists'));
}
