import {
  validateRequiredEnum,
  validateText,
  validateRequiredText,
  eachOf,
  noErrors,
  errorIf,
  type FieldErrors,
} from '../field-rules.ts';
import { fieldNotFound, invalidValue, required, tooLong } from '../../../machinery/meta/field-error.ts';
import { sameJson } from '../../../machinery/json/json-equal.ts';
import {
  byteLength,
  dns1123Label,
  labelValueErrors,
  qualifiedNameErrors,
  dns1123Subdomain,
} from '../../../machinery/meta/names.ts';
import type * as resource from '../../types/generated/resource-v1.ts';
import type { Device, ResourceSliceSpec } from '../../types/generated/resource-v1.ts';
import type { FormerDeviceFields } from '../../types/former-fields.ts';
import { toInternalForm } from '../../types/internal-form.ts';
import {
  validateDeviceBindingParameters,
  validateQualifiedName,
  validateMap,
  validateSlice,
  validateSet,
  taintEffects,
} from './device-names.ts';
import { validateMultiAllocatableDeviceCapacity, validateSingleAllocatableDeviceCapacity } from './device-capacity.ts';
import { parseAmount } from '../meta/quantity-amount.ts';
import { isNative } from '../core/resources.ts';
import { validateNodeSelector } from '../core/affinity.ts';

// One device of a slice. Follows kubernetes pkg/apis/resource/validation/validation.go.

const limits = { taints: 16, counters: 32, consumed: 2 } as const;
const maxNames = 32;
const maxValues = 48;
const maxValueLength = 64;

export interface DeviceContext {
  readonly before: resource.Device | undefined;
  readonly placesDevices: boolean;
}

/** `before` is the old device of the same name. */
export function validateDevice(
  device: resource.Device,
  path: string,
  { before, placesDevices }: DeviceContext,
): FieldErrors {
  const { name = '', attributes, capacity, taints, consumesCounters } = device;
  const names = Object.keys(attributes ?? {}).length + Object.keys(capacity ?? {}).length;
  const isShared = device.allowMultipleAllocations === true;
  return [
    ...validateText(dns1123Label, `${path}.name`, name),
    ...validateTotal(names, path, 'attributes and capacities', maxNames),
    ...validateTotal(countValues(attributes ?? {}), path, 'attribute values', maxValues),
    ...validateMap(attributes, `${path}.attributes`, { key: validateQualifiedName, value: validateDeviceAttribute }),
    ...validateMap(capacity, `${path}.capacity`, {
      key: validateQualifiedName,
      value: isShared ? validateMultiAllocatableDeviceCapacity : validateSingleAllocatableDeviceCapacity,
    }),
    ...(before && sameJson(before.taints, taints)
      ? noErrors
      : validateSlice(taints, `${path}.taints`, limits.taints, validateDeviceTaint)),
    ...validateSet(consumesCounters, `${path}.consumesCounters`, {
      max: limits.consumed,
      check: validateDeviceCounterConsumption,
      keyOf: ({ counterSet }) => counterSet ?? '',
    }),
    ...validateDeviceNodeSelection(device, path, placesDevices),
    ...validateDeviceBindingParameters(device, path),
    ...validateNodeAllocatableResourceMappings(device, `${path}.nodeAllocatableResourceMappings`),
  ];
}

const validateTotal = (count: number, path: string, what: string, limit: number): FieldErrors =>
  errorIf(count > limit, () => invalidValue(path, count, `the total number of ${what} must not exceed ${limit}`));

const countValues = (attributes: NonNullable<resource.Device['attributes']>): number =>
  Object.values(attributes).reduce((count, attribute) => count + countAttributeValues(attribute), 0);

const countAttributeValues = (attribute: resource.DeviceAttribute): number =>
  attributeLists(attribute).reduce((sum, list) => sum + list.length, 0) || 1;

const version =
  /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(-(0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*)(\.(0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*))*)?(\+[0-9a-zA-Z-]+(\.[0-9a-zA-Z-]+)*)?$/;

const oneValueText = 'exactly one value must be specified';

