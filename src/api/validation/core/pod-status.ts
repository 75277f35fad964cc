import {
  validateText,
  validateUnique,
  validateTextPointer,
  each,
  errorIf,
  eachOf,
  noErrors,
  type FieldErrors,
} from '../field-rules.ts';
import { forbiddenField, invalidValue } from '../../../machinery/meta/field-error.ts';
import { asList, asObject, asString } from '../../../machinery/json/json.ts';
import { dns1123Subdomain, qualifiedNameErrors } from '../../../machinery/meta/names.ts';
import type * as core from '../../types/generated/core-v1.ts';
import { validateIp } from './ip-address.ts';

/** The file follows kubernetes pkg/apis/core/validation ValidatePodStatusUpdate. */
export function validatePodConditions(status: core.PodStatus): FieldErrors {
  return each(status.conditions, 'status.conditions', (condition, at) => {
    const [type, generation] = [asString(condition.type), Number(condition.observedGeneration ?? 0)];
    return [
      ...errorIf(generation < 0, () =>
        invalidValue(`${at}.observedGeneration`, generation, 'must be a non-negative integer'),
      ),
      ...(systemConditions.has(type) ? [] : validateText(qualifiedNameErrors, `${at}.Type`, type)),
    ];
  });
}

const systemConditions = new Set(['PodScheduled', 'Ready', 'Initialized']);

export function validateNominatedNode(status: core.PodStatus, old: core.PodStatus, oldNode: string): FieldErrors {
  const field = 'status.nominatedNodeName';
  const name = asString(status.nominatedNodeName);
  const generation = Number(status.observedGeneration ?? 0);
  const isNew = name !== '' && name !== asString(old.nominatedNodeName);
  return [
    ...(isNew ? validateText(dns1123Subdomain, field, name) : []),
    ...errorIf(isNew && oldNode !== '', () =>
      forbiddenField(field, 'may not be set on pods that are already bound to a node'),
    ),
    ...errorIf(generation < 0, () =>
      invalidValue('status.observedGeneration', generation, 'must be a non-negative integer'),
    ),
  ];
}

/** One address of each family at most; existing addresses may be non-canonical. */
export const validatePodAddresses = (status: core.PodStatus, old: core.PodStatus): FieldErrors => [
  ...validateAddressList('podIPs', status, old),
  ...validateHostIps(status),
  ...validateAddressList('hostIPs', status, old),
];

function validateHostIps(status: core.PodStatus): FieldErrors {
  const [first] = listAddresses(status.hostIPs);
  return errorIf(first !== undefined && first !== asString(status.hostIP), () =>
    invalidValue('status.hostIPs[0].ip', first ?? '', 'must be equal to `hostIP`'),
  );
}

function validateAddressList(field: 'podIPs' | 'hostIPs', status: core.PodStatus, old: core.PodStatus): FieldErrors {
  const addresses = listAddresses(status[field]);
  const known = new Set(listAddresses(old[field]));
  const sixes = addresses.filter((address) => address.includes(':')).length;
  const isPair = addresses.length === 2 && sixes === 1;
  return [
    ...eachOf(addresses, (address, at) =>
      known.has(address) ? noErrors : validateIp(`status.${field}[${at}]`, address),
    ),
    ...errorIf(addresses.length > 1 && !isPair, () =>
      invalidValue(
        `status.${field}`,
        addresses.map((IP) => ({ IP })),
        'may specify no more than one IP for each IP family',
      ),
    ),
  ];
}

const listAddresses = (list: readonly (core.HostIP | core.PodIP)[] | undefined): readonly string[] =>
  asList(list).map((item) => asString(asObject(item).ip));

/** Follows validatePodResourceClaimStatuses. */
export function validatePodResourceClaimStatuses(
  statuses: readonly core.PodResourceClaimStatus[] | undefined,
  claims: readonly core.PodResourceClaim[] | undefined,
): FieldErrors {
  const names = new Set(asList(claims).map((claim) => asString(asObject(claim).name)));
  const seen = new Set<string>();
  return each(statuses, 'status.resourceClaimStatuses', ({ name: given, resourceClaimName }, at) => {
    const name = asString(given);
    return [
      ...errorIf(!names.has(name), () =>
        invalidValue(`${at}.name`, name, 'must match the name of an entry in `spec.resourceClaims`'),
      ),
      ...validateUnique(seen, `${at}.name`, name),
      ...validateTextPointer(dns1123Subdomain, `${at}.resourceClaimName`, resourceClaimName),
    ];
  });
}
