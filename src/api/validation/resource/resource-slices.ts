import { goQuote, invalidValue } from '../../../machinery/meta/field-error.ts';
import type * as resource from '../../types/generated/resource-v1.ts';
import { validateCsiDriverName } from '../storage/csi.ts';
import { isOlderForm } from './device-claims.ts';
import { validateSet, validatePoolName } from './device-names.ts';
import {
  validateNodeSelection,
  validateCounters,
  validateCounterName,
  validateDevice,
  attributeLists,
} from './devices.ts';
import { noErrors, errorIf, type FieldErrors } from '../field-rules.ts';
import { validateImmutableField } from '../meta/object-meta.ts';

// Follows kubernetes pkg/apis/resource/validation/validation.go.

const limits = { devices: 128, advanced: 64, counterSets: 8 } as const;

export const validateResourceSlice = ({ apiVersion, spec = {} }: resource.ResourceSlice): FieldErrors =>
  isOlderForm(apiVersion) ? noErrors : validateResourceSliceSpec(spec, {});

export const validateResourceSliceUpdate = (
  { apiVersion, spec = {} }: resource.ResourceSlice,
  old: resource.ResourceSlice,
): FieldErrors => (isOlderForm(apiVersion) ? noErrors : validateResourceSliceSpec(spec, old.spec ?? {}, true));

function validateResourceSliceSpec(
  spec: resource.ResourceSliceSpec,
  old: resource.ResourceSliceSpec,
  isUpdate = false,
): FieldErrors {
  const { driver = '', pool = {}, devices, sharedCounters, perDeviceNodeSelection } = spec;
  const isAdvanced = (devices ?? []).some(hasAdvancedFields);
  return [
    ...validateCsiDriverName(driver, 'spec.driver'),
    ...validateResourcePool(pool),
    ...(isUpdate ? validateImmutableFields(spec, old) : noErrors),
    ...validateNodeSelection(spec),
    ...errorIf(sharedCounters !== undefined && devices !== undefined, () =>
      invalidValue('spec', '', 'only one of `sharedCounters` or `devices` is allowed'),
    ),
    ...validateSet(devices, 'spec.devices', {
      max: isAdvanced ? limits.advanced : limits.devices,
      check: (device, path) =>
        validateDevice(device, path, {
          before: old.devices?.find(({ name }) => name === device.name),
          placesDevices: perDeviceNodeSelection === true,
        }),
      keyOf: ({ name }) => name ?? '',
    }),
    ...validateSet(sharedCounters, 'spec.sharedCounters', {
      max: limits.counterSets,
      check: validateCounterSet,
      keyOf: ({ name }) => name ?? '',
    }),
  ];
}

const hasAdvancedFields = ({ taints = [], consumesCounters = [], attributes = {} }: resource.Device): boolean =>
  taints.length > 0 ||
  consumesCounters.length > 0 ||
  Object.keys(attributes).some((name) => attributeLists(attributes[name] ?? {}).length > 0);

const validateResourcePool = ({
  name = '',
  resourceSliceCount = 0,
  generation = 0,
}: resource.ResourcePool): FieldErrors => [
  ...validatePoolName(name, 'spec.pool.name'),
  ...errorIf(resourceSliceCount <= 0, () =>
    invalidValue('spec.pool.resourceSliceCount', resourceSliceCount, 'must be greater than zero'),
  ),
  ...errorIf(generation < 0, () =>
    invalidValue('spec.pool.generation', generation, 'must be greater than or equal to zero'),
  ),
];

const validateImmutableFields = (spec: resource.ResourceSliceSpec, old: resource.ResourceSliceSpec): FieldErrors => [
  ...validateImmutableField('spec.pool.name', spec.pool?.name, old.pool?.name, ''),
  ...validateImmutableField('spec.driver', spec.driver, old.driver, ''),
  ...validateImmutableField('spec.nodeName', spec.nodeName, old.nodeName),
];

const validateCounterSet = ({ name = '', counters }: resource.CounterSet, path: string): FieldErrors => [
  ...validateCounterName(name, `${path}.name`),
  ...validateCounters(counters, `${path}.counters`),
];

/** Follows kubernetes pkg/registry/resource/resourceslice/strategy.go. */
export function sliceWarnings({ spec }: resource.ResourceSlice): readonly string[] {
  const driver = spec?.driver ?? '';
  return driver === driver.toLowerCase()
    ? []
    : [`spec.driver: driver names should be lowercase; ${goQuote(driver)} contains uppercase characters`];
}
