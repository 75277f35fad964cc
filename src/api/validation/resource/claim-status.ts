import { validateRequiredEnum, validateText, noErrors, errorIf, type FieldErrors } from '../field-rules.ts';
import { forbiddenField, invalidValue, required, tooLong, tooMany } from '../../../machinery/meta/field-error.ts';
import { sameJson } from '../../../machinery/json/json-equal.ts';
import type { JsonObject } from '../../../machinery/json/json.ts';
import { byteLength, dns1123Label } from '../../../machinery/meta/names.ts';
import { metadataOf } from '../../../machinery/meta/object.ts';
import type {
  AllocatedDeviceStatus,
  AllocationResult,
  DeviceAllocationConfiguration,
  NetworkDeviceData,
  ResourceClaim,
  ResourceClaimConsumerReference,
} from '../../types/generated/resource-v1.ts';
import { toInternalForm } from '../../types/internal-form.ts';
import { validateNodeSelector } from '../core/affinity.ts';
import { validateConditions } from '../meta/conditions.ts';
import { validateCsiDriverName } from '../storage/csi.ts';
import { validateDeviceBindingParameters, validateSlice, validateSet, validatePoolName } from './device-names.ts';
import {
  validateDeviceConfiguration,
  isOlderForm,
  validateRawExtension,
  validateRequestNames,
  type RequestNames,
  listRequestNames,
  validateRequestNameRef,
} from './device-claims.ts';
import { isCidr } from '../core/ip-address.ts';
import { immutableText } from '../meta/object-meta.ts';

// Follows kubernetes pkg/apis/resource/validation/validation.go.

const limits = { reserved: 256, results: 32, config: 64, conditions: 8, addresses: 16 } as const;
const maxDataLength = 10 * 1024;
const maxInterfaceLength = 256;
const maxHardwareLength = 128;

export function validateResourceClaimStatusUpdate(claim: ResourceClaim, old: ResourceClaim): FieldErrors {
  if (isOlderForm(claim.apiVersion)) return noErrors;
  const { reservedFor, devices, allocation } = claim.status ?? {};
  const allocated = new Set(allocation?.devices?.results?.map((result) => JSON.stringify(formatDeviceId(result))));
  return [
    ...validateSet(reservedFor, 'status.reservedFor', {
      max: limits.reserved,
      check: validateConsumerReference,
      keyOf: ({ uid }) => uid ?? '',
    }),
    ...validateSet(devices, 'status.devices', {
      max: Infinity,
      check: (device, path) => validateDeviceStatus(device, path, allocated),
      keyOf: formatDeviceId,
    }),
    ...validateReservedFor(claim, old),
    ...validateAllocationResult(allocation, old, listRequestNames(claim.spec?.devices ?? {})),
  ];
}

/** Go's structured.SharedDeviceID, as error texts print it. */
const formatDeviceId = ({ driver = '', pool = '', device = '', shareID = '' }: AllocatedDeviceStatus): JsonObject => ({
  Driver: driver,
  Pool: pool,
  Device: device,
  ShareID: shareID,
});

const validateConsumerReference = (
  { resource, name, uid }: ResourceClaimConsumerReference,
  path: string,
): FieldErrors => [
  ...errorIf(!resource, () => required(`${path}.resource`, '')),
  ...errorIf(!name, () => required(`${path}.name`, '')),
  ...errorIf(!uid, () => required(`${path}.uid`, '')),
];

function validateReservedFor(claim: ResourceClaim, old: ResourceClaim): FieldErrors {
  const { reservedFor = [], allocation } = claim.status ?? {};
  const path = 'status.reservedFor';
  if (reservedFor.length === 0) return noErrors;
  if (!allocation) return [forbiddenField(path, 'may not be specified when `allocated` is not set')];
  if (metadataOf(claim).deletionTimestamp === undefined) return noErrors;
  const before = old.status?.reservedFor ?? [];
  const isMore = reservedFor.some((entry) => !before.some((known) => sameJson(known, entry)));
  const text = 'new entries may not be added while `deallocationRequested` or `deletionTimestamp` are set';
  return errorIf(isMore, () => forbiddenField(path, text));
}

