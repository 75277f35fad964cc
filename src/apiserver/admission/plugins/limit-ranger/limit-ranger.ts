import { asList, asObject } from '../../../../machinery/json/json.ts';
import { metadataOf, withMetadata } from '../../../../machinery/meta/object.ts';
import type { KubernetesObject } from '../../../../machinery/meta/object.ts';
import { ok } from '../../../../machinery/meta/result.ts';
import type { AdmissionAttributes } from '../../chain/attributes.ts';
import { newForbidden } from '../../chain/forbidden.ts';
import type { BuiltinPlugin, PluginPorts, RefusalSource } from '../../chain/plugin.ts';
import { onlyFor, pass, pods } from '../handled-resource.ts';
import type { ObjectRequest } from '../handled-resource.ts';
import { containerDefaults } from './limit-range-defaults.ts';
import { claimFaults, podFaults } from './limit-range-faults.ts';
import type {
  LimitRange,
  LimitRangeItem,
  PersistentVolumeClaim,
  Pod,
} from '../../../../api/types/generated/core-v1.ts';

/**
 * Pods and claims keep to the LimitRanges of their namespace; what a container leaves out is filled in.
 * Follows kubernetes plugin/pkg/admission/limitranger/admission.go (rule PLG-11).
 */
export const limitRanger: BuiltinPlugin = {
  name: 'LimitRanger',
  operations: ['CREATE', 'UPDATE'],
  mutate: onlyFor([pods], (request, ports) => {
    if (!isLimited(request) || request.resource.resource !== 'pods') return pass(request);
    const object = limitRangesOf(request, ports).map(limitsIn).reduce(withDefaults, request.object);
    return ok({ object });
  }),
  validate: onlyFor([pods, { group: '', resource: 'persistentvolumeclaims' }], (request, ports) => {
    if (!isLimited(request)) return pass(request);
    const faultsOf = faultsIn(request);
    // The first LimitRange that is violated answers, with all its complaints.
    for (const limitRange of limitRangesOf(request, ports)) {
      const faults = [...new Set(limitsIn(limitRange).flatMap(faultsOf))];
      const [first = ''] = faults;
      if (faults.length === 0) continue;
      const refusal = newForbidden(request, faults.length === 1 ? first : `[${faults.join(', ')}]`);
      return ok({ object: request.object, refusal, refusedBy: referenceTo(limitRange) });
    }
    return pass(request);
  }),
};

/** What a limit has against the Pod or the claim. */
function faultsIn({ resource, object }: ObjectRequest): (limit: LimitRangeItem) => readonly string[] {
  const { spec: pod }: Pod = object;
  const { spec: claim }: PersistentVolumeClaim = object;
  const isPod = resource.resource === 'pods';
  return (limit) => (isPod ? podFaults(limit, asObject(pod)) : claimFaults(limit, asObject(claim)));
}

/** New pods, pods that are resized, and claims. */
function isLimited(request: AdmissionAttributes): request is ObjectRequest {
  const { kind, operation, subresource, object, oldObject } = request;
  if (object === null || kind.group !== '') return false;
  // What is going may still be changed, to let it go.
  if (oldObject !== null && metadataOf(oldObject).deletionTimestamp !== undefined) return false;
  if (kind.kind === 'PersistentVolumeClaim') return subresource === '';
  return kind.kind === 'Pod' && (operation === 'CREATE' ? subresource === '' : subresource === 'resize');
}

const limitRangesOf = ({ namespace }: AdmissionAttributes, { cluster }: PluginPorts): readonly KubernetesObject[] =>
  cluster.list({ group: '', resource: 'limitranges' }, namespace);

const limitsIn = (limitRange: LimitRange): readonly LimitRangeItem[] => asList(asObject(limitRange.spec).limits);

function referenceTo(limitRange: LimitRange): RefusalSource {
  const { name = '', namespace = '' } = metadataOf(limitRange);
  return { kind: 'LimitRange', namespace, name, field: 'spec.limits' };
}

const annotation = 'kubernetes.io/limit-ranger';

/** The pod with the defaults of one LimitRange, and a note of what was set. */
function withDefaults(pod: Pod, limits: readonly LimitRangeItem[]): Pod {
  const spec = asObject(pod.spec);
  const containers = containerDefaults(spec.containers, 'container', limits);
  const initContainers = containerDefaults(spec.initContainers, 'init container', limits);
  const notes = [...containers.notes, ...initContainers.notes];
  if (notes.length === 0) return pod;
  const fields = { containers: containers.containers, initContainers: initContainers.containers };
  const annotations = { ...metadataOf(pod).annotations, [annotation]: `LimitRanger plugin set: ${notes.join('; ')}` };
  return withMetadata({ ...pod, spec: { ...spec, ...fields } }, { annotations });
}
