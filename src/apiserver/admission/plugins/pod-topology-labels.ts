import { asString } from '../../../machinery/json/json.ts';
import { metadataOf, type StringMap, withMetadata } from '../../../machinery/meta/object.ts';
import { ok } from '../../../machinery/meta/result.ts';
import type { SyncPlugin } from '../chain/plugin.ts';
import { type ObjectRequest, onlyFor, pass, podResource } from './handled-resource.ts';
import type { Binding, Pod } from '../../../api/types/generated/core-v1.ts';

const topologyKeys = ['topology.kubernetes.io/zone', 'topology.kubernetes.io/region'];

/**
 * Copies the node's zone and region labels to a Pod at binding. Follows kubernetes
 * plugin/pkg/admission/podtopologylabels/admission.go (rule PLG-23).
 */
export const podTopologyLabels: SyncPlugin = {
  name: 'PodTopologyLabels',
  operations: ['CREATE'],
  mutate: onlyFor([podResource], (request, { cluster }) => {
    const { object, resource, subresource } = request;
    if (object === null || resource.group !== '' || resource.resource !== 'pods') return pass(request);
    const nodeName = nodeOf({ ...request, object });
    const node = nodeName === '' ? undefined : cluster.get({ group: '', resource: 'nodes' }, '', nodeName);
    const present = metadataOf(object).labels ?? {};
    const nodeLabels = (node && metadataOf(node).labels) ?? {};
    const added = topologyKeys.filter((key) => nodeLabels[key] !== undefined && nodeLabels[key] !== present[key]);
    if (added.length === 0 || (subresource !== '' && subresource !== 'binding')) return pass(request);
    return ok({ object: withMetadata(object, { labels: { ...present, ...pickLabels(nodeLabels, added) } }) });
  }),
};

function nodeOf({ object, subresource }: ObjectRequest): string {
  return subresource === 'binding' ? boundTo(object) : assignedTo(object);
}

const boundTo = ({ target }: Binding): string => (target?.kind === 'Node' ? asString(target.name) : '');

const assignedTo = ({ spec }: Pod): string => asString(spec?.nodeName);

const pickLabels = (labels: StringMap, keys: readonly string[]): StringMap =>
  Object.fromEntries(keys.map((key) => [key, asString(labels[key])]));