function validateAllocationResult(
  allocation: AllocationResult | undefined,
  old: ResourceClaim,
  names: RequestNames,
): FieldErrors {
  const [path, before] = ['status.allocation', old.status?.allocation];
  if (!allocation) return noErrors;
  if (before) {
    return errorIf(!sameJson(allocation, before), () =>
      invalidValue(path, toInternalForm('resource.AllocationResult', allocation), immutableText),
    );
  }
  const { results, config } = allocation.devices ?? {};
  return [
    ...validateSlice(results, `${path}.devices.results`, limits.results, (one, at) => [
      ...validateRequestNameRef(one.request ?? '', `${at}.request`, names),
      ...validateCsiDriverName(one.driver ?? '', `${at}.driver`),
      ...validatePoolName(one.pool ?? '', `${at}.pool`),
      ...validateText(dns1123Label, `${at}.device`, one.device ?? ''),
      ...validateDeviceBindingParameters(one, at),
      ...validateShareId(one.shareID, `${at}.shareID`),
    ]),
    ...validateSlice(config, `${path}.devices.config`, limits.config, (one, at) => [
      ...validateConfigurationSource(one, at),
      ...validateRequestNames(one.requests, `${at}.requests`, names),
      ...validateDeviceConfiguration(one, at),
    ]),
    ...(allocation.nodeSelector ? validateNodeSelector(allocation.nodeSelector, `${path}.nodeSelector`) : noErrors),
  ];
}

const sources = ['FromClaim', 'FromClass'] as const;

const validateConfigurationSource = ({ source }: DeviceAllocationConfiguration, path: string): FieldErrors =>
  validateRequiredEnum(`${path}.source`, source, sources);

/** Follows github.com/google/uuid Validate. */
function validateShareId(id: string | undefined, path: string): FieldErrors {
  if (id === undefined || /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/.test(id)) return noErrors;
  if (!uuidLengths.has(byteLength(id)))
    return [invalidValue(path, id, `error validating uid: invalid UUID length: ${byteLength(id)}`)];
  if (!/^(?:urn:uuid:|\{)?[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}\}?$/i.test(id))
    return [invalidValue(path, id, 'error validating uid: invalid UUID format')];
  const text =
    'uid must be in RFC 4122 normalized form, `xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx` with lowercase hexadecimal characters';
  return [invalidValue(path, id, text)];
}

const uuidLengths: ReadonlySet<number> = new Set([32, 36, 38, 45]);

function validateDeviceStatus(
  device: AllocatedDeviceStatus,
  path: string,
  allocated: ReadonlySet<string>,
): FieldErrors {
  const id = formatDeviceId(device);
  const count = device.conditions?.length ?? 0;
  return [
    ...validateCsiDriverName(device.driver ?? '', `${path}.driver`),
    ...validatePoolName(device.pool ?? '', `${path}.pool`),
    ...validateText(dns1123Label, `${path}.device`, device.device ?? ''),
    ...validateShareId(device.shareID, `${path}.shareID`),
    ...errorIf(!allocated.has(JSON.stringify(id)), () =>
      invalidValue(path, id, 'must be an allocated device in the claim'),
    ),
    ...errorIf(count > limits.conditions, () => tooMany(`${path}.conditions`, count, limits.conditions)),
    ...validateConditions(device.conditions ?? [], `${path}.conditions`),
    ...(device.data === undefined ? noErrors : validateRawExtension(device.data, `${path}.data`, maxDataLength)),
    ...(device.networkData ? validateNetworkDeviceData(device.networkData, `${path}.networkData`) : noErrors),
  ];
}

const notACidrAddressText = 'must be a valid address in CIDR form, (e.g. 10.9.8.7/24 or 2001:db8::1/64)';

const validateNetworkDeviceData = (
  { interfaceName = '', hardwareAddress = '', ips }: NetworkDeviceData,
  path: string,
): FieldErrors => [
  ...errorIf(byteLength(interfaceName) > maxInterfaceLength, () =>
    tooLong(`${path}.interfaceName`, maxInterfaceLength),
  ),
  ...errorIf(byteLength(hardwareAddress) > maxHardwareLength, () =>
    tooLong(`${path}.hardwareAddress`, maxHardwareLength),
  ),
  ...validateSet(ips, `${path}.ips`, {
    max: limits.addresses,
    check: (address, at) => errorIf(!isCidr(address), () => invalidValue(at, address, notACidrAddressText)),
    keyOf: (address) => address,
  }),
];
