import {
  validateTokenExpiration,
  validateOptionalEnum,
  validateEnum,
  validateNonNegative,
  validateUnique,
  validateText,
  each,
  eachText,
  errorIf,
  type FieldErrors,
} from '../field-rules.ts';
import { duplicate, invalidValue, required, tooLong } from '../../../machinery/meta/field-error.ts';
import { sameJson } from '../../../machinery/json/json-equal.ts';
import { asList, asObject, asString, type JsonValue } from '../../../machinery/json/json.ts';
import { byteLength, dns1123Subdomain, qualifiedNameErrors } from '../../../machinery/meta/names.ts';
import { metadataOf } from '../../../machinery/meta/object.ts';
import { isDuplicate } from '../../../machinery/lists.ts';
import { toInternalForm } from '../../types/internal-form.ts';
import type * as storage from '../../types/generated/storage-v1.ts';
import { validateLabelSelector } from '../meta/labels.ts';
import { subdomainName, validateImmutableField, immutableText, validateCoreObjectMeta } from '../meta/object-meta.ts';
import { parseAmount } from '../meta/quantity-amount.ts';

// The file follows kubernetes pkg/apis/storage/validation/validation.go.

export function validateCsiDriver(driver: storage.CSIDriver): FieldErrors {
  const spec = asObject(driver.spec);
  const { nodeAllocatableUpdatePeriodSeconds: period, serviceAccountTokenInSecrets: inSecrets } = spec;
  const unused = 'serviceAccountTokenInSecrets is set but no tokenRequests are specified';
  return [
    ...validateOptionalEnum('spec.fsGroupPolicy', spec.fsGroupPolicy, ['File', 'None', 'ReadWriteOnceWithFSType']),
    ...validateTokenRequests(spec.tokenRequests),
    ...asList(spec.volumeLifecycleModes).flatMap((mode) =>
      validateEnum('spec.volumeLifecycleModes', asString(mode), lifecycleModes),
    ),
    ...errorIf(period !== undefined && Number(period) < 10, () =>
      invalidValue(
        'spec.nodeAllocatableUpdatePeriodSeconds',
        period ?? 0,
        'must be greater than or equal to 10 seconds',
      ),
    ),
    ...errorIf(inSecrets !== undefined && asList(spec.tokenRequests).length === 0, () =>
      invalidValue('spec.serviceAccountTokenInSecrets', inSecrets ?? null, unused),
    ),
  ];
}

const lifecycleModes = ['Persistent', 'Ephemeral'];

function validateTokenRequests(requests: readonly storage.TokenRequest[] | undefined): FieldErrors {
  const seen = new Set<string>();
  return each(requests, 'spec.tokenRequests', ({ audience, expirationSeconds }, at) => {
    const name = asString(audience);
    if (isDuplicate(seen, name)) return [duplicate(`${at}.audience`, name)];
    return validateTokenExpiration(`${at}.expirationSeconds`, Number(expirationSeconds ?? 600));
  });
}

export function validateCsiDriverUpdate(driver: storage.CSIDriver, old: storage.CSIDriver): FieldErrors {
  const [spec, oldSpec] = [asObject(driver.spec), asObject(old.spec)];
  return [
    ...validateCsiDriver(driver),
    ...validateImmutableField('spec.attachedRequired', spec.attachRequired, oldSpec.attachRequired),
    ...validateImmutableField('spec.volumeLifecycleModes', spec.volumeLifecycleModes, oldSpec.volumeLifecycleModes),
  ];
}

/** Volume attributes are logged, tokens included. Follows kubernetes pkg/registry/storage/csidriver/strategy.go. */
export function csiDriverWarnings(driver: storage.CSIDriver): readonly string[] {
  const { tokenRequests, serviceAccountTokenInSecrets } = asObject(driver.spec);
  return asList(tokenRequests).length > 0 && serviceAccountTokenInSecrets === undefined
    ? [
        'spec.serviceAccountTokenInSecrets is unset; if supported by this CSI driver, set to true to prevent possible logging of tokens in volume attributes',
      ]
    : [];
}