function validateDeviceAttribute(attribute: resource.DeviceAttribute, path: string): FieldErrors {
  const { int, bool, string, version: one, ints, bools, strings, versions } = attribute;
  const set = [int, bool, string, one, ints, bools, strings, versions].filter((value) => value !== undefined).length;
  return [
    ...(string === undefined ? noErrors : validateAttributeString(string, `${path}.string`)),
    ...(one === undefined ? noErrors : validateAttributeVersion(one, `${path}.version`)),
    ...validateNotEmpty(bools, `${path}.bools`),
    ...validateNotEmpty(ints, `${path}.ints`),
    ...validateNotEmpty(strings, `${path}.strings`),
    ...eachOf(strings ?? [], (text, index) => validateAttributeString(text, `${path}.strings[${index}]`)),
    ...validateNotEmpty(versions, `${path}.versions`),
    ...eachOf(versions ?? [], (text, index) => validateAttributeVersion(text, `${path}.versions[${index}]`)),
    ...errorIf(set === 0, () => invalidValue(path, '', oneValueText)),
    ...errorIf(set > 1, () =>
      invalidValue(
        path,
        toInternalForm('resource.DeviceAttribute', {
          intValue: attribute.int,
          boolValue: attribute.bool,
          stringValue: attribute.string,
          versionValue: attribute.version,
          intValues: attribute.ints,
          boolValues: attribute.bools,
          stringValues: attribute.strings,
          versionValues: attribute.versions,
        }),
        oneValueText,
      ),
    ),
  ];
}

const validateNotEmpty = (list: readonly unknown[] | undefined, path: string): FieldErrors =>
  errorIf(list?.length === 0, () => invalidValue(path, [], 'must not be empty if specified'));

const validateAttributeString = (text: string, path: string): FieldErrors =>
  errorIf(byteLength(text) > maxValueLength, () => tooLong(path, maxValueLength));

const validateAttributeVersion = (text: string, path: string): FieldErrors => [
  ...errorIf(!version.test(text), () =>
    invalidValue(path, text, 'must be a string compatible with semver.org spec 2.0.0'),
  ),
  ...validateAttributeString(text, path),
];

const validateDeviceTaint = (
  { key = '', value = '', effect = '' }: resource.DeviceTaint,
  path: string,
): FieldErrors => [
  ...validateText(qualifiedNameErrors, `${path}.key`, key),
  ...validateText(labelValueErrors, `${path}.value`, value),
  ...validateRequiredEnum(`${path}.effect`, effect, taintEffects),
];

export const validateCounterName = (name: string, path: string): FieldErrors =>
  validateRequiredText(dns1123Label, path, name);

const validateDeviceCounterConsumption = (
  { counterSet = '', counters }: resource.DeviceCounterConsumption,
  path: string,
): FieldErrors => [
  ...validateCounterName(counterSet, `${path}.counterSet`),
  ...validateCounters(counters, `${path}.counters`),
];

export function validateCounters(counters: resource.CounterSet['counters'], path: string): FieldErrors {
  const names = Object.keys(counters ?? {}).toSorted();
  if (names.length === 0) return [required(path, '')];
  return validateSlice(names, path, limits.counters, (name) => validateText(dns1123Label, path, name));
}

export const attributeLists = ({
  ints,
  bools,
  strings,
  versions,
}: resource.DeviceAttribute): readonly (readonly unknown[])[] =>
  [ints, bools, strings, versions].flatMap((list) => (list ? [list] : []));

function validateNodeAllocatableResourceMappings(
  { nodeAllocatableResourceMappings: mappings, capacity }: resource.Device & FormerDeviceFields,
  path: string,
): FieldErrors {
  return validateMap(mappings, path, {
    key: (name) =>
      errorIf(!isNative(name), () =>
        invalidValue(`${path}[${name}]`, name, 'must be a node allocatable resource name'),
      ),
    value: ({ allocationMultiplier: factor, capacityKey: key }, at) => [
      ...errorIf(factor === undefined && key === undefined, () =>
        invalidValue(at, '', 'at least one of allocationMultiplier or capacityKey must be set'),
      ),
      ...errorIf(factor !== undefined && parseAmount(factor) <= 0n, () =>
        invalidValue(`${at}.allocationMultiplier`, factor ?? '', 'must be positive'),
      ),
      ...errorIf(key === '', () => invalidValue(`${at}.capacityKey`, '', 'capacityKey must not be an empty string')),
      ...errorIf(key !== undefined && key !== '' && capacity?.[key] === undefined, () =>
        fieldNotFound(`${at}.capacityKey`, key ?? ''),
      ),
    ],
  });
}

