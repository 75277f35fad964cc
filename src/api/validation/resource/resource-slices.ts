import { goQuote, invalidValue } from '../../../machinery/meta/field-error.ts';
import type * as resource from '../../types/generated/resource-v1.ts';
import { csiDriverNameErrors } from '../storage/csi.ts';
import { isOlderForm } from './device-claims.ts';
import { limitedSetErrors, poolNameErrors } from './device-names.ts';
import { placeErrors, counterErrors, counterNameErrors, deviceErrors, attributeLists } from './devices.ts';
import { noErrors, errorIf, type FieldErrors } from '../field-rules.ts';
import { immutableText } from '../meta/object-meta.ts';

// Follows kubernetes pkg/apis/resource/validation/validation.go.

const limits = { devices: 128, advanced: 64, counterSets: 8 } as const;

export const validateResourceSlice = ({ apiVersion, spec = {} }: resource.ResourceSlice): FieldErrors =>
  isOlderForm(apiVersion) ? noErrors : sliceErrors(spec, {});

export const validateResourceSliceUpdate = (
  { apiVersion, spec = {} }: resource.ResourceSlice,
  old: resource.ResourceSlice,
): FieldErrors => (isOlderForm(apiVersion) ? noErrors : sliceErrors(spec, old.spec ?? {}, true));

function sliceErrors(spec: resource.ResourceSliceSpec, old: resource.ResourceSliceSpec, isUpdate = false): FieldErrors {
  const { driver = '', pool = {}, devices, sharedCounters, perDeviceNodeSelection } = spec;
  const isAdvanced = (devices ?? []).some(hasAdvancedFields);
  return [
    ...csiDriverNameErrors(driver, 'spec.driver'),
    ...poolErrors(pool),
    ...(isUpdate ? immutableErrors(spec, old) : noErrors),
    ...placeErrors(spec),
    ...errorIf(sharedCounters !== undefined && devices !== undefined, () =>
      invalidValue('spec', '', 'only one of `sharedCounters` or `devices` is allowed'),
    ),
    ...limitedSetErrors(devices, 'spec.devices', {
      max: isAdvanced ? limits.advanced : limits.devices,
      check: (device, path) =>
        deviceErrors(device, path, {
          before: old.devices?.find(({ name }) => name === device.name),
          placesDevices: perDeviceNodeSelection === true,
        }),
      keyOf: ({ name }) => name ?? '',
    }),
    ...limitedSetErrors(sharedCounters, 'spec.sharedCounters', {
      max: limits.counterSets,
      check: counterSetErrors,
      keyOf: ({ name }) => name ?? '',
    }),
  ];
}

const hasAdvancedFields = ({ taints = [], consumesCounters = [], attributes = {} }: resource.Device): boolean =>
  taints.length > 0 ||
  consumesCounters.length > 0 ||
  Object.keys(attributes).some((name) => attributeLists(attributes[name] ?? {}).length > 0);

const poolErrors = ({ name = '', resourceSliceCount = 0, generation = 0 }: resource.ResourcePool): FieldErrors => [
  ...poolNameErrors(name, 'spec.pool.name'),
  ...errorIf(resourceSliceCount <= 0, () =>
    invalidValue('spec.pool.resourceSliceCount', resourceSliceCount, 'must be greater than zero'),
  ),
  ...errorIf(generation < 0, () =>
    invalidValue('spec.pool.generation', generation, 'must be greater than or equal to zero'),
  ),
];

const immutableErrors = (spec: resource.ResourceSliceSpec, old: resource.ResourceSliceSpec): FieldErrors => [
  ...errorIf(spec.pool?.name !== old.pool?.name, () =>
    invalidValue('spec.pool.name', spec.pool?.name ?? '', immutableText),
  ),
  ...errorIf(spec.driver !== old.driver, () => invalidValue('spec.driver', spec.driver ?? '', immutableText)),
  ...errorIf(spec.nodeName !== old.nodeName, () => invalidValue('spec.nodeName', spec.nodeName ?? null, immutableText)),
];

const counterSetErrors = ({ name = '', counters }: resource.CounterSet, path: string): FieldErrors => [
  ...counterNameErrors(name, `${path}.name`),
  ...counterErrors(counters, `${path}.counters`),
];

/** Follows kubernetes pkg/registry/resource/resourceslice/strategy.go. */
export function sliceWarnings({ spec }: resource.ResourceSlice): readonly string[] {
  const driver = spec?.driver ?? '';
  return driver === driver.toLowerCase()
    ? []
    : [`spec.driver: driver names should be lowercase; ${goQuote(driver)} contains uppercase characters`];
}