export const csiDriverUpdateWarnings = (driver: storage.CSIDriver, old: storage.CSIDriver): readonly string[] =>
  sameJson(asList(asObject(driver.spec).tokenRequests), asList(asObject(old.spec).tokenRequests))
    ? []
    : csiDriverWarnings(driver);

/** Follows kubernetes pkg/apis/core/validation ValidateCSIDriverName. */
export function validateCsiDriverName(name: string, field: string): FieldErrors {
  if (name === '') return [required(field, '')];
  return [
    ...errorIf(byteLength(name) > 63, () => tooLong(field, 63)),
    ...dns1123Subdomain(name.toLowerCase()).map((text) => invalidValue(field, name, text)),
  ];
}

export function validateCsiNode(node: storage.CSINode): FieldErrors {
  const seen = new Set<string>();
  return each(asObject(node.spec).drivers, 'spec.drivers', (driver, at) => {
    const name = asString(driver.name);
    return [
      ...validateCsiDriverName(name, `${at}.name`),
      ...validateCsiNodeDriverNodeId(asString(driver.nodeID), `${at}.nodeID`),
      ...validateNonNegative(`${at}.allocatable.count`, asObject(driver.allocatable).count),
      ...validateUnique(seen, `${at}.name`, name),
      ...validateTopologyKeys(driver.topologyKeys, at),
    ];
  });
}

const validateCsiNodeDriverNodeId = (id: string, field: string): FieldErrors => [
  ...errorIf(id === '', () => required(field, '')),
  ...errorIf(byteLength(id) > 256, () => invalidValue(field, id, 'must be 256 characters or less')),
];

function validateTopologyKeys(keys: JsonValue | undefined, path: string): FieldErrors {
  const seen = new Set<string>();
  return eachText(keys, path, (key) => {
    return [
      ...errorIf(key === '', () => required(path, '')),
      ...validateUnique(seen, path, key),
      ...validateText(qualifiedNameErrors, path, key),
    ];
  });
}

/** Existing drivers are immutable except for the volume limit. */
export function validateCsiNodeUpdate(node: storage.CSINode, old: storage.CSINode): FieldErrors {
  const driversOf = (object: storage.CSINode): readonly storage.CSINodeDriver[] =>
    asList(asObject(object.spec).drivers).map(({ allocatable: _allocatable, ...driver }) => driver);
  return [
    ...validateCoreObjectMeta(metadataOf(node), false, subdomainName),
    ...validateCsiNode(node),
    ...driversOf(old).flatMap((before) =>
      driversOf(node)
        .filter(({ name }) => name === before.name)
        .flatMap((driver) =>
          errorIf(!sameJson(driver, before), () =>
            invalidValue('spec.drivers', toInternalForm('storage.CSINodeDriver', driver), immutableText),
          ),
        ),
    ),
  ];
}

export function validateCsiStorageCapacity(object: storage.CSIStorageCapacity): FieldErrors {
  const { nodeTopology, storageClassName, capacity } = object;
  return [
    ...validateLabelSelector(nodeTopology, 'nodeTopology'),
    ...validateText(dns1123Subdomain, 'storageClassName', asString(storageClassName)),
    ...errorIf(parseAmount(capacity) < 0n, () =>
      invalidValue('capacity', asString(capacity), 'must be greater than or equal to 0'),
    ),
  ];
}

export const validateCsiStorageCapacityUpdate = (
  object: storage.CSIStorageCapacity,
  old: storage.CSIStorageCapacity,
): FieldErrors => [
  ...validateImmutableField('nodeTopology', object.nodeTopology, old.nodeTopology),
  ...validateImmutableField('storageClassName', object.storageClassName, old.storageClassName),
];