// Node selection of a slice. Follows kubernetes pkg/apis/resource/validation/validation.go.

const oneNodeSelectionText =
  'exactly one of `nodeName`, `nodeSelector`, `allNodes`, `perDeviceNodeSelection` is required';

export function validateNodeSelection(spec: ResourceSliceSpec): FieldErrors {
  const { nodeName, nodeSelector, allNodes, perDeviceNodeSelection } = spec;
  const set = listSetFields({ nodeName, nodeSelector, allNodes, perDeviceNodeSelection });
  const terms = nodeSelector?.nodeSelectorTerms ?? [];
  return [
    ...validateNodeName(nodeName, 'spec.nodeName', 'must be either unset or set to a non-empty string'),
    ...(nodeSelector ? validateNodeSelector(nodeSelector, 'spec.nodeSelector') : noErrors),
    ...errorIf(nodeSelector !== undefined && terms.length !== 1, () =>
      invalidValue(
        'spec.nodeSelector.nodeSelectorTerms',
        toInternalForm('[]core.NodeSelectorTerm', terms),
        'must have exactly one node selector term',
      ),
    ),
    ...validateUnsetOrTrue(allNodes, 'spec.allNodes'),
    ...validateUnsetOrTrue(perDeviceNodeSelection, 'spec.perDeviceNodeSelection'),
    ...validateExactlyOne(set, 'spec', oneNodeSelectionText, `${oneNodeSelectionText}, but multiple fields are set`),
  ];
}

/** Their names, as error texts print them. */
const listSetFields = (fields: Readonly<Record<string, unknown>>): readonly string[] =>
  Object.keys(fields).flatMap((name) => (fields[name] ? [`\`${name}\``] : []));

const validateExactlyOne = (set: readonly string[], path: string, text: string, textOfMany: string): FieldErrors => {
  if (set.length === 1) return [];
  return [set.length === 0 ? required(path, text) : invalidValue(path, `{${set.join(', ')}}`, textOfMany)];
};

const validateNodeName = (name: string | undefined, path: string, textOfNone: string): FieldErrors =>
  name === undefined
    ? noErrors
    : name === ''
      ? [invalidValue(path, '', textOfNone)]
      : validateText(dns1123Subdomain, path, name);

const validateUnsetOrTrue = (flag: boolean | undefined, path: string): FieldErrors =>
  errorIf(flag === false, () => invalidValue(path, false, 'must be either unset or set to true'));

const perDeviceText = 'when `perDeviceNodeSelection` is set to true in the ResourceSlice spec';
const oneDeviceNodeSelectionText = `exactly one of \`nodeName\`, \`nodeSelector\`, or \`allNodes\` is required ${perDeviceText}`;

/** When the slice leaves node selection to its devices. */
export function validateDeviceNodeSelection(
  { nodeName, nodeSelector, allNodes }: Device,
  path: string,
  isPerDevice: boolean,
): FieldErrors {
  if (!isPerDevice) {
    const isPlaced = nodeName !== undefined || nodeSelector !== undefined || allNodes !== undefined;
    const text =
      '`nodeName`, `nodeSelector` and `allNodes` can only be set if `perDeviceNodeSelection` is set to true in the ResourceSlice spec';
    return errorIf(isPlaced, () => invalidValue(path, null, text));
  }
  const set = listSetFields({ nodeName, nodeSelector, allNodes });
  return [
    ...validateNodeName(nodeName, `${path}.nodeName`, 'must not be empty'),
    ...(nodeSelector ? validateNodeSelector(nodeSelector, `${path}.nodeSelector`) : noErrors),
    ...validateUnsetOrTrue(allNodes, `${path}.allNodes`),
    ...validateExactlyOne(set, path, oneDeviceNodeSelectionText, oneDeviceNodeSelectionText),
  ];
}
