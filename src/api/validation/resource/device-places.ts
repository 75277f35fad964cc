import { invalidValue, required } from '../../../machinery/meta/field-error.ts';
import { dns1123Subdomain } from '../../../machinery/meta/names.ts';
import type { Device, ResourceSliceSpec } from '../../types/generated/resource-v1.ts';
import { internalForm } from '../../types/internal-form.ts';
import { validateNodeSelector } from '../core/affinity.ts';
import { following, none, when, type Complaints } from '../field-rules.ts';

// Node selection of a slice. Follows kubernetes pkg/apis/resource/validation/validation.go.

const onePlace = 'exactly one of `nodeName`, `nodeSelector`, `allNodes`, `perDeviceNodeSelection` is required';

export function placeErrors(spec: ResourceSliceSpec): Complaints {
  const { nodeName, nodeSelector, allNodes, perDeviceNodeSelection } = spec;
  const set = [
    ...(nodeName ? ['`nodeName`'] : []),
    ...(nodeSelector ? ['`nodeSelector`'] : []),
    ...(allNodes ? ['`allNodes`'] : []),
    ...(perDeviceNodeSelection ? ['`perDeviceNodeSelection`'] : []),
  ];
  const terms = nodeSelector?.nodeSelectorTerms ?? [];
  return [
    ...nodeNameErrors(nodeName, 'spec.nodeName', 'must be either unset or set to a non-empty string'),
    ...(nodeSelector ? validateNodeSelector(nodeSelector, 'spec.nodeSelector') : none),
    ...when(nodeSelector !== undefined && terms.length !== 1, () =>
      invalidValue(
        'spec.nodeSelector.nodeSelectorTerms',
        internalForm('[]core.NodeSelectorTerm', terms),
        'must have exactly one node selector term',
      ),
    ),
    ...notFalse(allNodes, 'spec.allNodes'),
    ...notFalse(perDeviceNodeSelection, 'spec.perDeviceNodeSelection'),
    ...oneOfThese(set, 'spec', onePlace, `${onePlace}, but multiple fields are set`),
  ];
}

const oneOfThese = (set: readonly string[], path: string, text: string, textOfMany: string): Complaints => {
  if (set.length === 1) return [];
  return [set.length === 0 ? required(path, text) : invalidValue(path, `{${set.join(', ')}}`, textOfMany)];
};

const nodeNameErrors = (name: string | undefined, path: string, textOfNone: string): Complaints =>
  name === undefined
    ? none
    : name === ''
      ? [invalidValue(path, '', textOfNone)]
      : following(dns1123Subdomain, path, name);

const notFalse = (flag: boolean | undefined, path: string): Complaints =>
  when(flag === false, () => invalidValue(path, false, 'must be either unset or set to true'));

const ofSlice = 'when `perDeviceNodeSelection` is set to true in the ResourceSlice spec';
const oneDevicePlace = `exactly one of \`nodeName\`, \`nodeSelector\`, or \`allNodes\` is required ${ofSlice}`;

/** When the slice leaves node selection to its devices. */
export function devicePlaceErrors(
  { nodeName, nodeSelector, allNodes }: Device,
  path: string,
  isAsked: boolean,
): Complaints {
  if (!isAsked) {
    const isPlaced = nodeName !== undefined || nodeSelector !== undefined || allNodes !== undefined;
    const text =
      '`nodeName`, `nodeSelector` and `allNodes` can only be set if `perDeviceNodeSelection` is set to true in the ResourceSlice spec';
    return when(isPlaced, () => invalidValue(path, null, text));
  }
  const set = [
    ...(nodeName ? ['`nodeName`'] : []),
    ...(nodeSelector ? ['`nodeSelector`'] : []),
    ...(allNodes ? ['`allNodes`'] : []),
  ];
  return [
    ...nodeNameErrors(nodeName, `${path}.nodeName`, 'must not be empty'),
    ...(nodeSelector ? validateNodeSelector(nodeSelector, `${path}.nodeSelector`) : none),
    ...notFalse(allNodes, `${path}.allNodes`),
    ...oneOfThese(set, path, oneDevicePlace, oneDevicePlace),
  ];
}
